"""Sub-rounds with a time limit: who runs out of time is stopped, and what it had done goes to its parent."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from ..policies.partial_registry import PartialRegistry
from ..rounds.base import CancelledBy
from ..rounds.events import Event, ThreadState
from ..rounds.outcome import classify
from ..rounds.verdicts import Verdict
from .agents import RoundResult, Settings, Task
from .cancel import Cancellation
from .recorder import Publish, Recorder
from .recovery import Recover, Recovery, Salvage

log = logging.getLogger(__name__)

UNWIND_S = 5.0  # a stopped delegate's tools may clean up so long before its parent goes on without it
OUT_OF_TIME = frozenset((Verdict.ROUND_TIMED_OUT, Verdict.WALL_CLOCK))
Play = Callable[[Task], Coroutine[Any, Any, RoundResult]]
SUSPENDED = "suspended"
"""State of a delegate that waited for a person's approval when its time was up."""


class Delegates:
    """Runs the sub-rounds of one runner, and owns those that are still unwinding after their time was up.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(self, settings: Settings, publish: Publish, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.registry = PartialRegistry()
        """The running delegates whose work can be recovered, by round."""
        self.clock = clock
        self._settings = settings
        self._publish = publish
        self._unwinding: set[asyncio.Task[RoundResult]] = set()

    async def run(self, task: Task, above: Recorder, play: Play) -> RoundResult:
        """Run ``task`` below the round of ``above`` and return what it hands over.

        One that ran out of time has ``timed_out`` set. Every other result is what ``play`` returned, unchanged.

        Args:
            play: runs one round in the ledger of ``above``.

        Raises:
            asyncio.CancelledError: the parent is being stopped; the delegate was stopped first.
        """
        seconds = task.limits.seconds
        limit_s = self._settings.delegation_s if seconds is None else min(seconds, self._settings.delegation_s)
        recovery = Recovery(self.registry, task.round, self._settings.recover, self.clock())

        def observe(event: Event) -> None:
            if not task.cancel.requested:  # what ends only because it is stopped was not finished by itself
                recovery.see(event, self.clock())

        child = replace(task, limits=task.limits.model_copy(update={"seconds": limit_s}), observe=observe)
        deadline = _Deadline(child.cancel, limit_s)
        running = asyncio.create_task(play(child))
        stopped = asyncio.create_task(child.cancel.wait())
        try:
            await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if deadline.met and not _ended_by_itself(running):
                return await self._time_is_up(child, above, recovery.salvage(limit_s, self.clock()), running, limit_s)
            return await running
        finally:
            deadline.lift()
            recovery.discard()
            stopped.cancel()
            if running not in self._unwinding:
                running.cancel()
            await asyncio.gather(stopped, *({running} - self._unwinding), return_exceptions=True)

    async def aclose(self) -> None:
        """Stop what is still unwinding and wait for it."""
        for task in self._unwinding:
            task.cancel()
        await asyncio.gather(*self._unwinding, return_exceptions=True)

    async def _time_is_up(
        self, child: Task, above: Recorder, salvage: Salvage, running: asyncio.Task[RoundResult], limit_s: float
    ) -> RoundResult:
        """Tell it, and let the delegate unwind; what it had done is known already and does not wait for that."""
        round_ = above.ledger.rounds[child.round]
        state = SUSPENDED if round_.suspended is not None else ThreadState.EXECUTING.value
        facts = {"timeout_ms": round(limit_s * 1000, 3), "child": child.round, "child_state": state}
        await above.warn("delegation_timeout", f"sub-agent '{child.agent}' ran out of its {limit_s:g} s", facts)
        if self._settings.recover is not Recover.NOTHING:  # who did not look cannot say that there was nothing
            await Recorder(child.round, self._publish, above.ledger).put(salvage.event(child.round))
        await asyncio.wait({running}, timeout=UNWIND_S)
        if not running.done():
            log.warning("round %s: still unwinding %g s after its time was up", child.round, UNWIND_S)
            self._keep(running)
        return RoundResult(child.round, classify(round_), "", timed_out=salvage.report)

    def _keep(self, running: asyncio.Task[RoundResult]) -> None:
        running.cancel()
        self._unwinding.add(running)
        running.add_done_callback(self._unwinding.discard)


class _Deadline:
    """Stops a delegate when its time is up, and knows that it was this that stopped it."""

    def __init__(self, cancel: Cancellation, limit_s: float) -> None:
        self.met = False
        self._cancel = cancel
        self._limit_s = limit_s
        self._timer = asyncio.get_running_loop().call_later(limit_s, self._meet)

    def lift(self) -> None:
        self._timer.cancel()

    def _meet(self) -> None:
        self.met = not self._cancel.requested
        self._cancel.request(CancelledBy.LIMIT, self._limit_s)


def _ended_by_itself(running: asyncio.Task[RoundResult]) -> bool:
    """It failed or answered in the moment its time was up, before it saw that it was."""
    if not running.done():
        return False
    return running.cancelled() or running.exception() is not None or running.result().outcome.verdict not in OUT_OF_TIME
