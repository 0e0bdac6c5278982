"""Plays one scene of the demo: runs its round, and does to it from outside what the scene asks for."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from ..rounds.base import Claim, Limits, ThreadSummary
from ..rounds.events import Event, RoundFinished
from .agents import DEFAULT_SETTINGS, RoundResult, Settings, Task
from .cancel import Cancellation
from .demo_cast import agents, models
from .demo_scene import Scene
from .demo_tools import Stage
from .folder import Folder
from .lifeline import Lifeline
from .loop import Runner
from .recorder import Publish
from .script import Script
from .scripted_provider import SCRIPT_HEADER, ScriptedProvider
from .supervised_round import HostLost, Supervision
from .supervisor import Supervisor
from .threads import ThreadRecord

PATIENCE_S = 60.0  # of the stall guard where a scene is not about it; real seconds whatever the speed
EARLIER = timedelta(hours=27, minutes=27, seconds=36)  # how old the text is that an earlier round left in a thread
EARLIER_SUMMARY = "Error: The provider rejected the call with HTTP 403."
HOST_CLAIM = Claim(status="completed", summary="Export finished.")
"""What a record says that was closed without looking."""


@dataclass
class Theatre:
    """Plays single scenes, many at a time.

    Args:
        name: starts the id of every round.
        folder: where file tools work.
    """

    publish: Publish
    provider: ScriptedProvider
    speed: float
    name: str
    folder: Folder
    _played: int = 0

    async def play(self, scene: Scene) -> None:
        """Play one scene to its end."""
        self._played += 1
        await self.play_as(scene, f"{self.name}-{self._played:04d}")

    async def play_as(self, scene: Scene, round_: str) -> None:
        """Play one scene under a given round id."""
        stage = Stage(round_, self._pace, self.folder, scene.below_s)
        scripts = {stage.conversation: scene.script}
        if scene.below:
            scripts[stage.below] = Script(scene.below)
        self.provider.scripts.update(scripts)
        try:
            if not scene.killed_after_s:
                await self._cancelled_in_time(scene, stage)
            elif scene.is_supervised:
                await self._supervised(scene, stage)
            else:
                await self._killed(self.publish, scene, stage, self._task(scene, stage), scene.killed_after_s[0])
                await self.publish(RoundFinished(round=round_, claimed=HOST_CLAIM))
        finally:
            for name in scripts:
                self.provider.scripts.pop(name, None)

    async def _cancelled_in_time(self, scene: Scene, stage: Stage) -> None:
        task = self._task(scene, stage)
        timer = None
        if scene.cancel_after_s is not None:
            delay = self._pace(scene.cancel_after_s)
            timer = asyncio.get_running_loop().call_later(delay, task.cancel.request, scene.cancelled_by)
        try:
            await self._run(self.publish, scene, stage, task)
        finally:
            if timer is not None:
                timer.cancel()

    async def _run(self, publish: Publish, scene: Scene, stage: Stage, task: Task) -> None:
        settings = Settings(
            stall_s=PATIENCE_S if scene.stall_s is None else self._pace(scene.stall_s),
            retry_first_s=self._pace(DEFAULT_SETTINGS.retry_first_s),
            rules=scene.rules,
        )
        served = models(self.provider.base_url)
        async with Runner(publish, agents=agents(stage), models=served, settings=settings) as runner:
            await runner.run(task)

    async def _killed(self, publish: Publish, scene: Scene, stage: Stage, task: Task, after_s: float) -> None:
        """Run a round in a process that dies: what it does while it falls is seen by nobody."""
        lifeline, begun = Lifeline(publish), asyncio.Event()

        def observe(event: Event) -> None:
            if isinstance(event, scene.death_follows):
                begun.set()

        process = asyncio.create_task(self._run(lifeline, scene, stage, replace(task, observe=observe)))
        try:
            await begun.wait()  # on a busy machine, too, it dies in the middle of what it is to be seen at
            await asyncio.sleep(self._pace(after_s))
        finally:
            lifeline.cut()
            process.cancel()
            with suppress(asyncio.CancelledError):
                await process

    async def _supervised(self, scene: Scene, stage: Stage) -> None:
        """Let a supervisor start it on hosts that die, until it gives up."""
        deaths = iter(scene.killed_after_s)

        async def launch(task: Task, publish: Publish) -> RoundResult:
            await self._killed(publish, scene, stage, task, next(deaths))
            raise HostLost("host restart")

        cap = len(scene.killed_after_s) - 1
        supervisor = Supervisor(Supervision(launch, self.publish, cap=cap, pause_s=self._pace(1.0)))
        earlier = ThreadSummary(round=f"{self.name}-0000", at=datetime.now(UTC) - EARLIER, text=EARLIER_SUMMARY)
        supervisor.threads[scene.thread] = ThreadRecord(scene.thread, summary=earlier, last_round_completed=False)
        await supervisor.run(self._task(scene, stage))

    def _task(self, scene: Scene, stage: Stage) -> Task:
        limits = scene.limits
        if limits.seconds is not None:
            limits = Limits(seconds=self._pace(limits.seconds))
        return Task(
            prompt=scene.prompt,
            agent=scene.agent,
            round=stage.conversation,
            thread=scene.thread,
            title=scene.title,
            model=scene.model,
            limits=limits,
            headers={SCRIPT_HEADER: stage.conversation},
            cancel=Cancellation(),
            claim=scene.claim,
        )

    def _pace(self, seconds: float) -> float:
        return seconds / self.speed
