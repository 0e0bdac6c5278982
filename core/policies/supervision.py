"""What a supervisor says of a thread: its last error with provenance, relaunches under a cap, and how it gives up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ..rounds.base import Cut, ThreadSummary
from ..rounds.events import EXECUTING, ThreadState, ThreadSupervised

RELAUNCH_CAP = 2
"""Relaunches of one round before the supervisor gives up; read from a measured run, hence configurable."""


class Provenance(StrEnum):
    """Where a last error comes from."""

    THIS_ROUND = "this_round"
    """The status line of the round in flight."""
    NONE_IN_FLIGHT = "none_in_flight"
    """A round is in flight and has written none."""
    LAST_ROUND_TERMINAL = "last_round_terminal"
    """The terminal write of the round that ended last."""


class LastErrorTitle(StrEnum):
    """What a viewer may call the text."""

    ERROR = "error"
    STATUS = "status"
    """Normally an activity or a heartbeat."""
    CLOSING_TEXT = "closing_text"
    """Written by a round that completed."""


@dataclass(frozen=True, slots=True)
class ThreadReading:
    """What is recorded of a thread; None = not recorded."""

    state: ThreadState
    status_line: str | None = None
    is_error: bool | None = None
    """The status line is known to be an error, or known not to be one."""
    summary: ThreadSummary | None = None
    """Text, round and time of the newest terminal write."""
    current_round: str | None = None
    """The round in flight."""
    last_round_completed: bool | None = None
    """Of an idle thread."""

    @classmethod
    def of(
        cls, word: ThreadSupervised, *, current_round: str | None = None, last_round_completed: bool | None = None
    ) -> ThreadReading:
        """Return what a supervisor's word records. Its verdict is not read: a thread that is idle after a wake or
        a relaunch has ended its round like any other."""
        return cls(word.state, word.status_line, word.is_error, word.summary, current_round, last_round_completed)


@dataclass(frozen=True, slots=True)
class EarlierSummary:
    """A text that an EARLIER round left on an executing thread: never this round's error."""

    text: str
    round: str | None = None
    age_s: float | None = None
    """Seconds before the moment of reading; None = its time is not recorded."""


@dataclass(frozen=True, slots=True)
class LastError:
    """The last error of a thread, and what stands beside it without being it."""

    text: str | None
    provenance: Provenance
    is_error: bool
    title: LastErrorTitle
    earlier: EarlierSummary | None = None


def last_error(thread: ThreadReading, now: datetime | None = None) -> LastError:
    """Return the last error of ``thread``; a summary on an executing thread is shown as an earlier round's.

    Args:
        now: the moment of reading, for the earlier text's age.

    Source:
        outcomes.md 6.
    """
    summary = _visible(thread.summary.text if thread.summary is not None else None)
    if thread.state not in EXECUTING:
        completed = thread.last_round_completed is True
        title = LastErrorTitle.CLOSING_TEXT if completed else LastErrorTitle.ERROR
        is_error = summary is not None and not completed
        return LastError(summary, Provenance.LAST_ROUND_TERMINAL, is_error, title)
    status = _visible(thread.status_line)
    if status is None:
        return LastError(None, Provenance.NONE_IN_FLIGHT, False, LastErrorTitle.STATUS, _earlier(thread, now))
    is_error = thread.is_error is True
    title = LastErrorTitle.ERROR if is_error else LastErrorTitle.STATUS
    return LastError(status, Provenance.THIS_ROUND, is_error, title, _earlier(thread, now))


def _visible(text: str | None) -> str | None:
    return text if text is not None and text.strip() else None


def _earlier(thread: ThreadReading, now: datetime | None) -> EarlierSummary | None:
    summary = thread.summary
    if summary is None or summary.text is None or not summary.text.strip():
        return None
    if summary.round is not None and summary.round == thread.current_round:
        return None
    age = (now - summary.at).total_seconds() if now is not None and summary.at is not None else None
    return EarlierSummary(summary.text, summary.round, max(0.0, age) if age is not None else None)


class NextStep(StrEnum):
    """What the supervisor does with a round that was cut."""

    RELAUNCH = "relaunch"
    GIVE_UP = "give_up"


@dataclass(frozen=True, slots=True)
class Relaunches:
    """The account of one supervised round. Every cut counts, a host's shutdown too: no exemption is established."""

    cap: int = RELAUNCH_CAP
    cuts: tuple[Cut, ...] = ()
    done: int = 0
    """Relaunches made."""

    def cut(self, cut: Cut) -> Relaunches:
        """Return the account with one more interruption."""
        return Relaunches(self.cap, (*self.cuts, cut), self.done)

    @property
    def next_step(self) -> NextStep:
        """What the next cut is answered with: is there a relaunch left?"""
        return NextStep.RELAUNCH if self.done < self.cap else NextStep.GIVE_UP

    @property
    def is_given_up(self) -> bool:
        """A cut came that no relaunch was left for: the round settles as an error."""
        return self.next_step is NextStep.GIVE_UP and len(self.cuts) > self.done

    def relaunched(self) -> Relaunches:
        """Return the account with one more relaunch.

        Raises:
            ValueError: none is left; the round is to be given up.
        """
        if self.next_step is NextStep.GIVE_UP:
            raise ValueError(f"all {self.cap} relaunches are used up; settle the round instead")
        return Relaunches(self.cap, self.cuts, self.done + 1)


def supervise(cuts: Sequence[Cut], cap: int = RELAUNCH_CAP) -> Relaunches:
    """Return the account after ``cuts``, oldest first, each answered by a relaunch while one is left."""
    account = Relaunches(cap)
    for cut in cuts:
        account = account.cut(cut)
        if account.next_step is NextStep.RELAUNCH:
            account = account.relaunched()
    return account


def diagnosis(account: Relaunches, error: LastError) -> str:
    """Return why a round was given up, in one line: the ONE text of the settled record and of the filed feedback.

    An earlier round's text is quoted as such, so nobody blames this round for it.
    """
    causes = sorted({cut.cause for cut in account.cuts if cut.cause})
    because = f" ({'; '.join(_one_line(cause) for cause in causes)})" if causes else ""
    said = [
        f"Interrupted {_times(len(account.cuts))}{because}, relaunched {_times(account.done)} "
        f"of a cap of {account.cap}, given up.",
        _last_error_sentence(error),
    ]
    if error.earlier is not None:
        said.append(f"Left by an EARLIER round, not this one{_origin(error.earlier)}: {_quoted(error.earlier.text)}.")
    return " ".join(said)


def _last_error_sentence(error: LastError) -> str:
    if error.text is None:
        none = "the round in flight has written no error"
        return f"Last error: none — {none}." if error.provenance is Provenance.NONE_IN_FLIGHT else "Last error: none."
    titles = {LastErrorTitle.ERROR: "error", LastErrorTitle.STATUS: "status", LastErrorTitle.CLOSING_TEXT: "text"}
    return f"Last {titles[error.title]}: {_quoted(error.text)}."


def _origin(earlier: EarlierSummary) -> str:
    known = [f"round {earlier.round}"] if earlier.round else []
    if earlier.age_s is not None:
        hours, rest = divmod(int(earlier.age_s), 3600)
        known.append(f"{hours} h {rest // 60} min earlier" if hours else f"{rest // 60} min earlier")
    return f" ({', '.join(known)})" if known else ""


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _quoted(text: str) -> str:
    return f'"{_one_line(text)}"'


def _one_line(text: str) -> str:
    return " ".join(text.split())
