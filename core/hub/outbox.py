"""What the sender sends from: numbered lines, the oldest unsettled one first."""

from __future__ import annotations

from abc import ABC, abstractmethod


class Outbox(ABC):
    """Lines without ids, numbered from 1 on without holes, of one producer."""

    producer: str
    """Name in front of the number; may change in ``start_over``."""
    first: int = 1
    """Number of the oldest line that is not settled."""

    @abstractmethod
    def lines_from(self, n: int, limit_bytes: int) -> list[bytes]:
        """Return the lines n, n+1, … that are ready, at most ``limit_bytes`` of them, or one larger."""

    @abstractmethod
    def settle(self, n: int) -> None:
        """Forget the lines up to n: the hub has settled them."""

    @abstractmethod
    def refused(self, n: int, why: str) -> None:
        """Take note that the hub rejects line n; ``settle`` follows."""

    @abstractmethod
    def too_big(self, n: int) -> None:
        """Take line n out of circulation (it closes the link, 1009), leaving a small one in its place."""

    @abstractmethod
    def start_over(self) -> None:
        """Number what is unsettled from 1 on under a new name: the hub does not know the old numbers any more."""
