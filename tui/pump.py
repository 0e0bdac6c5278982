"""Takes what the source sends into the watched rounds; nothing that comes in can end the app."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing

from ..core.hub import HubRefused
from .feed import FeedState
from .source import Source, SourceItem, Unreadable
from .watched import Watched
from .watched_hub import WatchedHub

log = logging.getLogger(__name__)

SLICE_S = 0.004
"""How long items are folded without letting keys and drawing have their turn. From a key to its paint it is some five
turns of the loop, and each of them waits for a slice."""
CLOSE_WITHIN_S = 1.0
"""How long a source may take to close; quitting does not wait for a hub that hangs."""


class Pump:
    """One task that reads a source to its end; its owner stops it."""

    def __init__(
        self,
        source: Source,
        watched: Watched,
        changed: Callable[[], None],
        monotonic: Callable[[], float],
        hub: WatchedHub | None = None,
    ) -> None:
        """Fold the items of ``source`` into ``watched``, as those of ``hub``, and call ``changed`` after each."""
        self._source = source
        self._watched = watched
        self._hub = hub or watched.hubs[0]
        self._changed = changed
        self._monotonic = monotonic
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin reading."""
        self._task = asyncio.create_task(self._run(), name="pump")

    async def stop(self) -> None:
        """End reading; a source that does not close in time is left behind."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task], timeout=CLOSE_WITHIN_S)

    async def _run(self) -> None:
        try:
            await self._read()
        except HubRefused as error:
            self._watched.fail(FeedState.REFUSED, str(error), error, self._hub)
        except Exception as error:  # the outer rim: whatever the source does, the screen stays
            log.exception("the source of events failed")
            self._watched.fail(FeedState.FAILED, f"{type(error).__name__}: {error}", hub=self._hub)
        else:
            if self._hub.feed.state not in (FeedState.ENDED, FeedState.REFUSED):
                self._watched.fail(FeedState.ENDED, "", hub=self._hub)
        self._changed()

    async def _read(self) -> None:
        began = self._monotonic()
        async with aclosing(self._source.items()) as items:
            async for item in items:
                self._take(item)
                if self._monotonic() - began >= SLICE_S:
                    await asyncio.sleep(0)
                    began = self._monotonic()

    def _take(self, item: SourceItem) -> None:
        try:
            self._watched.take(item, self._monotonic(), self._hub)
        except Exception as error:  # one bad item must not cost the rest of the feed
            log.exception("an item of the feed could not be folded")
            fault = Unreadable(type(item).__name__, f"{type(error).__name__}: {error}")
            self._watched.unreadable(fault, self._hub)
        self._changed()
