"""The app: the feed, the screens, and what calls for the operator."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from ..core.rounds import Call, Round, ToolCall
from ..core.texts import Texts
from .attention import Attention
from .comparing_app import ComparingApp
from .correction import correction_sentences
from .facts_lines import facts_lines
from .feed import FeedState
from .guide import Guide
from .help_lines import help_lines
from .home import Home
from .inspector_lines import inspector_lines
from .keys import Place, bindings_for
from .main_screen import MainScreen
from .overlay_screen import OverlayScreen
from .pace import Pace
from .pump import Pump
from .raw_lines import SHOWN_ALONE, raw_lines
from .raw_log import RawOf
from .reading_screen import ReadingScreen
from .refolder import Refolder
from .rounds_view import RoundsView
from .safe_text import Line
from .source import Source
from .standing import Standing
from .terminal_words import mouse_sequence, notification_sequence, outside_name, title_sequence
from .timeline_view import TimelineView
from .watched_hub import WatchedHub

TICK_S = 1.0
"""The clock and running durations; without news nothing else is drawn."""
SETTLE_S = 0.02
"""How long a frame may look at rounds for a filter or an order; a key waits no longer than that."""
END_SHOWN_S = 60.0
"""Nothing more comes after it, and it says what to do."""
KEEP_TITLE, GIVE_TITLE_BACK = "\x1b[22;2t", "\x1b[23;2t"
"""The terminal puts its window's title aside, and takes it back."""


