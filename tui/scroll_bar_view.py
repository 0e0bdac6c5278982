"""A view whose right side is a scroll bar that the mouse can drag."""

from __future__ import annotations

from textual import events

from .frame import Scrolled
from .line_view import LineView


class ScrollBarView(LineView):
    """A subclass says which part of what it shows, and moves there when the bar's handle is dragged."""

    _dragged: Scrolled | None = None
    """What the bar was of when the mouse went down on it."""

    def scrolled(self) -> Scrolled | None:
        """Return which part the window shows; None where no bar is drawn."""
        raise NotImplementedError

    def scroll_to_top(self, top: int) -> None:
        """Let the line ``top`` stand on top of the window."""
        raise NotImplementedError

    def is_on_bar(self, event: events.MouseEvent) -> bool:
        """Say whether the pointer is on the bar: a click there means nothing else."""
        scrolled = self.scrolled()
        return (
            scrolled is not None
            and event.x == self.size.width - 1
            and len(scrolled.thumb(scrolled.track(self.size.height))) > 0
        )

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the bar."""
        if event.button == 1 and self.is_on_bar(event):
            event.stop()
            self._dragged = self.scrolled()
            self.capture_mouse()
            self._drag_to(event.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the pointer."""
        if self._dragged is not None:
            event.stop()
            self._drag_to(event.y)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go."""
        if self._dragged is not None:
            event.stop()
            self._dragged = None
            self.release_mouse()

    def _drag_to(self, y: int) -> None:
        if self._dragged is not None:
            self.scroll_to_top(self._dragged.top_at(y - 1, self._dragged.track(self.size.height)))
