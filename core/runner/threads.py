"""What is on record of each thread: what it is doing, and the one line that its last ended round wrote."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ..policies.supervision import ThreadReading
from ..policies.terminal_write import TerminalWrite, terminal_write
from ..rounds.base import CallError, CallOutcome, ThreadSummary
from ..rounds.events import CallFinished, Event, RoundStarted, ThreadState
from ..rounds.outcome import Outcome
from ..rounds.round import Round
from ..rounds.rules import has_partial
from ..rounds.verdicts import TerminalStatus, Verdict
from ..texts import Texts, banner

STATUS_CHARS = 300


@dataclass
class ThreadRecord:
    """One thread. Everything is None until something wrote it."""

    name: str
    state: ThreadState = ThreadState.IDLE
    current_round: str | None = None
    """The round in flight."""
    status_line: str | None = None
    """Written by the round in flight, and only by it: the words of a call that failed."""
    is_error: bool | None = None
    summary: ThreadSummary | None = None
    """The newest terminal write, with the round that wrote it: a new round does not touch it."""
    last_round_completed: bool | None = None

    def launch(self, round_: str) -> None:
        """A host takes the round up, for the first time or again; what an earlier host said of it is void."""
        self.state = ThreadState.STARTING
        self.current_round = round_
        self.status_line = self.is_error = None

    def note(self, event: Event) -> None:
        """Take in an event of the round in flight."""
        if isinstance(event, RoundStarted) and event.round == self.current_round:
            self.state = ThreadState.EXECUTING
        elif isinstance(event, CallFinished) and event.round == self.current_round:
            failed = event.outcome is CallOutcome.FAILED and event.error is not None
            self.status_line = _status(event.error) if failed and event.error is not None else None
            self.is_error = True if failed else None

    def settle(self, round_: Round, outcome: Outcome, sentence: str, at: datetime) -> TerminalWrite | None:
        """Write the round's end; None = it is not over, nothing is written.

        Args:
            sentence: why there is no answer; not read for a completed round.
        """
        write = terminal_write(outcome.verdict, round_.text, sentence, has_partial=has_partial(round_))
        if write is None:
            return None
        self.summary = ThreadSummary(round=round_.id, at=at, text=write.summary)
        self.state = ThreadState.CANCELLED if outcome.status is TerminalStatus.CANCELLED else ThreadState.IDLE
        self.last_round_completed = outcome.verdict is Verdict.COMPLETED
        self.current_round = self.status_line = self.is_error = None
        return write

    def reading(self) -> ThreadReading:
        """Return what a supervisor judges the thread by."""
        return ThreadReading(
            state=self.state,
            status_line=self.status_line,
            is_error=self.is_error,
            summary=self.summary,
            current_round=self.current_round,
            last_round_completed=self.last_round_completed,
        )


def sentence_of(outcome: Outcome) -> str:
    """Return the sentence of an unanswered round for its record: the platform's own line, else the banner's first.

    Records are English; what a person reads of the round is composed in their language when it is painted.
    """
    line = outcome.facts.get("sentence")
    if outcome.verdict is Verdict.SELECTION_UNRESOLVED and isinstance(line, str):
        return line
    sentences = banner(outcome, Texts.load("en")).sentences
    return sentences[0] if sentences else ""


def _status(error: CallError) -> str:
    status = f"HTTP {error.http_status}: " if error.http_status is not None else ""
    return f"{status}{error.message or error.code or error.kind}"[:STATUS_CHARS]
