"""The app's actions that change how it looks and behaves, and remember it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from textual.filter import LineFilter

from ..core.texts import LANGUAGES
from .ascii_face import AsciiFace, has_unicode
from .keeping_app import KeepingApp
from .main_screen import MainScreen
from .menu_screen import MenuScreen
from .settings_menu import changed, settings_rows, theme_name
from .terminal_words import mouse_sequence
from .themes import THEMES


@lru_cache(maxsize=4)
def _face(encoding: str) -> AsciiFace:
    return AsciiFace(encoding)


class ChoosingApp(KeepingApp):
    """Every choice counts at once and is written down."""

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what every drawn line goes through: in ASCII where the operator, or the terminal, wants it."""
        filters = super().get_line_filters()
        chosen, encoding = self.home.preferences.current.ascii_marks, self.home.encoding
        if chosen is False or (chosen is None and has_unicode(encoding)):
            return filters
        wanted = "ascii" if chosen or encoding is None else encoding
        return [*filters, _face(wanted)]

    def choose(self, **changes: object) -> None:
        """Take choices over, show them, and remember them."""
        preferences = self.home.preferences
        preferences.change(**changes)
        if preferences.problem is not None:
            self.tell("ui.save_failed", file=str(preferences.path), error=preferences.problem)
        if "theme" in changes:
            self.theme = str(changes["theme"])
        if "locale" in changes:
            self._speak(str(changes["locale"]))
        if "mouse" in changes:
            self.to_terminal(mouse_sequence(taken=preferences.current.mouse))
        if "ascii_marks" in changes:
            self.refresh_css(animate=False)
        self.redraw()

    def redraw(self) -> None:
        """Draw what has changed."""
        raise NotImplementedError

    def _speak(self, locale: str) -> None:
        if locale not in self._loaded:
            self._loaded[locale] = self._load_texts(locale)
        self.texts = self._loaded[locale]
        self.clear_notifications()

    def action_language(self) -> None:
        """Show everything in the other language, old banners and open screens too."""
        self.choose(locale=LANGUAGES[(LANGUAGES.index(self.texts.locale) + 1) % len(LANGUAGES)])

    def action_next_theme(self) -> None:
        """Take the next of our themes."""
        names = [each.name for each in THEMES]
        place = names.index(self.theme) if self.theme in names else -1
        self.choose(theme=names[(place + 1) % len(names)])
        self.tell("ui.theme_is", theme=theme_name(self.theme, self.texts))

    def action_settings(self) -> None:
        """Show the settings."""
        if isinstance(self.screen, MainScreen):
            self.push_screen(
                MenuScreen(
                    self.current_texts,
                    "tui.menu.settings",
                    lambda texts: settings_rows(self.home.preferences.current, self.theme, texts),
                    self._set,
                )
            )

    def _set(self, name: str, steps: int) -> None:
        chosen = self.home.preferences.current
        self.choose(**changed(chosen, name, steps, theme=self.theme, locale=self.texts.locale))
