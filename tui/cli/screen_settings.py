"""What the settings say about the screen: checked also where there is none, so that a mistake is heard of at once."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from .context import Context
from .failure import CommandFailed

LIST_COLUMNS = 76


def check_screen_settings(context: Context) -> None:
    """Complain about a theme or an action that does not exist, with the names of all that do.

    Raises:
        CommandFailed: the settings name one.
    """
    settings = context.settings
    if settings.theme is None and not settings.keymap:
        return  # Textual, which knows its own themes, is not loaded for nothing
    from textual.theme import BUILTIN_THEMES

    from ..keys import ACTIONS
    from ..themes import THEMES

    file = str(settings.path)
    themes = {*BUILTIN_THEMES, *(theme.name for theme in THEMES)}
    if settings.theme is not None and settings.theme not in themes:
        raise CommandFailed("cli.config.unknown_theme", file=file, name=settings.theme, lines=listed(themes))
    actions = {f"{action.place}.{action.name}" for action in ACTIONS}
    for action in settings.keymap:
        if action not in actions:
            raise CommandFailed("cli.config.unknown_action", file=file, key=f"keymap.{action}", lines=listed(actions))


def listed(names: Iterable[str]) -> list[str]:
    """Return names in order, as lines of a readable length; those with a place of their own begin a line each."""
    places: dict[str, list[str]] = {}
    for name in sorted(names):
        places.setdefault(name.rpartition(".")[0], []).append(name)
    return [
        line
        for group in places.values()
        for line in textwrap.wrap("  ".join(group), LIST_COLUMNS, break_on_hyphens=False, break_long_words=False)
    ]
