"""Help and inspector: a text over the main screen, closed with escape."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from ..core.texts import Texts
from .bars import FooterBar
from .blocks import Entry
from .keys import IN_OVERLAYS, Action, Place, app_bindings, footer_for
from .overlay_screen import OverlayScreen
from .reading_view import ReadingView
from .safe_text import Line


class ReadingScreen(OverlayScreen[None]):
    """One text; it follows the language and what happens to its subject."""

    CSS_PATH = "reading_screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = app_bindings()

    def __init__(
        self,
        texts: Callable[[], Texts],
        title: Callable[[Texts], str],
        make: Callable[[Texts, int], Sequence[Line]],
        changed: Callable[[], Hashable] = lambda: None,
        entry: Entry | None = None,
    ) -> None:
        """Show what ``make`` returns; it is asked again when ``changed`` gives another value.

        Args:
            entry: what the text is about, where it can be copied and saved.
        """
        super().__init__()
        self.entry = entry
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
        return [action for action in offered if action.place is Place.READING or action.name in kept]

    def repaint(self) -> None:
        """Draw what has changed."""
        self._view.repaint()
        self._footer.repaint()

    @on(ReadingView.Closed)
    def close(self) -> None:
        """Go back to where the reader came from."""
        self.dismiss()
