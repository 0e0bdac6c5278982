"""Lines that were made once and stay as they are until what they were made of changes."""

from __future__ import annotations

from collections.abc import Callable

from .safe_text import Line

MOST_ROWS = 512
"""More than any screen shows."""


class KeptRows:
    """Rows by the round they show."""

    def __init__(self) -> None:
        """Start empty."""
        self._rows: dict[str, tuple[object, Line]] = {}

    def row(self, id_: str, made_of: object, make: Callable[[], Line]) -> Line:
        """Return a round's row; ``make`` is called where nothing made of the same is kept.

        Args:
            made_of: compares equal as long as the row is the same; cheap to compare.
        """
        kept = self._rows.get(id_)
        if kept is not None and kept[0] == made_of:
            return kept[1]
        if len(self._rows) >= MOST_ROWS:
            self._rows.clear()
        line = make()
        self._rows[id_] = made_of, line
        return line
