"""A widget that draws itself line by line and repaints only the lines that changed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from .safe_text import Ground, Line, Span, Tone, line_cells
from .tone_styles import tone_style


class LineView(Widget):
    """Base of everything on screen. A subclass says in ``lines`` what stands there; it calls ``repaint`` for news."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        """Draw nothing until the first size is known."""
        super().__init__(id=id, classes=classes)
        self._drawn: list[Line] = []
        self._styles_of: dict[tuple[Tone, Ground], Style] = {}

    def lines(self, width: int, height: int) -> Sequence[Line]:
        """Return what stands in a window of that size, top line first."""
        raise NotImplementedError

    def repaint(self) -> None:
        """Draw again what has changed since the last time."""
        width, height = self.size
        if not self.is_mounted or width <= 0 or height <= 0:
            return
        before, self._drawn = self._drawn, list(self.lines(width, height))[:height]
        if len(before) != len(self._drawn):
            self.refresh()
            return
        for y, (old, new) in enumerate(zip(before, self._drawn, strict=True)):
            if old != new:
                self.refresh(_changed(old, new, y, width))

    def on_resize(self, event: events.Resize) -> None:
        """Draw everything for the new size."""
        self._drawn = []
        self.repaint()

    def notify_style_update(self) -> None:
        """Forget colours of another theme."""
        super().notify_style_update()
        self._styles_of.clear()

    def render_line(self, y: int) -> Strip:
        """Return one drawn line; blank where nothing stands."""
        width = self.size.width
        if not self._drawn:
            self._drawn = list(self.lines(width, self.size.height))[: self.size.height]
        if y >= len(self._drawn):
            return Strip.blank(width, self._style(Tone.PLAIN, Ground.NONE))
        segments = [Segment(span.text, self._style(span.tone, span.ground)) for span in self._drawn[y]]
        return Strip(segments).adjust_cell_length(width, self._style(Tone.PLAIN, Ground.NONE))

    def _style(self, tone: Tone, ground: Ground) -> Style:
        found = self._styles_of.get((tone, ground))
        if found is None:
            found = self._styles_of[tone, ground] = tone_style(self, tone, ground)
        return found


def _changed(old: Line, new: Line, y: int, width: int) -> Region:
    """Return the cells of a line between its first and its last changed piece."""
    first = _alike(old, new)
    last = _alike(old[first:][::-1], new[first:][::-1]) if line_cells(old) == line_cells(new) else 0
    start = line_cells(new[:first])
    end = max(line_cells(line[: len(line) - last]) for line in (old, new))
    return Region(start, y, max(1, end - start), 1)


def _alike(old: Line, new: Line) -> int:
    """Return with how many equal pieces two lines begin."""
    return next(
        (n for n, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )


def text_line(text: str, tone: Tone = Tone.PLAIN) -> Line:
    """Return a line of one piece."""
    return (Span(text, tone),)
