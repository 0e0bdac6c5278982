"""The main screen: rounds and the selected one, arranged for the size of the terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen

from ..core.rounds import Round
from ..core.texts import Texts
from .arrangement import BARS, Arrangement, arrangement
from .bars import FooterBar, HeaderBar
from .blocks import Entry
from .entry_bar import Entry as Typed
from .entry_bar import EntryBar
from .goto_entry import GoToEntry
from .guide import Guide
from .keys import Action, Place, bindings_for, footer_for
from .line_view import LineView
from .preferences import PreferencesFile
from .round_search import entries_with
from .rounds_view import RoundsView
from .safe_text import Line
from .search_entry import SearchEntry
from .sort_order import SortOrder
from .timeline_view import TimelineView
from .watched import Watched

ARRANGED = frozenset({*Arrangement, "-list", "-round"})
"""Classes of the screen that say how it is arranged."""


class VerdictLine(LineView):
    """All that a terminal too small for the panes shows: how the selected round stands."""

    def __init__(self, line: Callable[[], Line]) -> None:
        """Show what ``line`` returns."""
        super().__init__()
        self._line = line

    def lines(self, width: int, height: int) -> list[Line]:
        """Return the one line."""
        return [self._line()]


class MainScreen(Screen[None]):
    """Wiring: panes, messages between them, and when they are drawn."""

    CSS_PATH = "main_screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.MAIN)

    @dataclass
    class Told(Message):
        """The operator is to read one of our texts."""

        key: str
        values: dict[str, str]

    class FactsWanted(Message):
        """The selected round's facts are to be read."""

    class Refiltered(Message):
        """The list has another filter or order."""

    def __init__(
        self,
        watched: Watched,
        source_name: str,
        texts: Callable[[], Texts],
        clock: Callable[[], datetime],
        monotonic: Callable[[], float],
        zone: tzinfo | None,
        preferences: PreferencesFile,
    ) -> None:
        """Show ``watched``, read from the source of that name."""
        super().__init__()
        self._watched = watched
        self._texts = texts
        self._preferences = preferences

        def now() -> datetime:
            return watched.now(clock(), monotonic())

        self._header = HeaderBar(watched, source_name, texts, clock, monotonic, zone)
        guide = Guide(watched, source_name, texts)
        self._rounds = RoundsView(watched, texts, now, zone, guide, self._shows_one_pane, id="rounds")
        self._timeline = TimelineView(watched, texts, now, zone, guide, id="timeline")
        self._line = VerdictLine(self._timeline.verdict_line)
        self._entry = EntryBar(texts)
        self._footer = FooterBar(self._hints, texts)
        self._reads = False
        self._list_height: int | None = None
        self._search: SearchEntry | None = None

    def compose(self) -> ComposeResult:
        """Yield the bars and the panes, arranged for the first frame already."""
        self._arrange(self.app.size)  # pyright: ignore[reportUnknownMemberType]
        yield self._header
        with Container(id="panes"):
            yield self._rounds
            yield self._timeline
        yield self._line
        yield self._entry
        yield self._footer

    def on_mount(self) -> None:
        """Begin in the list."""
        self._rounds.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the panes for the new size; what is selected and read stays."""
        self._arrange(event.size)

    def _arrange(self, size: Size) -> None:
        chosen = arrangement(size)
        wanted = {str(chosen), "-round" if self._reads else "-list"}
        if not self.has_class(*wanted):  # all of them at once: each change finds the style of every widget anew
            others: frozenset[str] = self.classes - ARRANGED  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            self.classes = wanted | others
        self._give_list(
            min((size.height - BARS) // 3, self._rounds.wanted_height) if chosen is Arrangement.STACKED else None
        )

    def _give_list(self, height: int | None) -> None:
        """Let the list be that high, and not higher than its rounds; None = as the arrangement says."""
        if height != self._list_height:
            self._list_height = height
            self._rounds.styles.height = height

    def _shows_one_pane(self) -> bool:
        return arrangement(self.size) is Arrangement.SINGLE

    def _hints(self) -> list[Action]:
        if self._entry.is_open:
            return self._entry.actions
        return footer_for(Place.TIMELINE if self._timeline.has_focus else Place.ROUNDS, Place.MAIN, Place.APP)

    def repaint(self) -> None:
        """Draw whatever has changed in any pane."""
        self._arrange(self.size)
        for view in (self._header, self._rounds, self._timeline, self._line, self._entry, self._footer):
            view.repaint()

    def repaint_header(self) -> None:
        """Draw the clock and the link alone: while no round runs and nothing comes, nothing else goes on."""
        self._header.tick()

    def _read(self, reads: bool) -> None:
        """Give the keys to the round, or to the list."""
        self._reads = reads
        self._arrange(self.size)
        (self._timeline if reads else self._rounds).focus()
        self.call_after_refresh(self.repaint)

    @on(RoundsView.Chosen)
    def _chosen(self) -> None:
        self.repaint()

    @on(RoundsView.Opened)
    def _opened(self) -> None:
        self._read(True)

    @on(TimelineView.Left)
    def _left(self) -> None:
        if self._rounds.position.row == 0:
            self._watched.position.follow()
        self._read(False)

    @on(TimelineView.Touched)
    def _touched(self) -> None:
        self._watched.position.hold()
        self._reads = self._timeline.has_focus or self._timeline.is_searched
        self.repaint()

    @on(EntryBar.Closed)
    def _entry_closed(self, event: EntryBar.Closed) -> None:
        self._timeline.is_searched = False
        self._read(self._reads)

    @on(RoundsView.FilterWanted)
    def action_filter(self) -> None:
        """Let the operator type a filter; the list follows."""
        from .filter_entry import FilterEntry  # the whole filter language: the first rows come sooner without it

        self._reads = False
        self._type(FilterEntry(self._watched, self._texts, self._preferences, self.post_changed))

    def action_goto(self) -> None:
        """Let the operator type a round's id."""
        self._type(GoToEntry(self._watched, self._texts, self._go_to))

    def _go_to(self, id_: str) -> None:
        """Select a round, whatever hides it."""
        if self._watched.shown.is_tree:
            self._watched.tree.reveal(id_)
        elif id_ not in self._watched.shown.rows:
            self._watched.show(None, SortOrder.NEWEST)
        self._rounds.go_to(id_)

    @on(TimelineView.SearchWanted)
    def action_search(self) -> None:
        """Let the operator type words to search for in the round."""
        round_ = self._watched.selected
        if isinstance(round_, Round):
            self._reads = self._timeline.is_searched = True
            self._arrange(self.size)
            self._search = SearchEntry(round_, self._texts, self._timeline.show_entry, self._words)
            self._type(self._search)

    @property
    def _words(self) -> str:
        return self._search.words if self._search is not None else ""

    def action_search_on(self) -> None:
        """Go to the next entry that holds the words searched for last."""
        round_ = self._watched.selected
        found = entries_with(round_, self._words) if isinstance(round_, Round) else []
        if found:
            here = self._timeline.cursor_entry
            self._timeline.show_entry(next((number for number in found if number > here), found[0]))

    def _type(self, entry: Typed) -> None:
        self._entry.open(entry)
        self.repaint()

    @property
    def reads(self) -> bool:
        """The keys go to the round, not to the list."""
        return self._timeline.has_focus

    def entry_under_cursor(self) -> Entry | None:
        """Return the entry of the round that the cursor is on."""
        return self._timeline.entry_under_cursor()

    def action_facts(self) -> None:
        """Read what the record says of the round as a whole."""
        self.post_message(self.FactsWanted())

    def action_pin(self) -> None:
        """Keep the selected round on screen above the list, or no longer."""
        watched, selected = self._watched, self._watched.position.selected
        if selected is None:
            return
        was_pinned = watched.pinned == selected
        watched.pinned = None if was_pinned else selected
        self.post_message(self.Told("ui.unpinned" if was_pinned else "ui.pinned", {"round": watched.id_of(selected)}))
        self.repaint()

    def action_fold(self) -> None:
        """Hide or show the sub-rounds of the selected round."""
        self._rounds.action_fold()

    def action_next_order(self) -> None:
        """Sort the list by the next value."""
        shown = self._watched.shown
        self._watched.show(shown.filter, shown.order.next)
        self.post_changed()

    def post_changed(self) -> None:
        """Say that the list shows something else."""
        self.post_message(self.Refiltered())

    @on(RoundsView.SortWanted)
    def _sort_wanted(self, event: RoundsView.SortWanted) -> None:
        self._watched.show(self._watched.shown.filter, event.order)
        self.post_changed()

    @on(RoundsView.Unfiltered)
    def action_clear_filter(self) -> None:
        """List every round again."""
        self._watched.show(None, self._watched.shown.order)
        self.post_changed()

    def action_next_problem(self) -> None:
        """Select the next round below that is not an answer."""
        self._to_problem(1)

    def action_previous_problem(self) -> None:
        """Select the next round above that is not an answer."""
        self._to_problem(-1)

    def _to_problem(self, step: int) -> None:
        rows = self._watched.shown.rows
        found = rows.problem_from(self._rounds.position.row, step) if len(rows) else None
        if found is None:
            self.post_message(self.Told("ui.no_problem_left", {}))
        else:
            self._rounds.go_to(found)

    def action_follow(self) -> None:
        """Go to the newest round and stay there."""
        self._watched.position.follow()
        self._read(False)

    def action_switch_pane(self) -> None:
        """Give the keys to the other pane."""
        self._read(not self._timeline.has_focus)

    def action_inspect(self) -> None:
        """Read the entry under the cursor in full."""
        self._timeline.action_inspect()

    def action_older(self) -> None:
        """Lay out older entries of the round."""
        self._timeline.show_older()
