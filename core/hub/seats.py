"""Who is connected: how many in all, of each identity and from each address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from .gate import Admission, Refusal
from .limits import Limits

T = TypeVar("T", bound=Hashable)


class Seats(Generic[T]):
    """The websockets that were let in, from their admission until their socket is gone."""

    def __init__(self, limits: Limits) -> None:
        """Start with none."""
        self._limits = limits
        self._taken: dict[T, tuple[Admission, str]] = {}
        self._of_identity: Counter[str] = Counter()
        self._of_address: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return how many are taken."""
        return len(self._taken)

    def __iter__(self) -> Iterator[tuple[T, Admission]]:
        """Return who sits there, as of now."""
        return iter([(who, admission) for who, (admission, _) in self._taken.items()])

    def take(self, who: T, admission: Admission, address: str) -> None:
        """Let ``who`` in.

        Raises:
            Refusal: there are too many already; nothing was changed.
        """
        if len(self._taken) >= self._limits.connections:
            raise Refusal(503, "the hub has as many connections as it may: come back later")
        if self._of_identity[admission.identity.name] >= self._limits.per_identity:
            raise Refusal(429, "this token has as many connections as it may: come back later")
        if self._of_address[address] >= self._limits.per_address:
            raise Refusal(429, "there are as many connections from this address as there may be: come back later")
        self._taken[who] = admission, address
        self._of_identity[admission.identity.name] += 1
        self._of_address[address] += 1

    def admission(self, who: T) -> Admission:
        """Return what ``who`` was let in for."""
        return self._taken[who][0]

    def leave(self, who: T) -> None:
        """Free the seat, if ``who`` has one."""
        taken = self._taken.pop(who, None)
        if taken is not None:
            admission, address = taken
            _less(self._of_identity, admission.identity.name)
            _less(self._of_address, address)


def _less(counts: Counter[str], name: str) -> None:
    """Count one less; what is at 0 is forgotten, or every address that ever came would stay."""
    counts[name] -= 1
    if not counts[name]:
        del counts[name]
