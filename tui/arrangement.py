"""How the panes stand in a terminal of some size."""

from __future__ import annotations

from enum import StrEnum

from textual.geometry import Size

BARS = 2
"""Lines of header and footer."""


class Arrangement(StrEnum):
    """How the panes stand."""

    BESIDE = "-beside"
    STACKED = "-stacked"
    SINGLE = "-single"
    LINE = "-line"


def arrangement(size: Size) -> Arrangement:
    """Return how the panes stand in a terminal of that size."""
    width, height = size
    if width < 40 or height < 8:
        return Arrangement.LINE
    if width >= 100:
        return Arrangement.BESIDE
    return Arrangement.STACKED if width >= 60 and height >= 18 else Arrangement.SINGLE
