"""How fast each identity may publish: a bucket that may go into debt, which is paid by being read later."""

from __future__ import annotations

import time
from collections.abc import Callable

from .limits import Limits

BURST_S = 1.0
"""So much at once as may come in this time."""


class Bucket:
    """Fills with ``rate`` a second, up to ``BURST_S`` of it."""

    def __init__(self, rate: float, clock: Callable[[], float]) -> None:
        """Begin full."""
        self._rate = rate
        self._clock = clock
        self._level = rate * BURST_S
        self._at = clock()

    def spend(self, amount: float) -> float:
        """Take ``amount``, more than there is too, and return the seconds after which nothing is owed."""
        now = self._clock()
        self._level = min(self._rate * BURST_S, self._level + (now - self._at) * self._rate) - amount
        self._at = now
        return max(0.0, -self._level / self._rate)


class Pace:
    """The buckets of all identities; there are no more of these than tokens."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with full buckets."""
        self._limits = limits
        self._clock = clock
        self._buckets: dict[str, tuple[Bucket, Bucket]] = {}

    def spend(self, identity: str, events: int, size: int) -> float:
        """Return how many seconds a frame of so many events and bytes has to wait."""
        if identity not in self._buckets:
            rates = self._limits.events_per_s, self._limits.bytes_per_s
            self._buckets[identity] = Bucket(rates[0], self._clock), Bucket(rates[1], self._clock)
        by_events, by_bytes = self._buckets[identity]
        return max(by_events.spend(max(1, events)), by_bytes.spend(size))
