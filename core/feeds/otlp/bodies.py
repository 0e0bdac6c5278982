"""What both encodings of an export share: what was read, and how much of it was refused and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeGuard, TypeVar

T = TypeVar("T")
_HEX = frozenset("0123456789abcdefABCDEF")


class Unreadable(ValueError):
    """A body that is no export at all; ``str()`` says why and quotes nothing of it."""


@dataclass(slots=True)
class Batch(Generic[T]):
    """The records of one export."""

    records: list[T] = field(default_factory=list[T])
    refused: int = 0
    why: str = ""
    """Of the first that was refused."""

    def take(self, record: T | None, why: str) -> None:
        """Take in a record, or count one that is none."""
        if record is not None:
            self.records.append(record)
            return
        self.refused += 1
        self.why = self.why or why


def is_id(given: object, digits: int) -> TypeGuard[str]:
    """Return whether an id is one: hex of the right length, and not zero."""
    return isinstance(given, str) and len(given) == digits and set(given) <= _HEX and set(given) != {"0"}
