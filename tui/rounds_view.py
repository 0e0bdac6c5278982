"""The rounds list on screen: draws the window that the position names, turns keys into moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message

from ..core.texts import Texts
from .frame import SIDES, Scrolled, framed
from .guide import Guide
from .kept_rows import KeptRows
from .keys import Place, bindings_for
from .list_position import ListPosition
from .round_columns import Column, column_at, columns_for, fold_cells, heading_line, row_line
from .round_rows import PlacedRow
from .safe_text import BLANK, Ground, Line, Span, Tone, joined, padded
from .scroll_bar_view import ScrollBarView
from .sort_order import SortOrder
from .watched import Watched

HEADING = 1
WHEEL_ROWS = 3
PINNED, PINNED_FROM_HEIGHT = 2, 8
"""Lines of the pinned round with the line below it, and the height from which there is room for them."""
MARKED = "A"
"""Stands before the round that others are compared with, and names it there."""
SORTED_BY = {
    "state": SortOrder.PROBLEMS,
    "agent": SortOrder.AGENT,
    "calls": SortOrder.CALLS,
    "total": SortOrder.LONGEST,
    "input": SortOrder.TOKENS,
    "output": SortOrder.TOKENS,
}
"""What a click on a heading sorts by; any other goes back to the newest first."""
FRAMED_FROM_WIDTH = 50
"""Narrower than this a frame takes room that the words need."""


class RoundsView(ScrollBarView, can_focus=True):
    """All rounds, newest first. The state is ``Watched.position``; this widget only shows and moves it."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.ROUNDS)

    @dataclass
    class Chosen(Message):
        """Another round is selected."""

        id: str | None

    class Opened(Message):
        """The selected round is to be read."""

    @dataclass
    class SortWanted(Message):
        """The list is to be sorted by a value."""

        order: SortOrder

    class FilterWanted(Message):
        """The operator wants to type a filter."""

    class Unfiltered(Message):
        """Every round is to be listed again."""

    def __init__(
        self,
        watched: Watched,
        texts: Callable[[], Texts],
        now: Callable[[], datetime],
        zone: tzinfo | None,
        guide: Guide,
        is_alone: Callable[[], bool],
        *,
        id: str | None = None,
    ) -> None:
        """Show the rounds of ``watched`` in the language that ``texts`` gives at the moment.

        Args:
            guide: what to say while there is no round.
            is_alone: True while no other pane says it.
        """
        super().__init__(id=id)
        self._was_clicked: str | None = None
        """The round of the last click: another click on it opens it."""
        self._guide = guide
        self._is_alone = is_alone
        self._watched = watched
        self._texts = texts
        self._now = now
        self._zone = zone
        self._kept = KeptRows()

    @property
    def position(self) -> ListPosition:
        """Where the operator stands."""
        return self._watched.position

    @property
    def page(self) -> int:
        """Rows that the window holds."""
        return max(1, self.size.height - HEADING - (SIDES if self._is_framed else 0) - self._pinned_lines)

    @property
    def wanted_height(self) -> int:
        """Lines that show every round, frame and headings included."""
        return max(1, len(self._watched.shown.rows)) + HEADING + SIDES + (PINNED if self._watched.pinned else 0)

    @property
    def _pinned_lines(self) -> int:
        """Lines that the pinned round takes above the others."""
        return PINNED if self._watched.pinned is not None and self.size.height >= PINNED_FROM_HEIGHT else 0

    @property
    def _is_framed(self) -> bool:
        return self.size.width >= FRAMED_FROM_WIDTH and self.size.height > SIDES + HEADING

    def lines(self, width: int, height: int) -> list[Line]:
        """Return heading and rows, in a frame where there is room for one."""
        texts, framed_ = self._texts(), self._is_framed
        inner = width - SIDES if framed_ else width
        columns = self._columns(inner)
        _, placed = self.position.window(self.page)
        rows = [self._row(row, inner) for row in placed]
        content = [(Span(" "), *heading_line(columns, texts)), *self._pinned(inner), *rows]
        if not rows:
            content = [
                *([] if self._is_alone() else content),
                *((Span("  "), *line) for line in self._empty(texts, inner - 4)),
            ]
        if not framed_:
            return content
        return framed(
            content,
            width,
            height,
            title=self._title(texts),
            foot=self._foot(texts),
            tone=Tone.FRAME_FOCUS if self.has_focus else Tone.FRAME,
            scrolled=self.scrolled(),
        )

    def scrolled(self) -> Scrolled | None:
        """Return which rows the window shows; None without a frame."""
        if not self._is_framed:
            return None
        # what stands above the rows is no part of the bar's length, so it counts as rows that never scroll
        fixed = HEADING + self._pinned_lines
        return Scrolled(self.position.window(self.page)[0], len(self._watched.shown.rows) + fixed)

    def scroll_to_top(self, top: int) -> None:
        """Let a row stand on top."""
        self.position.scroll(top - self.position.window(self.page)[0], self.page)
        self._moved()

    def _columns(self, width: int) -> tuple[Column, ...]:
        """Return the columns beside the cursor's; where a frame stands at the right, a blank keeps them off it."""
        return columns_for(width - (2 if self._is_framed else 1), self._texts(), with_hub=self._watched.has_several)

    def _row(self, placed: PlacedRow, width: int) -> Line:
        line = self._line(placed, self._columns(width))
        if placed.id != self.position.selected:
            return (Span(MARKED if placed.id == self._watched.marked else " ", Tone.KEY), *line)
        ground = Ground.CURSOR if self.has_focus else Ground.CURSOR_BLURRED
        marked = (Span("▌", Tone.KEY), *line)
        return tuple(Span(span.text, span.tone, ground) for span in padded(marked, width))

    def _line(self, placed: PlacedRow, columns: tuple[Column, ...]) -> Line:
        """Return a row without its mark; that of an ended round is made once, a running one's follows the clock."""
        watched = self._watched
        has_children = bool(watched.tree.children_of(placed.id))
        is_open = watched.shown.is_tree and not placed.hidden and has_children

        def made() -> Line:
            listed = watched.listed(placed.id, placed.depth, self._now())
            return row_line(replace(listed, hidden=placed.hidden, is_open=is_open), columns, self._texts(), self._zone)

        state = watched.settled_state(placed.id)
        if state is None:
            return made()
        return self._kept.row(placed.id, (state, placed, is_open, columns, self._texts()), made)

    def _pinned(self, width: int) -> list[Line]:
        """Return the pinned round's row, and a line below it."""
        id_ = self._watched.pinned
        if id_ is None or not self._pinned_lines:
            return []
        row = row_line(self._watched.listed(id_, 0, self._now()), self._columns(width), self._texts(), self._zone)
        return [(Span("★", Tone.KEY), *row), (Span("╌" * width, Tone.FRAME),)]

    def _title(self, texts: Texts) -> Line:
        """Return what the list is, and what of it is shown."""
        shown, told = self._watched.shown, [(Span(texts("ui.panel_rounds"), Tone.STRONG),)]
        if shown.filter is not None:
            told.append((Span(f"/ {shown.filter.text}", Tone.KEY),))
        if shown.order is not SortOrder.NEWEST:
            told.append((Span(texts(f"tui.sort.{shown.order}"), Tone.INFO),))
        return joined(told, "  ")

    def _empty(self, texts: Texts, width: int) -> list[Line]:
        if self._watched.shown.filter is None:
            return self._guide.lines(width) if self._is_alone() else [(Span(self._guide.headline(), Tone.DIM),)]
        said = texts("ui.no_match" if self._watched.shown.is_settled else "tui.filter.looking")
        return [(Span(said, Tone.DIM),)]

    def _foot(self, texts: Texts) -> Line:
        if not len(self._watched.shown.rows):
            return BLANK
        if self.position.following:
            return (Span(texts("ui.following"), Tone.INFO),)
        row = self.position.row
        return (Span(texts("ui.newer", n=row), Tone.DIM),) if row else BLANK

    def _moved(self) -> None:
        self.repaint()
        self.post_message(self.Chosen(self.position.selected))

    def action_move(self, rows: int) -> None:
        """Select the round that many rows further down."""
        self.position.select(self.position.row + rows, self.page)
        self._moved()

    def action_move_page(self, pages: int) -> None:
        """Select the round that many windows further down."""
        self.action_move(pages * max(1, self.page - 1))

    def action_move_to(self, end: str) -> None:
        """Select the newest ("first") or the oldest ("last") round."""
        self.position.select(0 if end == "first" else len(self._watched.shown.rows) - 1, self.page)
        self._moved()

    def action_open(self) -> None:
        """Read the selected round."""
        self.post_message(self.Opened())

    def action_fold(self) -> None:
        """Hide or show the sub-rounds of the selected round."""
        if (selected := self.position.selected) is not None and self._watched.shown.is_tree:
            self.position.select_round(self._watched.tree.fold(selected), self.page)
            self._moved()

    def action_filter(self) -> None:
        """Ask for a filter."""
        self.post_message(self.FilterWanted())

    def action_clear_filter(self) -> None:
        """List every round again."""
        self.post_message(self.Unfiltered())

    def go_to(self, id_: str) -> None:
        """Select a round wherever it stands."""
        self.position.select_round(id_, self.page)
        self._moved()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move the window down."""
        self._scroll(WHEEL_ROWS, event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move the window up."""
        self._scroll(-WHEEL_ROWS, event)

    def _scroll(self, rows: int, event: events.MouseEvent) -> None:
        event.stop()
        self.position.scroll(rows, self.page)
        self._moved()

    def on_click(self, event: events.Click) -> None:
        """Select the row under the pointer, read one that was selected; sort by a heading, fold by its sign."""
        if self.is_on_bar(event):
            return
        inset = 1 if self._is_framed else 0
        row, x = event.y - HEADING - inset - self._pinned_lines, event.x - inset - 1
        if event.y == inset and len(self._watched.shown.rows):
            self._sort_by(column_at(self._columns(self.size.width - 2 * inset), x))
            return
        pinned = self._watched.pinned
        if row == -self._pinned_lines and pinned is not None and pinned in self._watched.shown.rows:
            self.go_to(pinned)
            return
        top, placed = self.position.window(self.page)
        if 0 <= row < len(placed):
            self._click_row(placed[row], top + row, x)

    def _click_row(self, placed: PlacedRow, row: int, x: int) -> None:
        was_selected = placed.id == self.position.selected and self._was_clicked == placed.id
        self.position.select(row, self.page)
        self._was_clicked = placed.id
        columns = self._columns(self.size.width - (SIDES if self._is_framed else 0))
        if x in fold_cells(placed.depth, columns) and self._watched.tree.children_of(placed.id):
            self.action_fold()
        elif was_selected:
            self.action_open()
        else:
            self._moved()

    def _sort_by(self, column: str | None) -> None:
        order = SORTED_BY.get(column or "", SortOrder.NEWEST)
        if order is self._watched.shown.order:
            order = SortOrder.NEWEST
        if order is not self._watched.shown.order:
            self.post_message(self.SortWanted(order))

    def on_focus(self) -> None:
        """Show the cursor as the one that keys move."""
        self.repaint()

    def on_blur(self) -> None:
        """Show the cursor as left behind."""
        self.repaint()
