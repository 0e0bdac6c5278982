"""The settings as rows of a menu, and what choosing one of them changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.texts import LANGUAGES, Texts
from .menu_screen import MenuRow
from .preferences import Preferences
from .themes import DARK, HIGH_CONTRAST, LIGHT, MONOCHROME, THEMES

THEME_WORDS = {
    DARK.name: "dark",
    LIGHT.name: "light",
    HIGH_CONTRAST.name: "high_contrast",
    MONOCHROME.name: "monochrome",
}
SWITCHES = ("mouse", "toast", "bell", "desktop")
HOURS: tuple[int | None, ...] = (None, *range(24))
FACES: tuple[bool | None, ...] = (None, True, False)


def settings_rows(chosen: Preferences, theme: str, texts: Texts) -> list[MenuRow]:
    """Return one row a setting with its value.

    Args:
        theme: the one that is shown, chosen or not.
    """

    def row(name: str, value: str) -> MenuRow:
        return MenuRow(name, texts(f"setting.{name}"), value, texts(f"setting.{name}_about"))

    return [
        row("locale", texts("tui.language_name")),
        row("theme", theme_name(theme, texts)),
        row("ascii", texts(f"setting.ascii_{_face_word(chosen.ascii_marks)}")),
        *(row(name, texts(f"setting.{'on' if getattr(chosen, name) else 'off'}")) for name in SWITCHES),
        row("quiet_from", _hour(chosen.quiet_from, texts)),
        row("quiet_to", _hour(chosen.quiet_to, texts)),
    ]


def theme_name(theme: str, texts: Texts) -> str:
    """Return what a theme is called."""
    word = THEME_WORDS.get(theme)
    return texts(f"setting.theme_{word}") if word is not None else theme


def _face_word(chosen: bool | None) -> str:
    return "automatic" if chosen is None else "always" if chosen else "never"


def _hour(hour: int | None, texts: Texts) -> str:
    return texts("setting.no_hour") if hour is None else f"{hour:02}:00"


def changed(chosen: Preferences, name: str, steps: int, *, theme: str, locale: str) -> dict[str, Any]:
    """Return the preferences that choosing a row changes.

    Args:
        steps: 1 for the next value, -1 for the one before.
        theme: the one that is shown now.
        locale: the language that is shown now.
    """
    match name:
        case "locale":
            return {"locale": _next(LANGUAGES, locale, steps)}
        case "theme":
            return {"theme": _next([each.name for each in THEMES], theme, steps)}
        case "ascii":
            return {"ascii_marks": _next(FACES, chosen.ascii_marks, steps)}
        case "quiet_from" | "quiet_to":
            return {name: _next(HOURS, getattr(chosen, name), steps)}
        case _:
            return {name: not getattr(chosen, name)}


def _next(values: Sequence[Any], value: object, steps: int) -> Any:
    place = list(values).index(value) if value in values else -1
    return values[(place + steps) % len(values)]
