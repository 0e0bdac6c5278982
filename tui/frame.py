"""The box around a pane; its right side doubles as the scroll bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .safe_text import BLANK, Line, Span, Tone, cut_line, line_cells, padded

SIDES = 2
"""Columns, and lines, that a frame takes."""


@dataclass(frozen=True, slots=True)
class Scrolled:
    """Which part of a longer text the window shows."""

    top: int
    total: int

    def thumb(self, height: int) -> range:
        """Return the lines of a scroll bar's handle; empty when everything is in the window."""
        if height <= 0 or self.total <= height:
            return range(0)
        length = max(1, height * height // self.total)
        start = round((height - length) * self.top / (self.total - height))
        return range(start, start + length)

    @staticmethod
    def track(height: int) -> int:
        """Return the lines of a scroll bar in a framed view of that height."""
        return max(0, height - SIDES)

    def top_at(self, line: int, height: int) -> int:
        """Return what has to be on top for the middle of the handle to stand in ``line`` of a bar that high."""
        length = len(self.thumb(height))
        if not length:
            return self.top
        room = max(1, height - length)
        start = max(0, min(line - length // 2, room))
        return round(start * (self.total - height) / room)


def framed(
    content: Sequence[Line],
    width: int,
    height: int,
    *,
    title: Line = BLANK,
    state: Line = BLANK,
    foot: Line = BLANK,
    tone: Tone = Tone.FRAME,
    scrolled: Scrolled | None = None,
) -> list[Line]:
    """Return ``content`` in a box of exactly ``width`` by ``height``, title and state in its top side, foot below."""
    if width < SIDES + 1 or height < SIDES + 1:
        return [padded(line, width) for line in content[:height]]
    inner = height - SIDES
    thumb = scrolled.thumb(inner) if scrolled is not None else range(0)
    rows = [*content[:inner], *[BLANK] * (inner - len(content))]
    return [
        _side("╭", "╮", title, state, width, tone),
        *(
            (Span("│", tone), *padded(row, width - SIDES), Span("┃" if y in thumb else "│", tone))
            for y, row in enumerate(rows)
        ),
        _side("╰", "╯", BLANK, foot, width, tone),
    ]


def _side(left: str, right: str, first: Line, last: Line, width: int, tone: Tone) -> Line:
    """Return a horizontal side with ``first`` at its left end and ``last`` at its right end."""
    room = width - SIDES - 4
    last = cut_line(last, max(0, room))
    first = cut_line(first, max(0, room - line_cells(last)))
    opening = (Span(" "), *first, Span(" ")) if line_cells(first) else BLANK
    closing = (Span(" "), *last, Span(" ")) if line_cells(last) else BLANK
    fill = width - SIDES - line_cells(opening) - line_cells(closing)
    return (Span(left, tone), *opening, Span("─" * max(0, fill), tone), *closing, Span(right, tone))
