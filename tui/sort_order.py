"""In which order the list stands: newest first in a tree, or flat by a value of the rounds."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from .filter_subject import FilterSubject
from .flat_rows import Key


class SortOrder(StrEnum):
    """What the list is sorted by; within equals the newest comes first."""

    NEWEST = "newest"
    PROBLEMS = "problems"
    LONGEST = "longest"
    TOKENS = "tokens"
    CALLS = "calls"
    AGENT = "agent"

    @property
    def next(self) -> SortOrder:
        """The order after this one, round and round."""
        orders = list(SortOrder)
        return orders[(orders.index(self) + 1) % len(orders)]


def _largest(value: float | None) -> Key:
    """Return a key that sorts large values first and what is not reported last."""
    return (1, 0.0) if value is None else (0, -value)


def _worst(subject: FilterSubject) -> Key:
    if subject.is_problem:
        return (0,)
    return (1,) if subject.is_unsure else (2,) if subject.is_running else (3,)


_KEYS: dict[SortOrder, Callable[[FilterSubject], Key]] = {
    SortOrder.NEWEST: lambda subject: (),
    SortOrder.PROBLEMS: _worst,
    SortOrder.LONGEST: lambda subject: _largest(subject.listed.total_ms),
    SortOrder.TOKENS: lambda subject: _largest(subject.tokens),
    SortOrder.CALLS: lambda subject: _largest(subject.listed.calls),
    SortOrder.AGENT: lambda subject: (subject.listed.agent is None, (subject.listed.agent or "").casefold()),
}


def sort_key(order: SortOrder, subject: FilterSubject, number: int) -> Key:
    """Return where a round belongs.

    Args:
        number: how many rounds came before it.
    """
    return (*_KEYS[order](subject), -number)
