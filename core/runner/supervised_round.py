"""One round under supervision: launched on a host, launched again when the host is lost, and settled at its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from ..policies.infrastructure import Attempt, RoundRecord, attempt_of, infrastructure_label
from ..policies.supervision import RELAUNCH_CAP, NextStep, Relaunches, diagnosis, last_error
from ..policies.terminal_write import TerminalWrite
from ..rounds.base import Cut
from ..rounds.events import Event, RoundStarted, SupervisorVerdict, ThreadSupervised
from ..rounds.ledger import Ledger
from ..rounds.outcome import Outcome, classify
from ..rounds.round import Round
from ..rounds.tool_calls import ToolState
from ..rounds.verdicts import Verdict
from .agents import RoundResult, Task
from .cancel import Cancellation
from .lifeline import Lifeline
from .recorder import Publish
from .threads import ThreadRecord, sentence_of

log = logging.getLogger(__name__)

PAUSE_S = 1.0  # between a cut and the relaunch: a host that restarts needs a moment
UNWIND_S = 5.0  # a host that was told to end may clean up so long before the supervisor goes on without it
CAUSE_CHARS = 200
SHUTDOWN = "host shutdown"


class HostLost(Exception):
    """Raised by a launch: its host is gone; ``str()`` is the cause that goes on record."""


Launch = Callable[[Task, Publish], Coroutine[Any, Any, RoundResult]]
"""Runs a round on a host, its events through the given publish; called again with the same round after a cut."""


@dataclass(frozen=True)
class Feedback:
    """What is filed about a round that was given up."""

    thread: str
    round: str
    text: str


@dataclass(frozen=True)
class Supervision:
    """How threads are supervised."""

    launch: Launch
    publish: Publish
    cap: int = RELAUNCH_CAP
    """How often a round is relaunched."""
    pause_s: float = PAUSE_S
    stale_s: float | None = None
    """A host from which nothing has come for so long is lost too; None: it has to be lost by itself. A running
    tool and an approval that is waited for are no silence."""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    """The time that goes on record."""
    file_feedback: Callable[[Feedback], Awaitable[None]] | None = None
    """Where the diagnosis of a round that was given up is filed."""

    async def say(self, record: ThreadRecord, verdict: SupervisorVerdict, account: Relaunches) -> ThreadSupervised:
        """Publish the supervisor's word about a thread, with where each part of it comes from."""
        word = ThreadSupervised(
            at=self.clock(),
            thread=record.name,
            state=record.state,
            verdict=verdict,
            cuts=account.cuts,
            relaunch_cap=account.cap,
            relaunches=account.done,
            status_line=record.status_line,
            is_error=record.is_error,
            summary=record.summary,
        )
        await self.publish(word)
        return word


@dataclass(frozen=True)
class Settled:
    """The end of a supervised round."""

    outcome: Outcome
    write: TerminalWrite | None
    """What its record was given; None where its host ended without ending it."""
    attempt: Attempt
    infrastructure: str | None
    """The label of a round that failed before anything ran."""
    diagnosis: str | None
    """Why it was given up: the one text of the settled record and of the filed feedback."""


