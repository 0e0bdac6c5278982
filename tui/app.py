"""The app: language, theme, the feed, and which screen is on top."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import ClassVar

from textual import on
from textual.app import App
from textual.binding import BindingType
from textual.notifications import SeverityLevel
from textual.timer import Timer

from ..core.texts import Texts, clean
from .help_lines import help_lines
from .inspector_lines import inspector_lines
from .keys import Place, bindings_for
from .main_screen import MainScreen
from .pace import Pace
from .palette_screen import PaletteScreen
from .preferences import PreferencesFile
from .pump import Pump
from .reading_screen import ReadingScreen
from .source import Source
from .statistics_lines import statistics_lines
from .themes import DARK, THEMES
from .timeline_view import TimelineView
from .watched import Standing, Watched

TICK_S = 1.0
"""The clock and running durations; without news nothing else is drawn."""
SOONEST_S = 0.001
"""A timer needs a delay above zero."""
SETTLE_S = 0.02
"""How long a frame may look at rounds for a filter or an order; a key waits no longer than that."""
LANGUAGES = ("en", "de")


class RoundwatchApp(App[None]):
    """Wiring only: what is known is in ``watched``, what is shown is the screens' business."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(Place.APP)

    def __init__(
        self,
        source: Source,
        *,
        texts: Texts,
        source_name: str = "",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
        zone: tzinfo | None = None,
        theme: str = DARK.name,
        load_texts: Callable[[str], Texts] = Texts.load,
        preferences: PreferencesFile | None = None,
    ) -> None:
        """Watch ``source``.

        Args:
            texts: the language to begin with.
            source_name: what the header calls the source.
            clock: the viewer's clock, with a time zone.
            monotonic: seconds that never go back.
            zone: the viewer's time zone; None = the machine's own.
            theme: a theme's name; an unknown one counts as the default.
            load_texts: gives the texts of a language when the operator switches.
            preferences: what the operator chose before; None = nothing is remembered when the app ends.
        """
        super().__init__()
        self.title = "roundwatch"
        self.texts = texts
        self.watched = Watched(source.is_recording)
        self._loaded = {texts.locale: texts}
        self.source = source
        self._load_texts = load_texts
        self._source_name = source_name
        self._clock = clock
        self._monotonic = monotonic
        self._zone = zone
        self._pump = Pump(source, self.watched, self.changed, monotonic)
        self._pace = Pace()
        self.preferences = preferences or PreferencesFile()
        self._next_frame: Timer | None = None
        for each in THEMES:
            self.register_theme(each)
        self.theme = theme if theme in self.available_themes else DARK.name

    def current_texts(self) -> Texts:
        """Return the texts of the language that is shown."""
        return self.texts

    def on_mount(self) -> None:
        """Show the main screen and begin to read."""
        self.push_screen(
            MainScreen(
                self.watched,
                self._source_name,
                self.current_texts,
                self._clock,
                self._monotonic,
                self._zone,
                self.preferences,
            )
        )
        self.set_interval(TICK_S, self._tick)
        self._pump.start()

    async def on_unmount(self) -> None:
        """Let the source go."""
        await self._pump.stop()

    def changed(self) -> None:
        """Draw soon; many changes at once are drawn once."""
        if self._next_frame is None and self.is_running:
            self._next_frame = self.set_timer(max(SOONEST_S, self._pace.wait(self._monotonic())), self._draw)

    def _draw(self) -> None:
        self._next_frame = None
        self._pace.drawn(self._monotonic())
        self.repaint()

    def _tick(self) -> None:
        self.watched.age()
        self.repaint()

    @on(MainScreen.Refiltered)
    def _refiltered(self) -> None:
        self.changed()

    def repaint(self) -> None:
        """Draw what has changed on every screen, after the list has taken in what it has time for."""
        began = self._monotonic()
        self.watched.settle(self.watched.now(self._clock(), began), lambda: self._monotonic() - began < SETTLE_S)
        if not self.watched.shown.is_settled:
            self.changed()
        for screen in self.screen_stack:
            if isinstance(screen, MainScreen | ReadingScreen | PaletteScreen):
                screen.repaint()

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notice for some seconds; whatever it quotes is cleaned and never read as markup."""
        super().notify(
            clean(message, multi_line=True), title=clean(title), severity=severity, timeout=timeout, markup=False
        )

    def tell(self, key: str, **values: str | int) -> None:
        """Show one of our texts as a notice."""
        self.notify(self.texts(key, **values))

    @on(MainScreen.NothingLeft)
    def _nothing_left(self) -> None:
        self.tell("ui.no_problem_left")

    @on(TimelineView.Inspected)
    def _inspected(self, event: TimelineView.Inspected) -> None:
        round_, entry = event.round, event.entry
        self.push_screen(
            ReadingScreen(
                self.current_texts,
                lambda texts: texts("tui.inspect.title", round=round_.id),
                lambda texts, width: inspector_lines(entry, texts, width),
                lambda: round_.revision,
            )
        )

    def action_help(self) -> None:
        """Show the help, once."""
        if isinstance(self.screen, ReadingScreen):
            return
        self.push_screen(ReadingScreen(self.current_texts, lambda texts: texts("ui.panel_help"), help_lines))

    def action_statistics(self) -> None:
        """Show the statistics, once."""
        if isinstance(self.screen, ReadingScreen):
            return
        watched = self.watched
        self.push_screen(
            ReadingScreen(
                self.current_texts,
                lambda texts: texts("ui.panel_statistics"),
                lambda texts, width: statistics_lines(
                    watched.statistics, watched.counts[Standing.RUNNING], texts, width
                ),
                lambda: (watched.statistics.revision, watched.counts[Standing.RUNNING]),
            )
        )

    def action_commands(self) -> None:
        """Offer every action by name; only over the main screen, which the actions are for."""
        if not isinstance(self.screen, MainScreen):
            return
        self.push_screen(PaletteScreen(self.current_texts), self._run_chosen)

    async def _run_chosen(self, action: str | None) -> None:
        if action is not None:
            await self.run_action(action)

    def action_language(self) -> None:
        """Show everything in the other language, old banners and open screens too."""
        other = LANGUAGES[(LANGUAGES.index(self.texts.locale) + 1) % len(LANGUAGES)]
        if other not in self._loaded:
            self._loaded[other] = self._load_texts(other)
        self.texts = self._loaded[other]
        self.clear_notifications()
        self.repaint()

    def action_next_theme(self) -> None:
        """Take the next of our themes."""
        names = [each.name for each in THEMES]
        place = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(place + 1) % len(names)]


def run_app(
    source: Source,
    *,
    texts: Texts,
    source_name: str = "",
    theme: str = DARK.name,
    load_texts: Callable[[str], Texts] = Texts.load,
) -> None:
    """Watch ``source`` until the operator quits; the terminal is restored and the call returns soon after.

    Args:
        texts: the language to begin with.
        source_name: what the header calls the source, such as an address or a file name.
        theme: a theme's name.
        load_texts: gives the texts of a language when the operator switches.
    """
    app = RoundwatchApp(source, texts=texts, source_name=source_name, theme=theme, load_texts=load_texts)
    app.run()
