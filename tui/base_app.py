"""What every part of the app stands on: language, clock, notices, and the way to the terminal itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo

from rich.text import Text
from textual.app import App
from textual.binding import Keymap
from textual.driver import Driver
from textual.notifications import Notify, SeverityLevel
from textual.screen import ModalScreen
from textual.worker import WorkerFailed

from ..core.prices import Pricing
from ..core.rounds import Round
from ..core.texts import Texts, clean
from .arrangement import Arrangement, arrangement
from .bars import FooterBar
from .collector import Collector
from .ending import end_for_certain, fault_told
from .home import Home
from .main_screen import MainScreen
from .source import NamedSource, Source
from .themes import DARK, THEMES
from .watched import Watched

FAULT = 70
"""What sysexits calls a fault of the program's own."""
INTERRUPTED = 130
"""128 + SIGINT, as shells have it."""
MOST_NOTICES = 3
"""On screen at once: more would cover what they are about."""
FOOTER_SPEAKS = (Arrangement.STACKED, Arrangement.SINGLE)
"""Here the banner stands where a notice would pop up."""


class BaseApp(App[None]):
    """State without behaviour of its own: what is known is in ``watched``."""

    def __init__(
        self,
        source: Source,
        *,
        texts: Texts,
        source_name: str = "",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
        zone: tzinfo | None = None,
        theme: str | None = DARK.name,
        load_texts: Callable[[str], Texts] = Texts.load,
        home: Home | None = None,
        more: Sequence[NamedSource] = (),
        pricing: Pricing | None = None,
        collector: Collector | None = None,
    ) -> None:
        """Watch ``source``, and ``more`` hubs beside it.

        Args:
            texts: the language to begin with.
            source_name: what the header calls the source.
            clock: the viewer's clock, with a time zone.
            monotonic: seconds that never go back.
            zone: the viewer's time zone; None = the machine's own.
            theme: a theme's name; None = the one chosen last; an unknown one counts as the default.
            load_texts: gives the texts of a language when the operator switches.
            home: remembered choices, a folder for files, the terminal's encoding; None = nothing is remembered.
            pricing: what calls are reckoned with; None = the prices that come with roundwatch.
            collector: looks for garbage when nothing comes; None leaves that to Python.
        """
        super().__init__()
        self.title = "roundwatch"
        self.home = home or Home()
        self.texts = texts
        self.source = source
        self.watched = Watched(source.is_recording, hub_names=(source_name, *(each.name for each in more)))
        if pricing is not None:
            self.watched.reckon_with(pricing)
        self.collector = collector
        self.sources = (source, *(each.source for each in more))
        self.keymap: Mapping[str, str] = {}
        self._loaded = {texts.locale: texts}
        self._load_texts = load_texts
        self._source_name = source_name
        self._clock = clock
        self._monotonic = monotonic
        self._zone = zone
        for each in THEMES:
            self.register_theme(each)
        wanted = theme or self.home.preferences.current.theme
        self.theme = wanted if wanted in self.available_themes else DARK.name

    def current_texts(self) -> Texts:
        """Return the texts of the language that is shown."""
        return self.texts

    def set_keymap(self, keymap: Keymap) -> None:
        """Take other keys by the id of their binding; what names a key on screen follows."""
        super().set_keymap(keymap)
        self.keymap = dict(keymap)

    async def action_quit(self) -> None:
        """Close what stands over the main screen, else end."""
        if isinstance(self.screen, ModalScreen):
            self.screen.dismiss(None)
        else:
            self.exit()

    def action_interrupt(self) -> None:
        """End, whatever is on screen; a caller can tell it from having been left."""
        self.exit(return_code=INTERRUPTED)

    def get_driver_class(self) -> type[Driver]:
        """Return what draws: on a terminal, our own driver."""
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":
            return found
        from .terminal_driver import TerminalDriver  # needs what only such systems have

        return TerminalDriver

    def _fatal_error(self) -> None:
        """End in words instead of Textual's traceback, whose values of variables may hold texts and secrets."""
        raised = self._exception
        if raised is not None and not self._exit_renderables:
            error = raised.error if isinstance(raised, WorkerFailed) else raised
            if not self.is_headless and not self.is_web:
                end_for_certain(FAULT)
            self.panic(Text(fault_told(error, self.texts, self.home.folder)))

    def now(self) -> datetime:
        """Return the moment that running durations are counted to."""
        return self.watched.now(self._clock(), self._monotonic())

    def main_screen(self) -> MainScreen | None:
        """Return the main screen, whatever stands on top of it."""
        return next((screen for screen in self.screen_stack if isinstance(screen, MainScreen)), None)

    def selected_round(self) -> Round | None:
        """Return the round on screen with its details; None, told, when there is none or they are gone."""
        round_ = self.watched.selected
        if isinstance(round_, Round):
            return round_
        self.tell("tui.rounds.empty" if round_ is None else "tui.round.details_gone")
        return None

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notice for some seconds; whatever it quotes is cleaned and never read as markup.

        Where it would cover a banner it stands in the footer.
        """
        if arrangement(self.size) in FOOTER_SPEAKS and (footers := self.screen.query(FooterBar)):
            footers.first().say(clean(f"{title} {message}".strip()), timeout or self.NOTIFICATION_TIMEOUT)
            return
        super().notify(
            clean(message, multi_line=True), title=clean(title), severity=severity, timeout=timeout, markup=False
        )

    def on_notify(self, event: Notify) -> None:
        """Make room before Textual shows a notice: it takes the place of an equal one, or of the oldest of three."""
        told, shown = event.notification, list(self._notifications)
        others = [each for each in shown if (each.title, each.message) != (told.title, told.message)]
        for each in shown:
            if each not in others[1 - MOST_NOTICES :]:
                del self._notifications[each]

    def clear_notifications(self) -> None:
        """Take every notice off the screen."""
        super().clear_notifications()
        for footer in self.screen.query(FooterBar):
            footer.say_no_more()

    def tell(self, key: str, /, **values: str | int) -> None:
        """Show one of our texts as a notice."""
        self.notify(self.texts(key, **values))

    def to_terminal(self, sequence: str) -> None:
        """Write a sequence of ``terminal_words`` to the terminal as it is."""
        if self._driver is not None:
            self._driver.write(sequence)
