"""The app on a stage where nothing moves by itself: fixed clock, zone, language, theme and source."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta, timezone
from typing import Any

from textual.pilot import Pilot

from ...core.texts import LANGUAGES, Texts, match_locale
from ...core.texts.pseudo import PSEUDO_LOCALE
from ..app import RoundwatchApp
from ..source import SourceItem
from ..themes import DARK, THEMES
from .live_feed import StillSource
from .recording import WITHOUT_A_MOMENT

ZONE = timezone(timedelta(hours=1), "CET")
SOURCE_NAME = "127.0.0.1:7433"


def still_app(
    items: Iterable[SourceItem],
    locale: str = "en",
    *,
    theme: str = DARK.name,
    clock: Callable[[], datetime] = lambda: WITHOUT_A_MOMENT,
    monotonic: Callable[[], float] = lambda: 0.0,
) -> RoundwatchApp:
    """Return the whole app before a feed that sends ``items`` and keeps quiet.

    Raises:
        ValueError: there is no such language or theme.
    """
    return RoundwatchApp(
        StillSource(items),
        texts=texts_of(locale),
        source_name=SOURCE_NAME,
        clock=clock,
        monotonic=monotonic,
        zone=ZONE,
        theme=known_theme(theme),
    )


def texts_of(locale: str) -> Texts:
    """Return the texts of a language, or of ``xx-long``: English in longer words, to see what breaks a layout.

    Raises:
        ValueError: there is no such language; English would be a picture that nobody asked for.
    """
    if locale != PSEUDO_LOCALE and match_locale(locale) is None:
        raise ValueError(f"no language {locale!r}; there are {', '.join(LANGUAGES)}")
    return Texts.load(locale)


def known_theme(name: str) -> str:
    """Return the name of one of our themes.

    Raises:
        ValueError: there is no such theme.
    """
    names = [theme.name for theme in THEMES]
    if name not in names:
        raise ValueError(f"no theme {name!r}; there are {', '.join(names)}")
    return name


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until everything that was sent and pressed is on screen."""
    app = pilot.app
    if isinstance(app, RoundwatchApp):
        if isinstance(app.source, StillSource):
            await app.source.sent.wait()
        await pilot.pause()
        app.repaint()
    await pilot.pause()


def press(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Return what a pilot does: settle, press keys, settle after each.

    Args:
        keys: as Textual names them: ``n``, ``enter``, ``slash``, ``ctrl+p``.
    """

    async def act(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)

    return act
