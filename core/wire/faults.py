"""What of a body could not be read: counted always, kept where it was for the first few."""

from __future__ import annotations

from typing import NamedTuple

KEPT = 50
"""Faults kept with their place; the count goes on."""
QUOTED = 40
"""Characters of foreign text that a fault may quote."""


class Fault(NamedTuple):
    """One thing that could not be read."""

    offset: int
    """Bytes from the start of the body."""
    why: str


class Faults:
    """A bounded list of faults with an unbounded count."""

    def __init__(self) -> None:
        """Start with none."""
        self.count = 0
        self._kept: list[Fault] = []

    def add(self, fault: Fault) -> None:
        """Count one."""
        self.count += 1
        if len(self._kept) < KEPT:
            self._kept.append(fault)

    @property
    def kept(self) -> tuple[Fault, ...]:
        """The first few, oldest first."""
        return tuple(self._kept)


def quoted(text: str) -> str:
    """Return foreign text short and with its control characters escaped, for a fault."""
    return repr(text[:QUOTED] + ("…" if len(text) > QUOTED else ""))
