"""What an observer has to read, by the tick in which it is due: all that falls into one shares its wake-up."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

TICK_S = 0.03


class Dated(Protocol):
    """What can stand in an agenda."""

    due: int | None
    """The tick that the agenda means to give it back in; the agenda's own note."""


_Entry = TypeVar("_Entry", bound=Dated)


class Agenda(Generic[_Entry]):
    """Gives back nothing early, and everything late by less than a tick."""

    def __init__(self) -> None:
        """Begin empty."""
        self._ticks: dict[int, deque[tuple[int, _Entry]]] = {}
        """A few; an entry that is meant to be read in another tick by now is void."""
        self._numbers = itertools.count()

    def __bool__(self) -> bool:
        """Say whether anything stands in it, void entries included."""
        return bool(self._ticks)

    def next_s(self) -> float:
        """Return when the next tick is that something stands in; infinite where nothing does."""
        return min(self._ticks) * TICK_S if self._ticks else math.inf

    def plan(self, entry: _Entry, due_s: float) -> None:
        """Have something given back at ``due_s``, or as early as it is planned already."""
        tick = math.ceil(due_s / TICK_S)
        if entry.due is None or tick < entry.due:
            entry.due = tick
            self._ticks.setdefault(tick, deque()).append((next(self._numbers), entry))

    def pop(self, until_s: float) -> _Entry | None:
        """Return what is due next, up to a moment; what is due in one tick comes in the order of its planning."""
        while self._ticks and (tick := min(self._ticks)) * TICK_S <= until_s:
            waiting = self._ticks[tick]
            _, entry = waiting.popleft()
            if not waiting:
                del self._ticks[tick]
            if entry.due == tick:
                entry.due = None
                return entry
        return None

    def pop_all(self, but: _Entry) -> Iterator[_Entry]:
        """Yield all that stands in it by now except ``but``, in the order of its planning."""
        for _, entry in sorted(itertools.chain(*self._ticks.values()), key=lambda numbered: numbered[0]):
            if entry is not but and entry.due is not None:
                entry.due = None
                yield entry
