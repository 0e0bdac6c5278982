"""The way of one transcript's lines to a hub: numbered, at most some of them waiting, sent again after a loss."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from itertools import islice
from ssl import SSLContext

from ...hub import HubError, HubRefused
from ...hub.outbox import Outbox
from ...hub.sender import Sender

WINDOW_EVENTS = 1000
WINDOW_BYTES = 4 * 1024 * 1024
"""Of one transcript, waiting for the hub; then its reader waits."""
STORE_CHANGED = "hub_store_changed"


class FollowOutbox(Outbox):
    """Lines that were read and are not settled."""

    def __init__(self, producer: str, first: int) -> None:
        """Begin with the line of that number."""
        self.producer = producer
        self.first = first
        self.rejected = 0
        self._window: deque[bytes] = deque()
        self._bytes = 0

    @property
    def has_room(self) -> bool:
        """Whether more may be read."""
        return len(self._window) < WINDOW_EVENTS and self._bytes < WINDOW_BYTES

    @property
    def is_empty(self) -> bool:
        """Whether all of it is settled."""
        return not self._window

    def push(self, lines: list[bytes]) -> None:
        """Take lines, in order."""
        self._window.extend(lines)
        self._bytes += sum(map(len, lines))

    def lines_from(self, n: int, limit_bytes: int) -> list[bytes]:
        """See ``Outbox.lines_from``."""
        lines: list[bytes] = []
        size = 0
        for line in islice(self._window, max(0, n - self.first), None):
            size += len(line)
            if lines and size > limit_bytes:
                break
            lines.append(line)
        return lines

    def settle(self, n: int) -> None:
        """See ``Outbox.settle``."""
        while self._window and self.first <= n:
            self._bytes -= len(self._window.popleft())
            self.first += 1

    def refused(self, n: int, why: str) -> None:
        """See ``Outbox.refused``."""
        self.rejected += 1

    def too_big(self, n: int) -> None:
        """See ``Outbox.too_big``."""
        self.rejected += 1
        small = b'{"type":"publisher.event_dropped"}'
        index = n - self.first
        self._bytes += len(small) - len(self._window[index])
        self._window[index] = small

    def start_over(self) -> None:
        """See ``Outbox.start_over``: only reading the transcript again mends this."""
        raise HubRefused("the hub has another store now: the transcript is read again", code=STORE_CHANGED)


class StoreChanged(HubError):
    """The hub does not have what it once acknowledged: begin again with the transcript."""


class Delivery:
    """A connection for one producer; opened with the first line."""

    def __init__(
        self, url: str, token: str | None, producer: str, first: int, *, tls: SSLContext | None = None
    ) -> None:
        """Name the hub, whose authorities are trusted, and the number of the next line."""
        self._outbox = FollowOutbox(producer, first)
        self._sender = Sender(url, token, self._outbox, tls=tls)
        self._task: asyncio.Task[None] | None = None

    @property
    def settled(self) -> int:
        """How many events of this producer the hub has."""
        return self._outbox.first - 1

    @property
    def rejected(self) -> int:
        """Events that the hub did not take."""
        return self._outbox.rejected

    async def put(self, lines: list[bytes]) -> None:
        """Send lines; waits while too many are unsettled.

        Raises:
            StoreChanged: see there.
            HubError: the hub will not have us.
        """
        for start in range(0, len(lines), WINDOW_EVENTS):
            await self._until(lambda: self._outbox.has_room)
            self._outbox.push(lines[start : start + WINDOW_EVENTS])
            if self._task is None:
                self._task = asyncio.create_task(self._sender.run(), name="follow delivery")
            self._sender.wake()

    async def drain(self) -> None:
        """Wait until the hub has everything; raises as ``put`` does."""
        await self._until(lambda: self._outbox.is_empty)

    async def close(self) -> None:
        """End the connection; what is not settled is read again another time."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _until(self, is_so: Callable[[], bool]) -> None:
        state = self._sender.state
        while not is_so():
            if state.fault is not None:
                raise self._fault(state.fault)
            state.changed.clear()
            await state.changed.wait()
        if state.fault is not None:
            raise self._fault(state.fault)

    @staticmethod
    def _fault(fault: HubError) -> HubError:
        return StoreChanged(str(fault)) if getattr(fault, "code", None) == STORE_CHANGED else fault