class RoundwatchApp(ComparingApp):
    """Wiring only: what is known is in ``watched``, what is shown is the screens' business."""

    CSS_PATH = MainScreen.CSS_PATH  # a default screen's own is not loaded
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.APP)

    _is_frame_due = False
    _window_title = ""
    _ticked = -1
    """The state's revision at the last tick."""

    @cached_property
    def _pumps(self) -> list[Pump]:
        """One for each hub: what ends or hangs in one is no matter of another."""
        watched = self.watched
        return [
            Pump(source, watched, self.changed, self._monotonic, hub)
            for source, hub in zip(self.sources, watched.hubs, strict=True)
        ]

    @cached_property
    def _refolders(self) -> list[Refolder]:
        watched = self.watched
        return [
            Refolder(source, watched, hub, self.changed, self._monotonic)
            for source, hub in zip(self.sources, watched.hubs, strict=True)
        ]

    @cached_property
    def _ends_told(self) -> list[WatchedHub]:
        return []

    @cached_property
    def _pace(self) -> Pace:
        return Pace()

    @cached_property
    def _attention(self) -> Attention:
        return Attention()

    def get_default_screen(self) -> MainScreen:
        """Return the screen that is there from the first frame on."""
        return MainScreen(
            self.watched,
            self._source_name,
            self.current_texts,
            self._clock,
            self._monotonic,
            self._zone,
            self.home.preferences,
        )

    def on_mount(self) -> None:
        """Make the terminal ours."""
        self.to_terminal(KEEP_TITLE)
        self._give_mouse()
        self.app_resume_signal.subscribe(self, self._give_mouse)  # pyright: ignore[reportUnknownMemberType]
        self.set_interval(TICK_S, self._tick)
        if (why := self.home.preferences.problem) is not None:
            self.tell("tui.preferences.unreadable", file=str(self.home.preferences.path), why=why)

    def on_ready(self) -> None:
        """Read every source, now that the first frame is painted: what reading has to load must not keep it back."""
        for pump in self._pumps:
            pump.start()

    def _give_mouse(self, resumed: object = None) -> None:
        """Leave the mouse to the terminal where the operator wants that; Textual takes it whenever it begins."""
        if not self.home.preferences.current.mouse:
            self.to_terminal(mouse_sequence(taken=False))

    async def on_unmount(self) -> None:
        """Let the sources go, all at once: each may take its time."""
        self.to_terminal(GIVE_TITLE_BACK)
        readers = [refolder.stop() for refolder in self._refolders]
        await asyncio.gather(*readers, *(pump.stop() for pump in self._pumps))

    def changed(self) -> None:
        """Draw soon; many changes at once are drawn once."""
        if self._is_frame_due or not self.is_running:
            return
        self._is_frame_due = True
        if wait := self._pace.wait(self._monotonic()):
            self.set_timer(wait, self._draw)
        else:  # the last frame is long enough ago: a timer would cost two more turns of the loop
            self.call_later(self._draw)

    def _draw(self) -> None:
        self._is_frame_due = False
        self._pace.drawn(self._monotonic())
        self.repaint()

    def _tick(self) -> None:
        is_quiet = self.watched.revision == self._ticked
        rests = is_quiet and not self.watched.counts[Standing.RUNNING]
        self._ticked = self.watched.revision
        if self.collector is not None:
            self.collector.tick(self._monotonic(), is_quiet=is_quiet)
        if rests and isinstance(self.screen, MainScreen):
            self.screen.repaint_header()
            return
        self.watched.age()
        self.repaint()

    @on(RoundsView.Chosen)
    def _fetch_details(self) -> None:
        for refolder in self._refolders:
            refolder.wake()

    @on(MainScreen.Refiltered)
    def _refiltered(self) -> None:
        self.changed()

    def redraw(self) -> None:
        """Draw what has changed."""
        self.repaint()

    def repaint(self) -> None:
        """Draw what has changed on every screen, after the list has taken in what it has time for."""
        began = self._monotonic()
        self.watched.settle(self.now(), lambda: self._monotonic() - began < SETTLE_S)
        if not self.watched.shown.is_settled:
            self.changed()
        self._fetch_details()
        self._call_for_somebody()
        self._tell_corrected()
        self._name_window()
        self._tell_end()
        for screen in self.screen_stack:
            if isinstance(screen, MainScreen | OverlayScreen):
                screen.repaint()

    def _call_for_somebody(self) -> None:
        """Tell, ring or notify for rounds that have just ended as no answer."""
        if not self.watched.just_ended:
            return
        ended = list(self.watched.just_ended)
        self.watched.just_ended.clear()
        hour = self._clock().astimezone(self._zone).hour
        alert = self._attention.about(ended, self.home.preferences.current, self.texts, hour, self._monotonic())
        for sentence in alert.notices:
            self.notify(sentence, severity="warning")
        if alert.rings:
            self.bell()
        if alert.desktop is not None:
            self.to_terminal(notification_sequence(alert.desktop))

    def _tell_corrected(self) -> None:
        """Tell of rounds that were shown with another verdict before late news came."""
        corrected = list(self.watched.just_corrected)
        self.watched.just_corrected.clear()
        for sentence in correction_sentences(corrected, self.texts):
            self.notify(sentence, severity="warning")

    def _tell_end(self) -> None:
        """Say once of each hub why nothing more comes; while there are no rounds the screen itself says it."""
        for hub in self.watched.hubs:
            feed = hub.feed
            ended = feed.state is FeedState.FAILED or (feed.state is FeedState.REFUSED and feed.fault is not None)
            if ended and hub not in self._ends_told and len(self.watched.tree):
                self._ends_told.append(hub)
                said = Guide(self.watched, self._source_name, self.current_texts).of_hub(hub)
                self.notify(said, severity="error", timeout=END_SHOWN_S)

    def _name_window(self) -> None:
        """Give the window its title: our own words, and the source's name."""
        counts = self.watched.counts
        words = self.texts("tui.window", running=counts[Standing.RUNNING], not_answers=counts[Standing.NOT_ANSWER])
        named = f"roundwatch {outside_name(self._source_name)} – {words}"
        if named != self._window_title:
            self._window_title = named
            self.to_terminal(title_sequence(named))

    @on(MainScreen.Told)
    def _told(self, event: MainScreen.Told) -> None:
        self.tell(event.key, **event.values)

    @on(TimelineView.Inspected)
    def _inspected(self, event: TimelineView.Inspected) -> None:
        round_, entry = event.round, event.entry
        raw = self._raw_of(round_, entry) if isinstance(entry, Call | ToolCall) else None
        self.push_screen(
            ReadingScreen(
                self.current_texts,
                lambda texts: texts("tui.inspect.title", round=round_.id),
                lambda texts, width: inspector_lines(
                    entry, texts, width, raw.read() if raw is not None else None, self.watched.pricing
                ),
                lambda: round_.revision,
                entry,
                raw,
            )
        )

    def _raw_of(self, round_: Round, entry: Call | ToolCall) -> RawOf:
        key = self.watched.position.selected
        hub = self.watched.place(key)[0] if key is not None else self.watched.hubs[0]
        return RawOf(hub.raws, round_.id, entry)

    @on(ReadingScreen.RawWanted)
    def _raw_wanted(self, event: ReadingScreen.RawWanted) -> None:
        raw = event.raw
        self.push_screen(
            ReadingScreen(
                self.current_texts,
                lambda texts: texts("tui.raw.title", name=raw.name),
                lambda texts, width: list(raw_lines(raw.read(), texts, width, SHOWN_ALONE)),
                lambda: self.watched.revision,
                raw,
            )
        )

    @on(MainScreen.FactsWanted)
    def _facts(self) -> None:
        key = self.watched.position.selected
        if (round_ := self.selected_round()) is not None and key is not None:
            self.push_screen(
                ReadingScreen(
                    self.current_texts,
                    lambda texts: f"{texts('ui.panel_round')}   {round_.id}",
                    lambda texts, width: facts_lines(
                        round_, self.now(), self._zone, texts, width, self.watched.spent(key)
                    ),
                    lambda: (round_.revision, round_.is_over or self.now()),
                )
            )

    def action_help(self) -> None:
        """Show the help, once."""
        if isinstance(self.screen, MainScreen):
            self.push_screen(ReadingScreen(self.current_texts, lambda texts: texts("ui.panel_help"), self._help))

    def _help(self, texts: Texts, width: int) -> list[Line]:
        return help_lines(texts, width, self.keymap)

    def action_statistics(self) -> None:
        """Show the statistics, once."""
        if not isinstance(self.screen, MainScreen):
            return
        from .cost_lines import cost_lines  # the first rows come sooner without what is not on screen
        from .statistics_lines import statistics_lines

        watched = self.watched
        self.push_screen(
            ReadingScreen(
                self.current_texts,
                lambda texts: texts("ui.panel_statistics"),
                lambda texts, width: [
                    *statistics_lines(watched.statistics, watched.counts[Standing.RUNNING], texts, width),
                    *cost_lines(watched.costs, texts, width),
                ],
                lambda: (watched.statistics.revision, watched.counts[Standing.RUNNING]),
            )
        )

    def action_commands(self) -> None:
        """Offer every action by name; only over the main screen, which the actions are for."""
        if isinstance(self.screen, MainScreen):
            from .palette_screen import PaletteScreen  # the first rows come sooner without what is not on screen

            self.push_screen(PaletteScreen(self.current_texts), self._run_chosen)

    async def _run_chosen(self, action: str | None) -> None:
        if action is not None:
            await self.run_action(action)


def run_app(
    source: Source,
    *,
    texts: Texts,
    source_name: str = "",
    theme: str | None = None,
    load_texts: Callable[[str], Texts] = Texts.load,
) -> None:
    """Watch ``source`` until the operator quits; the terminal is restored and the call returns soon after.

    Args:
        texts: the language to begin with.
        source_name: what the header calls the source, such as an address or a file name.
        theme: a theme's name; None = the one chosen last.
        load_texts: gives the texts of a language when the operator switches.
    """
    app = RoundwatchApp(
        source,
        texts=texts,
        source_name=source_name,
        theme=theme,
        load_texts=load_texts,
        home=Home.of(os.environ),
    )
    app.run()
