"""The time of day in the header, in cells of its own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo

from ..core.texts import clock_time
from .line_view import LineView
from .safe_text import Ground, Line, Span, Tone

CLOCK_CELLS = len("00:00:00")


class ClockSpot(LineView):
    """The clock alone. Textual writes a changed line from its widget's first cell on: as a part of the header each
    second would send the whole header again, and on a screen at rest nothing else is sent at all."""

    def __init__(self, clock: Callable[[], datetime], zone: tzinfo | None) -> None:
        """Tell the time of ``clock`` in ``zone``."""
        super().__init__(id="clock")
        self._clock = clock
        self._zone = zone
        self._after: int | None = None
        self.styles.width = CLOCK_CELLS

    def place(self, after: int) -> None:
        """Stand so many cells from the right end of the header."""
        if after != self._after:
            self._after = after
            self.styles.margin = (0, after, 0, 0)

    def lines(self, width: int, height: int) -> list[Line]:
        """Return the one line."""
        return [(Span(clock_time(self._clock(), self._zone), Tone.PLAIN, Ground.BAR),)]
