"""The app on a stage where nothing moves by itself: fixed clock, zone, language, theme and source."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta, timezone
from typing import Any

from roundwatch.core.texts import Texts
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.source import SourceItem
from roundwatch.tui.themes import DARK
from textual.pilot import Pilot

from tests.scenes import NOW, SCENES, SceneSource

ZONE = timezone(timedelta(hours=1), "CET")
SOURCE_NAME = "127.0.0.1:7433"


def app_of(
    items: str | Iterable[SourceItem],
    locale: str = "en",
    *,
    theme: str = DARK.name,
    clock: Callable[[], datetime] = lambda: NOW,
    monotonic: Callable[[], float] = lambda: 0.0,
) -> RoundwatchApp:
    """The app before a scene, by its name, or before some items."""
    source = SceneSource(SCENES[items]() if isinstance(items, str) else items)
    return RoundwatchApp(
        source,
        texts=Texts.load(locale),
        source_name=SOURCE_NAME,
        clock=clock,
        monotonic=monotonic,
        zone=ZONE,
        theme=theme,
    )


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until everything that was sent and pressed is on screen."""
    app = pilot.app
    assert isinstance(app, RoundwatchApp)
    source = app.source
    if isinstance(source, SceneSource):
        await source.sent.wait()
    await pilot.pause()
    app.repaint()
    await pilot.pause()


def keys(*pressed: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """What a pilot does: settle, press keys, settle after each."""

    async def act(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        for key in pressed:
            await pilot.press(key)
            await settle(pilot)

    return act


def key_of(char: str) -> str:
    """The name of the key that types a character."""
    return {" ": "space", ":": "colon", "-": "minus", "|": "vertical_line", "<": "less_than_sign"}.get(char, char)


def screen_text(app: RoundwatchApp) -> str:
    """What stands on the screen, as text."""
    strips = app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage]
    return "\n".join(strip.text.rstrip() for strip in strips)
