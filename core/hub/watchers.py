"""One watcher: replay from the store, then live events from a bounded queue, each seq once and in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from .closing import abort_unless_closed, send
from .errors import StoreUnavailable
from .frames import At, FeedFrame, GapWhy, Hello, Live, State, encode, frames_of, joined
from .gate import Admission
from .limits import CLOSE_TOO_SLOW, HEARTBEAT_S, STUCK_S
from .lines import with_seq
from .replay import gap, start_of
from .store import Page, Store, StoredEvent
from .store_health import WELL


@dataclass(frozen=True, slots=True)
class WatcherLimits:
    """What one watcher may cost."""

    queued_events: int = 10_000
    queued_bytes: int = 8 * 1024 * 1024
    heartbeat_s: float = HEARTBEAT_S
    stuck_s: float = STUCK_S


class Watchers:
    """All watchers that are live now; a commit is encoded once for all of them."""

    def __init__(self) -> None:
        """Start with none."""
        self._live: set[Watcher] = set()

    def join(self, watcher: Watcher) -> None:
        """Let a watcher have all that is committed from now on."""
        self._live.add(watcher)

    def leave(self, watcher: Watcher) -> None:
        """Forget a watcher."""
        self._live.discard(watcher)

    def tell(self, frame: FeedFrame) -> None:
        """Queue a frame of the hub's own for everybody who is live."""
        for watcher in self._live:
            watcher.tell(frame)

    def restart(self) -> None:
        """End everybody who is live: the numbering they follow is no more, and coming back they learn of it."""
        for watcher in self._live:
            watcher.restart()

    def offer(self, events: Sequence[StoredEvent]) -> None:
        """Queue newly committed events for everybody who is live."""
        if not self._live:
            return
        wires = [with_seq(event.line, event.seq) for event in events]
        for watcher in self._live:
            for event, wire in zip(events, wires, strict=True):
                watcher.offer(event, wire)


class Watcher:
    """One connection to ``/v1/rounds``."""

    def __init__(self, link: ServerConnection, admission: Admission, store: Store, limits: WatcherLimits) -> None:
        """Serve ``link`` what ``admission`` asks for out of ``store``."""
        self._link = link
        self._admission = admission
        self._store = store
        self._limits = limits
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self._position = 0
        self._news = asyncio.Event()
        self._overflow = asyncio.Event()
        self._restarted = asyncio.Event()

    async def run(self, watchers: Watchers, server: str) -> bool:
        """Serve until the connection ends; return whether it was ended because the watcher is too slow."""
        pump = asyncio.create_task(self._pump(watchers, server), name="watcher pump")
        ends: list[asyncio.Task[Any]] = [
            pump,
            asyncio.create_task(self._ignore_input(), name="watcher input"),
            asyncio.create_task(self._overflow.wait(), name="watcher overflow"),
            asyncio.create_task(self._restarted.wait(), name="watcher restart"),
        ]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            slow = self._overflow.is_set()
            if slow:
                await abort_unless_closed(self._link, CLOSE_TOO_SLOW, "too slow: resume after your newest seq")
            elif self._restarted.is_set():
                await abort_unless_closed(self._link, CloseCode.SERVICE_RESTART, "the store begins anew: come back")
            elif pump.done():
                await self._end_after(pump.exception())
            return slow
        finally:
            watchers.leave(self)
            for task in ends:
                task.cancel()
            await asyncio.gather(*ends, return_exceptions=True)

    def offer(self, event: StoredEvent, wire: bytes) -> None:
        """Take one committed event; never waits. Over the bound the watcher is given up."""
        if event.seq <= self._position or self._overflow.is_set():
            return  # the replay has sent it already: it may read ahead of what was told
        if event.seq > self._position + 1:
            self.tell(gap(self._position + 1, event.seq - 1, GapWhy.TRIMMED))
        self._position = event.seq
        if self._admission.selection.matches(event):
            self._enqueue(wire)

    def tell(self, frame: FeedFrame) -> None:
        """Take a frame of the hub's own, to go out in its turn; never waits."""
        self._enqueue(encode(frame))

    def restart(self) -> None:
        """Let this connection end: the numbering that it follows is no more."""
        self._restarted.set()

    def _enqueue(self, wire: bytes) -> None:
        self._queue.append(wire)
        self._queued_bytes += len(wire)
        if len(self._queue) > self._limits.queued_events or self._queued_bytes > self._limits.queued_bytes:
            self._queue.clear()
            self._overflow.set()
        self._news.set()

    async def _end_after(self, error: BaseException | None) -> None:
        if isinstance(error, StoreUnavailable):
            await abort_unless_closed(self._link, CloseCode.INTERNAL_ERROR, "the store cannot be read just now")
        elif isinstance(error, TimeoutError):  # nobody reads at the other end
            self._link.transport.abort()
        elif error is not None and not isinstance(error, ConnectionClosed):
            raise error

    async def _pump(self, watchers: Watchers, server: str) -> None:
        store = self._store
        start = start_of(self._admission.after, store.stream, store.first, store.last)
        self._position = start.position
        await self._say(
            Hello(stream=store.stream, first=store.first, last=store.last, server=server),
            *([start.gap] if start.gap else []),
            *([] if (health := store.health) == WELL else [State.of(health)]),
        )
        await self._replay()
        watchers.join(self)  # no await since the position was compared: nothing can fall in between
        if store.health != health:
            self.tell(State.of(store.health))
        await self._say(Live(), At(seq=self._position))
        while True:
            await self._send_queued()

    async def _replay(self) -> None:
        """Send from the store until nothing is committed that was not sent."""
        store, wanted = self._store, self._admission.selection
        ahead: asyncio.Task[Page] | None = None
        try:
            while self._position < store.last:
                page = await (ahead or store.read(self._position, wanted))
                ahead = asyncio.create_task(store.read(page.through, wanted)) if page.through < store.last else None
                await self._send_page(page)
        finally:
            if ahead is not None:
                ahead.cancel()
                await asyncio.gather(ahead, return_exceptions=True)

    async def _send_page(self, page: Page) -> None:
        if page.first > self._position + 1:  # trimmed while we were reading
            await self._say(gap(self._position + 1, page.first - 1, GapWhy.TRIMMED))
        if page.wires:
            await self._send(joined(page.wires))
        else:
            await self._say(At(seq=page.through))
        self._position = page.through

    async def _send_queued(self) -> None:
        try:
            async with asyncio.timeout(self._limits.heartbeat_s):
                await self._news.wait()
        except TimeoutError:
            if not self._queue:  # an event may have come in the very moment of the time-out
                await self._say(At(seq=self._position))
                return
        queued, self._queue = self._queue, deque()
        self._queued_bytes = 0
        self._news.clear()
        for frame in frames_of(queued):
            await self._send(frame)

    async def _say(self, *frames: FeedFrame) -> None:
        await self._send(joined(encode(frame) for frame in frames))

    async def _send(self, data: bytes) -> None:
        await send(self._link, data, self._limits.stuck_s)

    async def _ignore_input(self) -> None:
        """Read and drop what a watcher says: it has nothing to say, but unread frames would hold back its pongs."""
        async for _ in self._link:
            pass
