"""Follows transcripts into a hub of the test's own, and looks into its store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from roundwatch.core.feeds.transcripts.follow import Follower
from roundwatch.core.feeds.transcripts.follow_file import Hubward
from roundwatch.core.feeds.transcripts.follow_places import given_places
from roundwatch.core.feeds.transcripts.follow_positions import Positions
from roundwatch.core.feeds.transcripts.seen import Claims, Kept
from roundwatch.core.feeds.transcripts.unreadable import Place as Unreadable
from roundwatch.core.hub import Access, Hub, Identity, stored_events

PATIENCE_S = 60.0
"""Generous: a loaded machine must not fail a test."""
TOKEN = "secret-of-a-test"


@dataclass
class Stage:
    """A folder of transcripts, a hub, and what was told on the way."""

    folder: Path
    hub: Hub
    store: Path
    told: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    source: str | None = None

    @property
    def positions(self) -> Path:
        """The position file."""
        return self.folder.parent / "positions.json"

    def follower(self, told: Claims | None = None, **more: Any) -> Follower:
        """Return a follower as a new process would have it."""
        hub = Hubward(self.hub.url, TOKEN, Positions(self.positions), told=told or Kept())
        return Follower(given_places([self.folder]), hub=hub, told=self._hear, source=self.source, **more)

    def _hear(self, path: Path, why: Exception, where: Unreadable | None) -> None:
        at = "" if where is None else f"line {where.line}, byte {where.offset}: "
        self.told.append((path.name, f"{at}{why}"))

    @asynccontextmanager
    async def following(self, **more: Any) -> AsyncGenerator[Follower]:
        """Follow until the end of the block."""
        follower = self.follower(**more)
        task = asyncio.create_task(follower.run())
        try:
            yield follower
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def stored(self) -> list[dict[str, Any]]:
        """Return all events in the hub's store."""
        return [json.loads(event.line) for event in stored_events(self.store)]

    def texts(self) -> list[str]:
        """Return the texts that calls put out, in the order of the store."""
        return [event["text"] for event in self.stored() if event["type"] == "call.output"]

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something."""
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():  # noqa: ASYNC110 - a store on disk sets no event
                await asyncio.sleep(0.05)

    async def until_texts(self, *texts: str) -> None:
        """Wait until exactly these texts are stored, each once."""
        try:
            await self.until(lambda: len(self.texts()) >= len(texts))
        except TimeoutError:
            raise AssertionError(f"stored: {self.texts()}; told: {self.told}") from None
        assert sorted(self.texts()) == sorted(texts)


@asynccontextmanager
async def stage(tmp_path: Path) -> AsyncGenerator[Stage]:
    """Yield an empty folder and a running hub."""
    folder, store = tmp_path / "transcripts", tmp_path / "hub.sqlite3"
    folder.mkdir()
    async with Hub(store, port=0, access=Access({TOKEN: Identity("test")})) as hub:
        yield Stage(folder, hub, store)
