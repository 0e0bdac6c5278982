"""A text that is read: lines made for a width, scrolled by keys and wheel."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message

from .frame import SIDES, Scrolled, framed
from .keys import Place, bindings_for
from .safe_text import BLANK, Line, Span, Tone
from .scroll_bar_view import ScrollBarView

WHEEL_ROWS = 3


class ReadingView(ScrollBarView, can_focus=True):
    """Lines in a frame. ``make`` is asked again when ``key`` gives something else than before."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.READING)

    class Closed(Message):
        """The reader is done."""

    class RawWanted(Message):
        """The reader wants the same as it came."""

    def __init__(
        self,
        title: Callable[[], str],
        make: Callable[[int], Sequence[Line]],
        key: Callable[[], Hashable],
    ) -> None:
        """Show what ``make`` returns for a width in cells."""
        super().__init__()
        self._title = title
        self._make = make
        self._key = key
        self._top = 0
        self._made: tuple[Hashable, list[Line]] | None = None

    @property
    def page(self) -> int:
        """Lines that the window holds."""
        return max(1, self.size.height - SIDES)

    def _text(self) -> list[Line]:
        width = max(1, self.size.width - SIDES - 2)
        key = (width, self._key())
        if self._made is None or self._made[0] != key:
            self._made = key, list(self._make(width))
        return self._made[1]

    def lines(self, width: int, height: int) -> list[Line]:
        """Return the window on the text."""
        text = self._text()
        self._top = max(0, min(self._top, len(text) - self.page))
        shown = [(Span(" "), *line) for line in text[self._top : self._top + self.page]]
        return framed(
            shown or [BLANK],
            width,
            height,
            title=(Span(self._title(), Tone.STRONG),),
            tone=Tone.FRAME_FOCUS,
            scrolled=self.scrolled(),
        )

    def scrolled(self) -> Scrolled:
        """Return which part of the text the window shows."""
        return Scrolled(self._top, len(self._text()))

    def scroll_to_top(self, top: int) -> None:
        """Let a line stand on top."""
        self._top = top
        self.repaint()

    def action_scroll_lines(self, lines: int) -> None:
        """Scroll by lines."""
        self._top += lines
        self.repaint()

    def action_scroll_page(self, pages: int) -> None:
        """Scroll by windows."""
        self.action_scroll_lines(pages * max(1, self.page - 1))

    def action_scroll_to_end(self, end: str) -> None:
        """Go to the top ("first") or to the end ("last")."""
        self._top = 0 if end == "first" else len(self._text())
        self.repaint()

    def action_raw(self) -> None:
        """Ask for what it is made of, as it came."""
        self.post_message(self.RawWanted())

    def action_close(self) -> None:
        """Say that the reader is done."""
        self.post_message(self.Closed())

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down."""
        event.stop()
        self.action_scroll_lines(WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up."""
        event.stop()
        self.action_scroll_lines(-WHEEL_ROWS)
