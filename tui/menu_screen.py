"""A short list of choices over the main screen: what to export, and the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message

from ..core.texts import Texts, wrap
from .bars import FooterBar
from .frame import SIDES, framed
from .keys import Place, app_bindings, bindings_for, footer_for
from .line_view import LineView
from .overlay_screen import OverlayScreen
from .safe_text import BLANK, Ground, Line, Span, Tone, cut_line, fitted, line_cells, on_ground

VALUE_CELLS = 26
ABOUT_LINES = 3


@dataclass(frozen=True, slots=True)
class MenuRow:
    """One choice."""

    name: str
    label: str
    """In the viewer's language."""
    value: str | None = None
    """What it is set to; None for something that is done, not set."""
    about: str = ""


class MenuView(LineView, can_focus=True):
    """The rows in a frame, one of them marked."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.MENU)

    @dataclass
    class Chosen(Message):
        """A row is chosen; ``steps`` says in which direction its value goes."""

        name: str
        steps: int

    class Closed(Message):
        """Nothing more is wanted."""

    def __init__(self, title: Callable[[], str], rows: Callable[[], Sequence[MenuRow]]) -> None:
        """Show what ``rows`` returns at the moment."""
        super().__init__()
        self._title = title
        self._rows = rows
        self._place = 0
        self._top = 0

    def on_mount(self) -> None:
        """Be as high as the rows and what they are about."""
        self.styles.height = len(self._rows()) + SIDES + ABOUT_LINES

    def lines(self, width: int, height: int) -> list[Line]:
        """Return the rows that fit around the marked one, and what the marked one is about."""
        rows, inner = self._rows(), width - SIDES
        self._place = max(0, min(self._place, len(rows) - 1))
        about = wrap(rows[self._place].about, max(8, inner - 2)) if rows and rows[self._place].about else []
        room = max(1, height - SIDES - (len(about) + 1 if about else 0))
        self._top = max(0, min(max(self._top, self._place - room + 1), self._place))
        shown = [self._row(row, number, inner) for number, row in enumerate(rows)][self._top : self._top + room]
        told = [BLANK, *[(Span(f" {line}", Tone.DIM),) for line in about]] if about else []
        blank = [BLANK] * max(0, height - SIDES - len(shown) - len(told))
        return framed(
            [*shown, *blank, *told], width, height, title=(Span(self._title(), Tone.STRONG),), tone=Tone.FRAME_FOCUS
        )

    def _row(self, row: MenuRow, number: int, width: int) -> Line:
        value = min(VALUE_CELLS, width // 2) if row.value is not None else 0
        label = Span(fitted(f" {row.label}", width - value - 1))
        line: Line = (label, Span(fitted(row.value or "", value), Tone.KEY)) if value else (label,)
        line = cut_line(line, width - 1)
        line = (*line, Span(" " * (width - 1 - line_cells(line))))
        return on_ground((Span("▌", Tone.KEY), *line), Ground.CURSOR) if number == self._place else (Span(" "), *line)

    def action_move(self, steps: int) -> None:
        """Mark another row."""
        self._place += steps
        self.repaint()

    def action_choose(self, steps: int) -> None:
        """Choose the marked row."""
        rows = self._rows()
        if rows:
            self.post_message(self.Chosen(rows[min(self._place, len(rows) - 1)].name, steps))

    def action_close(self) -> None:
        """Say that nothing more is wanted."""
        self.post_message(self.Closed())

    def on_click(self, event: events.Click) -> None:
        """Choose the row under the pointer."""
        row = event.y - 1 + self._top
        if 0 <= row < len(self._rows()):
            self._place = row
            self.action_choose(1)


class MenuScreen(OverlayScreen[str | None]):
    """Answers with the chosen row's name, or stays and tells ``change`` of each choice."""

    CSS_PATH = "menu_screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = app_bindings()

    def __init__(
        self,
        texts: Callable[[], Texts],
        title: str,
        rows: Callable[[Texts], Sequence[MenuRow]],
        change: Callable[[str, int], None] | None = None,
    ) -> None:
        """Offer ``rows``.

        Args:
            title: key of the heading.
            change: called with a row's name and a direction; None = the first choice closes the menu.
        """
        super().__init__()
        self._texts = texts
        self._change = change
        self._view = MenuView(lambda: texts()(title), lambda: rows(texts()))

    def compose(self) -> ComposeResult:
        """Yield the rows and the keys."""
        yield self._view
        yield FooterBar(lambda: footer_for(Place.MENU), self._texts)

    def repaint(self) -> None:
        """Draw what has changed."""
        self._view.repaint()
        self.query_one(FooterBar).repaint()

    @on(MenuView.Chosen)
    def choose(self, event: MenuView.Chosen) -> None:
        """Answer, or change a value and stay."""
        if self._change is None:
            self.dismiss(event.name)
        else:
            self._change(event.name, event.steps)
            self.repaint()

    @on(MenuView.Closed)
    def close(self) -> None:
        """Answer with nothing."""
        self.dismiss(None)
