"""Help and inspector: a text over the main screen, closed with escape."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message

from ..core.texts import Texts
from .bars import FooterBar
from .blocks import Entry
from .keys import IN_OVERLAYS, Action, Place, app_bindings, footer_for
from .overlay_screen import OverlayScreen
from .raw_log import RawOf
from .reading_view import ReadingView
from .safe_text import Line


class ReadingScreen(OverlayScreen[None]):
    """One text; it follows the language and what happens to its subject."""

    CSS_PATH = "reading_screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = app_bindings()

    @dataclass
    class RawWanted(Message):
        """Event lines are to be read as they came."""

        raw: RawOf

    def __init__(
        self,
        texts: Callable[[], Texts],
        title: Callable[[Texts], str],
        make: Callable[[Texts, int], Sequence[Line]],
        changed: Callable[[], Hashable] = lambda: None,
        entry: Entry | RawOf | None = None,
        raw: RawOf | None = None,
    ) -> None:
        """Show what ``make`` returns; it is asked again when ``changed`` gives another value.

        Args:
            entry: what the text is about, where it can be copied and saved.
            raw: where its event lines can be had as they came, to be read by themselves.
        """
        super().__init__()
        self.entry = entry
        self._raw = raw
        self._view = ReadingView(
            lambda: title(texts()),
            lambda width: make(texts(), width),
            lambda: (texts(), changed()),
        )
        self._footer = FooterBar(self._hints, texts)

    def compose(self) -> ComposeResult:
        """Yield the text and the keys that close it."""
        yield self._view
        yield self._footer

    def _hints(self) -> list[Action]:
        offered = footer_for(Place.READING, Place.APP)
        kept = IN_OVERLAYS if self.entry is not None else IN_OVERLAYS - {"copy", "save"}
        own = [action for action in offered if action.name != "raw" or self._raw is not None]
        return [action for action in own if action.place is Place.READING or action.name in kept]

    @on(ReadingView.RawWanted)
    def show_raw(self) -> None:
        """Show the event lines alone, where copying and saving take exactly them."""
        if self._raw is not None:
            self.post_message(self.RawWanted(self._raw))

    def repaint(self) -> None:
        """Draw what has changed."""
        self._view.repaint()
        self._footer.repaint()

    @on(ReadingView.Closed)
    def close(self) -> None:
        """Go back to where the reader came from."""
        self.dismiss()
