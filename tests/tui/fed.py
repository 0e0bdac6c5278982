"""An app whose source a test feeds piece by piece."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from roundwatch.core.texts import Texts
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.source import SourceItem


class Fed:
    """A source that a test feeds piece by piece."""

    is_recording = False

    def __init__(self) -> None:
        self.queue: asyncio.Queue[SourceItem | Exception] = asyncio.Queue()

    async def items(self) -> AsyncGenerator[SourceItem]:
        while True:
            item = await self.queue.get()
            if isinstance(item, Exception):
                raise item
            yield item
            self.queue.task_done()

    async def feed(self, *items: SourceItem) -> None:
        for item in items:
            self.queue.put_nowait(item)
        await self.queue.join()


def fed_app() -> tuple[RoundwatchApp, Fed]:
    source = Fed()
    return RoundwatchApp(source, texts=Texts.load("en"), source_name="test"), source


def words(shown: str) -> str:
    """What stands on a screen, without what frames it."""
    return " ".join(shown.translate(dict.fromkeys(map(ord, "│┃▌▐╭╮╰╯─"), " ")).split())
