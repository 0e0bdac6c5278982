"""The app before the tests' scenes, on the stage that users of the snapshot kit have too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.source import SourceItem
from roundwatch.tui.testing.stage import ZONE, settle, still_app
from roundwatch.tui.testing.stage import press as keys
from roundwatch.tui.themes import DARK

from tests.scenes import NOW, SCENES

__all__ = ["ZONE", "app_of", "key_of", "keys", "screen_text", "settle"]


def app_of(
    items: str | Iterable[SourceItem],
    locale: str = "en",
    *,
    theme: str = DARK.name,
    clock: Callable[[], datetime] = lambda: NOW,
    monotonic: Callable[[], float] = lambda: 0.0,
) -> RoundwatchApp:
    """The app before a scene, by its name, or before some items."""
    sent = SCENES[items]() if isinstance(items, str) else items
    return still_app(sent, locale, theme=theme, clock=clock, monotonic=monotonic)


def key_of(char: str) -> str:
    """The name of the key that types a character."""
    return {" ": "space", ":": "colon", "-": "minus", "|": "vertical_line", "<": "less_than_sign"}.get(char, char)


def screen_text(app: RoundwatchApp) -> str:
    """What stands on the screen, as text."""
    strips = app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage]
    return "\n".join(strip.text.rstrip() for strip in strips)
