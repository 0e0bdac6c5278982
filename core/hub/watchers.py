"""Everybody who watches: a commit is encoded once, and written at once to all whose buffers are empty."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from websockets.asyncio.server import broadcast

from .frames import FeedFrame, frames_of
from .lines import with_seq
from .metrics import Counters
from .store import StoredEvent
from .watcher import Watcher

DIRECT_FRAMES = 2
"""A larger commit goes through the queues: what is written at once stands in the buffer of each watcher."""
BEATS = 4
"""Looks at who is quiet in the time of a heartbeat."""


class Watchers:
    """All watchers; those that are live get what is committed."""

    def __init__(self, heartbeat_s: float, counters: Counters) -> None:
        """Start with none; who heard nothing for ``heartbeat_s`` is told where the feed is."""
        self._heartbeat_s = heartbeat_s
        self._counters = counters
        self._all: set[Watcher] = set()
        self._live: set[Watcher] = set()
        self._beating: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look after those who hear nothing."""
        self._beating = asyncio.create_task(self._beat(), name="watchers' heartbeat")

    async def stop(self) -> None:
        """End that."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)

    def enter(self, watcher: Watcher) -> None:
        """Know a watcher, which may be replaying still."""
        self._all.add(watcher)

    def join(self, watcher: Watcher) -> None:
        """Let a watcher have all that is committed from now on."""
        self._live.add(watcher)

    def leave(self, watcher: Watcher) -> None:
        """Forget a watcher."""
        self._all.discard(watcher)
        self._live.discard(watcher)

    def tell(self, frame: FeedFrame) -> None:
        """Send a frame of the hub's own to everybody who is live."""
        for watcher in self._live:
            watcher.tell(frame)

    def restart(self) -> None:
        """End everybody, replaying or live: the numbering they follow is no more, and coming back they learn of it."""
        for watcher in self._all:
            watcher.restart()

    def offer(self, events: Sequence[StoredEvent]) -> None:
        """Hand newly committed events to everybody who is live; never waits."""
        if not self._live:
            return
        wires = [with_seq(event.line, event.seq) for event in events]
        frames = list(frames_of(wires))
        if len(frames) > DIRECT_FRAMES:
            frames = []
        at_once = [watcher for watcher in self._live if frames and watcher.takes_at_once(events)]
        for frame in frames:
            broadcast([watcher.link for watcher in at_once], frame, text=True)
        self._counters.delivered += len(events) * len(at_once)
        for watcher in self._live.difference(at_once):
            self._counters.delivered += watcher.offer(events, wires)

    async def finish(self) -> None:
        """Let everybody have what is committed, then say good-bye; a watcher that reads slowly takes its time."""
        await asyncio.gather(*(watcher.finish() for watcher in list(self._all)), return_exceptions=True)

    def queued(self) -> tuple[int, int]:
        """Return how many events, and how many bytes, wait for watchers."""
        return sum(w.queued_events for w in self._live), sum(w.queued_bytes for w in self._live)

    def largest_lag(self, last: int) -> int:
        """Return how many events the watcher that is furthest behind ``last`` has not been sent."""
        return max((watcher.lag(last) for watcher in self._all), default=0)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat_s / BEATS)
            quiet_since = asyncio.get_running_loop().time() - self._heartbeat_s * (1 - 1 / BEATS)
            for watcher in self._live:
                watcher.beat(quiet_since)
