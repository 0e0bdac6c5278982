"""Bars and sparklines out of block characters; in ASCII where a terminal has no others."""

from __future__ import annotations

from collections.abc import Sequence

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LEVELS = " ▁▂▃▄▅▆▇█"


def bar(value: float, most: float, cells: int) -> str:
    """Return a bar for ``value`` where ``most`` fills all cells; something above zero is always visible."""
    if value <= 0 or most <= 0 or cells <= 0:
        return ""
    eighths = max(1, round(min(value / most, 1.0) * cells * 8))
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def sparkline(counts: Sequence[int]) -> str:
    """Return one character a count, as high as its share of the largest; something above zero is always visible."""
    most = max(counts, default=0)
    return "".join(" " if count <= 0 else _LEVELS[max(1, round(count / most * 8))] for count in counts)
