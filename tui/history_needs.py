"""Which retired rounds have to be read again from their hub, and what became of that; no clock, no socket."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..core.rounds import Event
from ..core.rounds.events import ThreadSupervised

MOST_WAITING = 5000
"""Rounds that wait for their history; more late news at once is told as a number only."""
MOST_HELD = 2000
"""Events that are held while a history is read; more, and it is read again."""
MOST_TRIES = 3


class HistoryState(StrEnum):
    """How it stands with the details of a round that are not in memory."""

    LOADING = "loading"
    WAITS = "waits"
    """For the hub, which is not live just now."""
    GONE = "gone"
    """The hub does not keep all of it any more."""
    TOO_LARGE = "too_large"
    FAILED = "failed"
    """Asked for several times, in vain."""
    NOT_OFFERED = "not_offered"
    """What is watched gives no history, such as a recording."""


FINAL = frozenset((HistoryState.GONE, HistoryState.TOO_LARGE, HistoryState.NOT_OFFERED))


@dataclass(slots=True)
class HistoryNeeds:
    """The needs of one hub. Noting one costs O(1)."""

    opened: str | None = None
    """The round on screen, when its details are wanted."""
    states: dict[str, HistoryState] = field(default_factory=dict[str, HistoryState])
    """By round, of those asked for that are not back."""
    _waiting: dict[str, int] = field(default_factory=dict[str, int])
    """Rounds with late events, the longest waiting first; each with the seq of its first late event."""
    _tries: dict[str, int] = field(default_factory=dict[str, int])
    _reading: frozenset[str] = frozenset()
    _held: list[tuple[int, Event, str]] = field(default_factory=list[tuple[int, Event, str]])
    _folded: dict[str, int] = field(default_factory=dict[str, int])
    """By round: up to which seq its history was read."""
    _folded_threads: dict[str, int] = field(default_factory=dict[str, int])
    """The same for what supervisors said about it."""
    _folded_through: int = 0

    def late(self, round_: str, event: Event, seq: int) -> None:
        """Note that an event came for a retired round."""
        if round_ in self._reading:
            self._held.append((seq, event, round_))
        if self.states.get(round_) in FINAL:
            return
        if round_ not in self._waiting and len(self._waiting) < MOST_WAITING:
            self._waiting[round_] = seq
            self._tries.pop(round_, None)

    def has_folded(self, round_: str | None, seq: int, *, by_supervisor: bool) -> bool:
        """Say whether a history that was read holds this event already.

        Args:
            round_: the round that the event changes.
            by_supervisor: the event stands in the round's thread, not among its own events.
        """
        if seq > self._folded_through:
            if self._folded_through:
                self._folded, self._folded_threads, self._folded_through = {}, {}, 0
            return False
        folded = self._folded_threads if by_supervisor else self._folded
        return round_ is not None and seq <= folded.get(round_, 0)

    def first_late(self, round_: str) -> int | None:
        """Return the seq of the first event that came for a round after its details were let go."""
        return self._waiting.get(round_)

    def open(self, round_: str | None) -> None:
        """Want the details of the round on screen; one that could not be had before is asked for once more."""
        if round_ != self.opened:
            self.opened = round_
            if round_ is not None and self.states.get(round_) is HistoryState.FAILED:
                del self.states[round_]
                self._tries.pop(round_, None)

    def next(self, most: int) -> list[str]:
        """Return the rounds to ask for now: the one on screen alone, else the longest waiting ones."""
        if self.opened is not None and self.states.get(self.opened) not in FINAL | {HistoryState.FAILED}:
            return [self.opened]
        found: list[str] = []
        for round_ in self._waiting:
            if self.states.get(round_) not in FINAL | {HistoryState.FAILED}:
                found.append(round_)
                if len(found) == most:
                    break
        return found

    def begin(self, rounds: list[str]) -> None:
        """Note that the history of these rounds is asked for."""
        self._reading, self._held = frozenset(rounds), []
        for round_ in rounds:
            self.states[round_] = HistoryState.LOADING

    def end(self) -> None:
        """Note that nothing is being read any more."""
        self._reading, self._held = frozenset(), []

    @property
    def is_reading(self) -> bool:
        """A history is on its way."""
        return bool(self._reading)

    @property
    def has_overflowed(self) -> bool:
        """More events came meanwhile than are held."""
        return len(self._held) > MOST_HELD

    def held(self, round_: str, after: int, *, with_thread: bool) -> list[tuple[int, Event]]:
        """Return the events of a round that came while its history up to ``after`` was read and are not in it."""
        return [
            (seq, event)
            for seq, event, name in self._held
            if name == round_ and (seq > after or (isinstance(event, ThreadSupervised) and not with_thread))
        ]

    def failed(self, round_: str) -> None:
        """Note that a history could not be had this time."""
        tries = self._tries[round_] = self._tries.get(round_, 0) + 1
        self.states[round_] = HistoryState.WAITS if tries < MOST_TRIES else HistoryState.FAILED

    def settle(self, round_: str, state: HistoryState) -> None:
        """Note that a history cannot be had at all."""
        self.states[round_] = state
        self._waiting.pop(round_, None)
        if len(self.states) > MOST_WAITING:
            del self.states[next(iter(self.states))]

    def came_back(self, round_: str, through: int, *, with_thread: bool) -> None:
        """Note that a round has its details again, with every event up to ``through``, its supervisor's too or not."""
        for known in (self.states, self._waiting, self._tries):
            known.pop(round_, None)
        self._folded[round_] = through
        if with_thread:
            self._folded_threads[round_] = through
        self._folded_through = max(self._folded_through, through)

    def try_again(self) -> None:
        """The link is back: what failed is worth asking for again."""
        self._tries.clear()
        for round_ in [name for name, state in self.states.items() if state not in FINAL]:
            del self.states[round_]
