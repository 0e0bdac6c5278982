"""One watcher: replay from the store, then live events, each seq once and in order.

What is committed is written at once while the connection's buffer is empty. Only a watcher that does not keep up has a
queue, and a task that empties it: a task for each of a hundred watchers doubled what a hub costs.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from .closing import abort_unless_closed, send
from .errors import StoreUnavailable
from .frames import At, FeedFrame, GapWhy, Hello, Live, State, encode, joined
from .gate import Admission
from .limits import CLOSE_TOO_SLOW, SEND_BYTES, WatcherLimits
from .replay import gap, start_of
from .store import Page, Store, StoredEvent
from .store_health import WELL


class Watcher:
    """One connection to ``/v1/rounds``."""

    def __init__(self, link: ServerConnection, admission: Admission, store: Store, limits: WatcherLimits) -> None:
        """Serve ``link`` what ``admission`` asks for out of ``store``."""
        self.link = link
        self._selection = admission.selection
        self._takes_all = not (admission.selection.rounds or admission.selection.threads)
        self._after = admission.after
        self._store = store
        self._limits = limits
        self._queue: deque[bytes] = deque()
        self.queued_bytes = 0
        self._position = 0
        self._said_at = 0.0
        self._starting: asyncio.Task[None] | None = None
        self._emptying: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None
        self._is_slow = False

    @property
    def queued_events(self) -> int:
        """How many wait to be sent."""
        return len(self._queue)

    def lag(self, last: int) -> int:
        """Return how many events up to ``last`` were not handed to the connection yet."""
        return max(0, last - self._position) + len(self._queue)

    async def run(self, server: str, *, live: Callable[[], None]) -> bool:
        """Serve until the connection ends; return whether it was ended because the watcher is too slow.

        Args:
            server: how the hub calls itself.
            live: called when the replay is over: from then on the watcher wants what is committed.
        """
        self._starting = asyncio.create_task(self._start(server, live), name="watcher replay")
        self._starting.add_done_callback(self._started)
        try:
            with contextlib.suppress(ConnectionClosed):
                while True:  # it has nothing to say, but unread frames would hold back its pongs
                    await self.link.recv(decode=False)
            if self._starting.done() and not self._starting.cancelled():
                self._starting.result()
        except (ConnectionClosed, StoreUnavailable, TimeoutError):
            pass  # see _started
        finally:
            tasks = [task for task in (self._starting, self._emptying, self._ending) if task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self._is_slow

    def takes_at_once(self, events: Sequence[StoredEvent]) -> bool:
        """Return whether all of these go to it and can be written just now; then it counts them as sent."""
        if not self._takes_all or events[0].seq != self._position + 1 or not self._is_clear():
            return False
        self._position = events[-1].seq
        self._said_at = _now()
        return True

    def offer(self, events: Sequence[StoredEvent], wires: Sequence[bytes]) -> int:
        """Take of these what it wants, and return how many; over the bound of its queue it is given up."""
        taken = 0
        for event, wire in zip(events, wires, strict=True):
            if event.seq <= self._position or self._ending is not None:
                continue  # the replay has sent it already: it may read ahead of what was told
            if event.seq > self._position + 1:
                self._put(encode(gap(self._position + 1, event.seq - 1, GapWhy.TRIMMED)))
            self._position = event.seq
            if self._selection.matches(event):
                taken += 1
                self._put(wire)
        return taken

    def tell(self, frame: FeedFrame) -> None:
        """Send a frame of the hub's own in its turn; never waits."""
        self._put(encode(frame))

    def beat(self, quiet_since: float) -> None:
        """Say where the feed is to one that was sent nothing since then."""
        if self._said_at <= quiet_since and self._is_clear():
            self._write(encode(At(seq=self._position)))

    def restart(self) -> None:
        """Let this connection end: the numbering that it follows is no more."""
        self._end(CloseCode.SERVICE_RESTART, "the store begins anew: come back")

    async def finish(self) -> None:
        """Send what is left, then say good-bye."""
        if self._starting is not None:
            await asyncio.wait([self._starting])
        if self._emptying is not None:
            await asyncio.wait([self._emptying])
        if self._ending is None:
            self._write(encode(At(seq=self._position)))
            self._end(CloseCode.GOING_AWAY, "the hub stops: come back")
        if self._ending is not None:
            await asyncio.wait([self._ending])

    def _is_clear(self) -> bool:
        return (
            not self._queue
            and self._emptying is None
            and self._ending is None
            and self.link.transport.get_write_buffer_size() == 0
        )

    def _write(self, data: bytes) -> None:
        self._said_at = _now()
        broadcast([self.link], data, text=True)

    def _put(self, wire: bytes) -> None:
        """Queue a frame's element; the queue is emptied from the loop's next turn on, so that many share a frame."""
        if self._ending is not None:
            return
        self._queue.append(wire)
        self.queued_bytes += len(wire)
        if len(self._queue) > self._limits.queued_events or self.queued_bytes > self._limits.queued_bytes:
            self._queue.clear()
            self.queued_bytes = 0
            self._is_slow = True
            self._end(CLOSE_TOO_SLOW, "too slow: resume after your newest seq")
        elif self._emptying is None:
            self._emptying = asyncio.create_task(self._empty(), name="watcher queue")

    async def _empty(self) -> None:
        try:
            while self._queue:
                self._said_at = _now()
                await self._send(self._next_frame())
        except TimeoutError:  # nobody reads at the other end
            self.link.transport.abort()
        except ConnectionClosed:
            pass
        finally:
            self._emptying = None

    def _next_frame(self) -> bytes:
        parts = [self._queue.popleft()]
        size = len(parts[0])
        while self._queue and size + len(self._queue[0]) <= SEND_BYTES:
            size += len(self._queue[0])
            parts.append(self._queue.popleft())
        self.queued_bytes -= size
        return joined(parts)

    def _end(self, code: int, reason: str) -> None:
        if self._ending is None:
            self._ending = asyncio.create_task(abort_unless_closed(self.link, code, reason), name="watcher end")

    def _started(self, starting: asyncio.Task[None]) -> None:
        error = None if starting.cancelled() else starting.exception()
        if isinstance(error, StoreUnavailable):
            self._end(CloseCode.INTERNAL_ERROR, "the store cannot be read just now")
        elif error is not None and not isinstance(error, ConnectionClosed):  # a time-out, or a fault of ours
            self.link.transport.abort()

    async def _start(self, server: str, live: Callable[[], None]) -> None:
        store = self._store
        start = start_of(self._after, store.stream, store.first, store.last)
        self._position = start.position
        await self._say(
            Hello(stream=store.stream, first=store.first, last=store.last, server=server),
            *([start.gap] if start.gap else []),
            *([] if (health := store.health) == WELL else [State.of(health)]),
        )
        await self._replay()
        live()  # no await since the position was compared: nothing can fall in between
        if store.health != health:
            self.tell(State.of(store.health))
        self.tell(Live())
        self.tell(At(seq=self._position))

    async def _replay(self) -> None:
        """Send from the store until nothing is committed that was not sent."""
        store, wanted = self._store, self._selection
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

    async def _say(self, *frames: FeedFrame) -> None:
        await self._send(joined(encode(frame) for frame in frames))

    async def _send(self, data: bytes) -> None:
        await send(self.link, data, self._limits.stuck_s)


def _now() -> float:
    return asyncio.get_running_loop().time()
