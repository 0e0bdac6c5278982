"""The selected round on screen: scrolls through its timeline, stays at the end while nobody scrolls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message

from ..core.rounds import STALL_AFTER_S, Round, RoundSummary
from ..core.rounds.outcome import stalled_ms
from ..core.texts import Texts, mark
from .blocks import BlockText, Entry
from .correction import Correction
from .frame import SIDES, Scrolled, framed
from .guide import Guide
from .history_needs import HistoryState
from .keys import Place, action_of, bindings_for, key_label, keymap_of
from .reading_place import ReadingPlace
from .safe_text import BLANK, Ground, Line, Span, Tone, cut_line, joined, padded
from .scroll_bar_view import ScrollBarView
from .summary_text import SummaryText
from .timeline import SHOWN_AT_FIRST, BlockCache, Layout, Timeline
from .tones import outcome_tone
from .watched import Watched
from .watched_hub import WatchedHub

FRAMED_FROM_WIDTH = 50
WHEEL_ROWS = 3


class TimelineView(ScrollBarView, can_focus=True):
    """One round in full. What is read stays where it is, whatever is added below or above."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.TIMELINE)

    @dataclass
    class Inspected(Message):
        """An entry is to be read in full."""

        round: Round
        entry: Entry

    class SearchWanted(Message):
        """The operator wants to search in the round."""

    class Left(Message):
        """The operator goes back to the list."""

    class Touched(Message):
        """The operator reads: the round on screen must not be exchanged for a newer one."""

    def __init__(
        self,
        watched: Watched,
        texts: Callable[[], Texts],
        now: Callable[[], datetime],
        zone: tzinfo | None,
        guide: Guide,
        *,
        id: str | None = None,
    ) -> None:
        """Show the round that is selected in ``watched``; while there is none, ``guide``."""
        super().__init__(id=id)
        self._guide = guide
        self._watched = watched
        self._texts = texts
        self._now = now
        self._zone = zone
        self._place = ReadingPlace()
        self._shown_entries = SHOWN_AT_FIRST
        self._laid_out: tuple[tuple[object, ...], BlockText] | None = None
        self._was_focused = False
        """A click has found the cursor on screen: the next one on the same entry opens it."""
        self.is_searched = False
        """The cursor is shown although the keys go to the field of words."""
        self._blocks = BlockCache()
        self._blocks_of: tuple[Round, Layout] | None = None

    @property
    def _is_framed(self) -> bool:
        return self.size.width >= FRAMED_FROM_WIDTH and self.size.height > SIDES

    @property
    def page(self) -> int:
        """Lines that the window holds."""
        return max(1, self.size.height - (SIDES if self._is_framed else 1))

    def laid_out(self) -> BlockText | None:
        """Return the selected round laid out; the same object while nothing has changed."""
        round_ = self._watched.selected
        if round_ is None:
            return None
        width = max(1, self.size.width - (SIDES if self._is_framed else 0) - 2)
        older = key_label(action_of("main.older"), self._texts(), keymap_of(self))
        layout = Layout(width, self._texts(), self._zone, self._shown_entries, older)
        key = (self._watched.position.selected, layout, self._changes_of(round_))
        if self._laid_out is None or self._laid_out[0] != key:
            if self._laid_out is not None and self._laid_out[0][0] != key[0]:
                self._place.start()
                self._shown_entries = SHOWN_AT_FIRST
            self._laid_out = key, self._made(round_, layout)
        return self._laid_out[1]

    def _changes_of(self, round_: Round | RoundSummary) -> tuple[object, ...]:
        """Return what changes whenever the round has to be laid out anew."""
        if isinstance(round_, RoundSummary):
            return self._history_of(round_)
        silent = stalled_ms(round_, self._now(), STALL_AFTER_S)
        silent_s = int(silent / 1000) if silent is not None else None
        hub, key = self._place_of(round_)
        correction = self._watched.corrections.get(key)
        return id(round_), round_.revision, len(hub.gaps.get(round_.id, ())), silent_s, correction

    def _place_of(self, round_: Round | RoundSummary) -> tuple[WatchedHub, str]:
        """Return the hub of the selected round, and the round's key."""
        key = self._watched.position.selected or ""
        return self._watched.place(key)[0], key

    def _history_of(self, summary: RoundSummary) -> tuple[int, HistoryState | None, Correction | None]:
        """Return how many late events the verdict does not know, what becomes of the details, and a late change."""
        hub, key = self._place_of(summary)
        return hub.late_events[summary.id], hub.needs.states.get(summary.id), self._watched.corrections.get(key)

    def _made(self, round_: Round | RoundSummary, layout: Layout) -> BlockText:
        if isinstance(round_, RoundSummary):
            return SummaryText(round_, *self._history_of(round_), layout)
        if self._blocks_of is None or self._blocks_of[0] is not round_ or self._blocks_of[1] != layout:
            self._blocks_of, self._blocks = (round_, layout), BlockCache()
        hub, key = self._place_of(round_)
        gaps, correction = hub.gaps.get(round_.id, ()), self._watched.corrections.get(key)
        tokens = self._watched.tokens(round_)
        return Timeline(round_, gaps, layout, self._now(), tokens, self._blocks, correction, self._watched.spent(key))

    def lines(self, width: int, height: int) -> list[Line]:
        """Return the window on the round, in a frame where there is room for one."""
        timeline = self.laid_out()
        if timeline is None:
            empty = [BLANK, *((Span("  "), *line) for line in self._nothing(width - 6))]
            return framed(empty, width, height) if self._is_framed else empty
        top = self._place.top(timeline, self.page)
        cursor = self._place.cursor(timeline) if self.has_focus or self.is_searched else None
        inner = width - (SIDES if self._is_framed else 0)
        content = [
            self._marked(line, inner, is_cursor=number == cursor)
            for line, number in timeline.window(top, self.page, self._now())
        ]
        return self._boxed(content, timeline, Scrolled(top, timeline.height))

    def _nothing(self, width: int) -> list[Line]:
        """Return what to say while there is no round to show."""
        if len(self._watched.tree):
            return [(Span(self._texts()("ui.no_selection"), Tone.DIM),)]
        return self._guide.lines(width)

    def _marked(self, line: Line, width: int, *, is_cursor: bool) -> Line:
        if not is_cursor:
            return (Span(" "), *line)
        row = padded((Span("▌", Tone.KEY), *line), width)
        return tuple(replace(span, ground=Ground.CURSOR) for span in row)

    def _title(self, timeline: BlockText) -> Line:
        id_, *others = timeline.title
        return joined(((Span(id_, Tone.DIM),), *((Span(part, Tone.STRONG),) for part in others)), "  ")

    def _names(self, timeline: BlockText) -> list[Line]:
        """Return what the list calls the round: its agent, its title or thread; its id where it has no other name."""
        round_ = self._watched.selected
        if round_ is None:
            return []
        known = [round_.agent, round_.title or round_.thread]
        return [(Span(part, Tone.STRONG),) for part in known if part] or [(Span(timeline.title[0], Tone.DIM),)]

    def _state(self, timeline: BlockText) -> Line:
        shown = mark(timeline.outcome)
        return (Span(f"{shown.sign()} {shown.word(self._texts())}", outcome_tone(timeline.outcome)),)

    def _boxed(self, content: list[Line], timeline: BlockText, scrolled: Scrolled) -> list[Line]:
        title, state = self._title(timeline), self._state(timeline)
        width, height = self.size
        if not self._is_framed:
            return [cut_line((Span(" "), *joined((state, *self._names(timeline)), "  ")), width), *content]
        return framed(
            content,
            width,
            height,
            title=title,
            state=state,
            foot=self._foot(scrolled),
            tone=Tone.FRAME_FOCUS if self.has_focus else Tone.FRAME,
            scrolled=scrolled,
        )

    def _foot(self, scrolled: Scrolled) -> Line:
        below = scrolled.total - scrolled.top - self.page
        return (Span(self._texts()("tui.round.below", n=below), Tone.DIM),) if below > 0 else BLANK

    def verdict_line(self) -> Line:
        """Return the selected round's state in one line, for a terminal too small for more."""
        timeline = self.laid_out()
        if timeline is None:
            return (Span(self._guide.headline(), Tone.DIM),)
        return joined((self._state(timeline), *((Span(part),) for part in timeline.title[1:])), "  ")

    def action_step(self, steps: int) -> None:
        """Go to the next entry, or scroll where there is none."""
        self._touch(lambda timeline: self._place.step(timeline, self.page, steps))

    def action_scroll_page(self, pages: int) -> None:
        """Scroll by windows."""
        self._touch(lambda timeline: self._place.scroll(timeline, self.page, pages * max(1, self.page - 1)))

    def action_scroll_to_end(self, end: str) -> None:
        """Go to the top ("first") or to the end ("last"), and stay at the end."""
        self._touch(lambda timeline: self._place.go(timeline, self.page, end))

    def entry_under_cursor(self) -> Entry | None:
        """Return the entry that the cursor is on; None when there is none."""
        timeline = self.laid_out()
        number = self._place.cursor(timeline) if timeline is not None else None
        return timeline.blocks[number].subject if timeline is not None and number is not None else None

    def action_inspect(self) -> None:
        """Read the entry under the cursor in full; one that is out of sight is shown first."""
        timeline = self.laid_out()
        if timeline is not None and not self._place.sees_cursor(timeline, self.page):
            self._touch(lambda timeline: self._place.reveal(timeline, self.page))
            return
        round_, entry = self._watched.selected, self.entry_under_cursor()
        if entry is not None and isinstance(round_, Round):
            self.post_message(self.Inspected(round_, entry))

    def action_leave(self) -> None:
        """Go back to the list."""
        self.post_message(self.Left())

    def show_older(self) -> None:
        """Lay out as many older entries again as are shown now."""
        self._shown_entries *= 2
        self.repaint()

    def show_entry(self, number: int) -> None:
        """Put the cursor on an entry of the round, counted from 0; older ones are laid out for it."""
        round_ = self._watched.selected
        if isinstance(round_, Round):
            while len(round_.entries) - number > self._shown_entries:
                self._shown_entries *= 2
            self._touch(lambda timeline: self._place.show_entry(timeline, self.page, number))

    @property
    def cursor_entry(self) -> int:
        """Which entry of the round the cursor is on, counted from 0; -1 when there is none."""
        timeline = self.laid_out()
        block = self._place.cursor(timeline) if timeline is not None else None
        return block - 1 + timeline.hidden if timeline is not None and block is not None else -1

    def action_search(self) -> None:
        """Ask for words to search for."""
        self.post_message(self.SearchWanted())

    def _touch(self, move: Callable[[BlockText], None]) -> None:
        timeline = self.laid_out()
        if timeline is not None:
            move(timeline)
            self.post_message(self.Touched())
            self.repaint()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down."""
        event.stop()
        self._touch(lambda timeline: self._place.scroll(timeline, self.page, WHEEL_ROWS))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up."""
        event.stop()
        self._touch(lambda timeline: self._place.scroll(timeline, self.page, -WHEEL_ROWS))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the entry under the pointer; read it in full when the cursor was there already."""
        if self.is_on_bar(event):
            return
        line = event.y - 1
        timeline = self.laid_out()
        if timeline is None:
            return
        pointed = timeline.block_at(self._place.top(timeline, self.page) + line) if 0 <= line < self.page else None
        was_there = self._was_focused and pointed == self._place.cursor(timeline)
        self._was_focused = True
        if was_there and pointed is not None and timeline.blocks[pointed].subject is not None:
            self.action_inspect()
            return
        self._touch(lambda timeline: self._place.point(timeline, self.page, line))

    def scrolled(self) -> Scrolled | None:
        """Return which part of the round the window shows; None without a frame."""
        timeline = self.laid_out() if self._is_framed else None
        return Scrolled(self._place.top(timeline, self.page), timeline.height) if timeline is not None else None

    def scroll_to_top(self, top: int) -> None:
        """Let a line stand on top."""
        self._touch(
            lambda timeline: self._place.scroll(timeline, self.page, top - self._place.top(timeline, self.page))
        )

    def on_focus(self) -> None:
        """Show the cursor, and what it is on unless the banner would give way; a round that is read stays."""
        if self._is_framed:
            self._touch(lambda timeline: self._place.reveal(timeline, self.page))
        self.post_message(self.Touched())
        self.repaint()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self._was_focused = False
        self.repaint()