class SupervisedRound:
    """One round over all its launches; the record of its thread is kept up to date."""

    def __init__(self, how: Supervision, task: Task, record: ThreadRecord) -> None:
        self._how = how
        self._task = task
        self._record = record
        self._ledger = Ledger()
        self._account = Relaunches(how.cap)

    async def run(self) -> Settled:
        """Launch it until it ends or no relaunch is left."""
        try:
            while (cause := await self._launch()) is not None:
                self._account = self._account.cut(Cut(at=self._how.clock(), cause=cause))
                if self._account.next_step is NextStep.GIVE_UP:
                    return await self._give_up()
                await asyncio.sleep(self._how.pause_s)
                self._account = self._account.relaunched()
                await self._say(SupervisorVerdict.RELAUNCHED)
        except asyncio.CancelledError:
            self._settle()
            raise
        return self._settle()

    async def _launch(self) -> str | None:
        """Run it on one host; return why it was cut, or None when it ended there."""
        number, cancel, lifeline = self._account.done, Cancellation(), Lifeline(self._forward)
        prefix = self._task.call_prefix if number == 0 else f"r{number}{self._task.call_prefix}"
        self._record.launch(self._task.round)
        self._task.cancel.link(cancel)
        task = replace(self._task, cancel=cancel, call_prefix=prefix)
        host = asyncio.create_task(self._how.launch(task, lifeline))
        try:
            if await self._falls_silent(host, lifeline):
                lifeline.cut()
                await self._say(SupervisorVerdict.STALE)
                return f"no event for {self._how.stale_s:g} s"
            return _cause(host)
        finally:
            host.cancel()
            await asyncio.wait({host}, timeout=UNWIND_S)
            if not host.done():
                log.warning("round %s: its host ignores its end for %g s; going on without it", task.round, UNWIND_S)
            lifeline.cut()
            self._task.cancel.unlink(cancel)

    async def _falls_silent(self, host: asyncio.Task[RoundResult], lifeline: Lifeline) -> bool:
        """Return when the host has ended (False) or nothing has come from it for too long (True)."""
        stale_s = self._how.stale_s
        while not host.done():
            left_s = None if stale_s is None else stale_s - lifeline.silent_s
            if left_s is not None and left_s <= 0:
                if not self._waits():
                    return True
                left_s = stale_s
            await asyncio.wait({host}, timeout=left_s)
        return False

    def _waits(self) -> bool:
        """A tool runs, or a person is asked, in the round or below it."""
        return any(
            round_.suspended is not None or any(tool.state is ToolState.RUNNING for tool in round_.open_tools.values())
            for round_ in self._ledger.rounds.values()
        )

    async def _forward(self, event: Event) -> None:
        self._ledger.apply(event)
        self._record.note(event)
        await self._how.publish(event)

    async def _say(self, verdict: SupervisorVerdict) -> None:
        if self._task.round not in self._ledger.rounds:  # its host was lost before it said anything at all
            task = self._task
            await self._forward(RoundStarted(round=task.round, thread=task.thread, agent=task.agent, title=task.title))
        self._ledger.apply(await self._how.say(self._record, verdict, self._account))

    async def _give_up(self) -> Settled:
        """Say it, write it down, file it: one text, made before the record is overwritten."""
        text = diagnosis(self._account, last_error(self._record.reading(), self._how.clock()))
        await self._say(SupervisorVerdict.GAVE_UP)
        settled = self._settle(text)
        if self._how.file_feedback is not None and settled.diagnosis is not None:
            await self._how.file_feedback(Feedback(self._record.name, self._task.round, settled.diagnosis))
        return settled

    def _settle(self, given_up: str | None = None) -> Settled:
        round_ = self._ledger.rounds.get(self._task.round) or Round(self._task.round)
        outcome = classify(round_)
        text = None if outcome.verdict is Verdict.CANCELLED else given_up  # a person's stop needs no diagnosis
        write = self._record.settle(round_, outcome, text or sentence_of(outcome), self._how.clock())
        stored = RoundRecord(
            status=outcome.status,
            text=write.text if write is not None else "",
            model_calls=len(round_.calls),
            tool_calls=round_.tally["tools"],
            verdict=outcome.verdict,
        )
        return Settled(outcome, write, attempt_of(outcome), infrastructure_label(stored), text)


def _cause(host: asyncio.Task[RoundResult]) -> str | None:
    """Why a host that is no more did not end its round; None: it did."""
    if host.cancelled():
        return SHUTDOWN
    error = host.exception()
    if error is None:
        return None
    if isinstance(error, HostLost):
        return (str(error) or "host lost")[:CAUSE_CHARS]
    log.error("a host was lost to %s", type(error).__name__)
    return f"{type(error).__name__}: {error}"[:CAUSE_CHARS]
