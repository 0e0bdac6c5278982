"""How often the screen is drawn: at once when something happens, never faster than a terminal can follow."""

from __future__ import annotations

BURST_PER_S = 30.0
SUSTAINED_PER_S = 15.0
BURST_FRAMES = 6.0
"""Frames that may come at the faster rate before the sustained one holds."""


class Pace:
    """A bucket of frames: says how long the next one has to wait. Knows no clock; times are seconds."""

    def __init__(self) -> None:
        """Start with a full bucket."""
        self._frames = BURST_FRAMES
        self._last = self._filled = float("-inf")

    def wait(self, now: float) -> float:
        """Return how many seconds after ``now`` the next frame may be drawn."""
        self._fill(now)
        needed = (1.0 - self._frames) / SUSTAINED_PER_S if self._frames < 1.0 else 0.0
        return max(needed, self._last + 1.0 / BURST_PER_S - now, 0.0)

    def drawn(self, now: float) -> None:
        """Note that a frame was drawn."""
        self._fill(now)
        self._frames -= 1.0
        self._last = now

    def _fill(self, now: float) -> None:
        if self._filled != float("-inf"):
            self._frames = min(BURST_FRAMES, self._frames + max(0.0, now - self._filled) * SUSTAINED_PER_S)
        self._filled = now
