"""Telling what strangers cause only now and then, or they would decide how large the log becomes."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

PAUSE_S = 10.0


class Sparse:
    """Lets the first of each kind through, then one in ``PAUSE_S``, with how many it held back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with nothing said; the kinds are few and our own."""
        self._clock = clock
        self._said: dict[Hashable, float] = {}
        self._held: dict[Hashable, int] = {}

    def due(self, kind: Hashable) -> int | None:
        """Return how many of this kind were held back, where one may be said now; None where not."""
        now = self._clock()
        if now - self._said.get(kind, -PAUSE_S) < PAUSE_S:
            self._held[kind] = self._held.get(kind, 0) + 1
            return None
        self._said[kind] = now
        return self._held.pop(kind, 0)
