"""Plays one scene of the demo: runs its round, and does to it from outside what the scene asks for."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ..rounds.base import Claim, Cut, Limits, ThreadSummary
from ..rounds.events import Event, RoundFinished, SupervisorVerdict, ThreadState, ThreadSupervised
from .agents import DEFAULT_SETTINGS, Settings, Task
from .cancel import Cancellation
from .demo_cast import agents, models
from .demo_scene import Scene
from .demo_tools import Stage
from .loop import Runner
from .recorder import Publish
from .script import Script
from .scripted_provider import SCRIPT_HEADER, ScriptedProvider

PATIENCE_S = 60.0  # of the stall guard where a scene is not about it; real seconds whatever the speed
EARLIER = timedelta(hours=27, minutes=14)  # how old the summary is that an earlier round left in a thread
EARLIER_SUMMARY = "212 calls reconciled, 3 left open."
HOST_CLAIM = Claim(status="completed", summary="Export finished.")
"""What a record says that was closed without looking."""


class Lifeline:
    """A way out for events that can be cut: a process that died publishes nothing more."""

    def __init__(self, publish: Publish) -> None:
        self._publish: Publish | None = publish

    async def __call__(self, event: Event) -> None:
        """Pass the event on, or lose it."""
        if self._publish is not None:
            await self._publish(event)

    def cut(self) -> None:
        """Lose everything from here on."""
        self._publish = None


@dataclass
class Theatre:
    """Plays single scenes, many at a time.

    Args:
        name: starts the id of every round.
    """

    publish: Publish
    provider: ScriptedProvider
    speed: float
    name: str
    _played: int = 0

    async def play(self, scene: Scene) -> None:
        """Play one scene to its end."""
        self._played += 1
        await self.play_as(scene, f"{self.name}-{self._played:04d}")

    async def play_as(self, scene: Scene, round_: str) -> None:
        """Play one scene under a given round id."""
        stage = Stage(conversation=round_, pace=self._pace)
        scripts = {stage.conversation: scene.script}
        if scene.below is not None:
            scripts[stage.below] = Script((scene.below,))
        self.provider.scripts.update(scripts)
        try:
            if not scene.killed_after_s:
                await self._cancelled_in_time(scene, stage)
            elif scene.is_supervised:
                await self._supervised(scene, stage)
            else:
                await self._killed(scene, stage, self._task(scene, stage), scene.killed_after_s[0])
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
        )
        served = models(self.provider.base_url)
        async with Runner(publish, agents=agents(stage), models=served, settings=settings) as runner:
            await runner.run(task)

    async def _killed(self, scene: Scene, stage: Stage, task: Task, after_s: float) -> None:
        """Run a round in a process that dies."""
        lifeline = Lifeline(self.publish)
        process = asyncio.create_task(self._run(lifeline, scene, stage, task))
        try:
            await asyncio.wait({process}, timeout=self._pace(after_s))
        finally:
            lifeline.cut()
            process.cancel()
            with suppress(asyncio.CancelledError):
                await process

    async def _supervised(self, scene: Scene, stage: Stage) -> None:
        """Let the process die, start it again as often as the cap allows, then give up."""
        cap = len(scene.killed_after_s) - 1
        cuts: list[Cut] = []
        earlier = ThreadSummary(round=f"{self.name}-0000", at=_now() - EARLIER, text=EARLIER_SUMMARY)
        for launch, after_s in enumerate(scene.killed_after_s):
            task = self._task(scene, stage, prefix="c" if launch == 0 else f"r{launch}c")
            await self._killed(scene, stage, task, after_s)
            cuts.append(Cut(at=_now(), cause="host restart"))
            await asyncio.sleep(self._pace(1.0))
            gave_up = launch == cap
            await self.publish(
                ThreadSupervised(
                    thread=scene.thread,
                    state=ThreadState.EXECUTING,
                    verdict=SupervisorVerdict.GAVE_UP if gave_up else SupervisorVerdict.RELAUNCHED,
                    cuts=tuple(cuts),
                    relaunch_cap=cap,
                    relaunches=min(launch + 1, cap),
                    summary=earlier,
                )
            )

    def _task(self, scene: Scene, stage: Stage, prefix: str = "c") -> Task:
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
            call_prefix=prefix,
            claim=scene.claim,
        )

    def _pace(self, seconds: float) -> float:
        return seconds / self.speed


def _now() -> datetime:
    return datetime.now(UTC)
