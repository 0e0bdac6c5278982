"""Publishing in somebody else's protocol: the frames are translated, and the hub numbers what they tell.

Such a protocol knows no acknowledgement, so none is sent. Where it names its runs, each run is a producer of its own:
one that is sent again from its beginning is stored once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from ..rounds.events import Event
from .closing import abort_unless_closed
from .errors import StoreUnavailable
from .held_frames import HeldFrames
from .inlet import Inlet, Numbered
from .limits import CLOSE_TOO_SLOW
from .publishing import Desk

log = logging.getLogger(__name__)

SETTLE_S = 30.0  # for what came before the end of a link
READ_TOGETHER = 64  # frames that are there already become one commit


class Heard(NamedTuple):
    """One event of a frame."""

    producer: str
    event: Event
    is_first: bool = False
    """The run begins with it, so it has the number 1, also when it was told before."""


class UnreadableFrame(ValueError):
    """A frame that tells nothing; ``str()`` says why and quotes nothing of it."""


class Listener(Protocol):
    """Translates the frames of one connection."""

    def feed(self, frame: str, at: datetime) -> Sequence[Heard]:
        """Return what a frame tells.

        Args:
            frame: one message of the foreign protocol.
            at: when it came, for what bears no time of its own.

        Raises:
            UnreadableFrame: it is none.
        """
        ...

    def close(self, at: datetime) -> Sequence[Heard]:
        """Return what the end of the connection tells."""
        ...


ForeignStream = Callable[[str], Listener]
"""Makes the listener of a connection, given a name for it that no other connection has."""


class Runs:
    """Which live connection publishes under which producer name; a newer one ends the older one."""

    def __init__(self) -> None:
        """Start with none."""
        self._held: dict[str, ForeignConnection] = {}

    async def claim(self, producer: str, connection: ForeignConnection) -> None:
        """Give the name to ``connection``; return once all that the one before was sent is numbered and stored."""
        before = self._held.get(producer)
        self._held[producer] = connection
        if before is not None and before is not connection:
            before.leave()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SETTLE_S):
                    await before.ended.wait()

    def release(self, connection: ForeignConnection) -> None:
        """Forget a connection that ended."""
        self._held = {name: held for name, held in self._held.items() if held is not connection}


class ForeignConnection:
    """One connection to ``/v1/publish`` in a foreign subprotocol."""

    def __init__(
        self, link: ServerConnection, owner: str, stream: ForeignStream, inlet: Inlet, desk: Desk, runs: Runs
    ) -> None:
        """Take frames from ``link`` in the name of ``owner``."""
        self._link, self._owner, self._inlet, self._desk = link, owner, inlet, desk
        self._runs = runs
        self.ended = asyncio.Event()
        """All that it was sent is stored."""
        self._listener = stream(secrets.token_hex(6))
        self._numbers: dict[str, int] = {}
        self._unreadable = 0
        self._held = HeldFrames()
        self._is_over = asyncio.Event()
        self._leaving = asyncio.Event()

    async def run(self) -> None:
        """Serve until the connection ends, or the store fails: then it is closed."""
        receiving = asyncio.create_task(self._receive(), name="foreign publisher's frames")
        reading = asyncio.create_task(self._read(), name="foreign publisher")
        leaving = asyncio.create_task(self._leaving.wait(), name="foreign publisher leaves")
        try:
            await asyncio.wait([receiving, reading, leaving], return_when=asyncio.FIRST_COMPLETED)
            receiving.cancel()
            self._is_over.set()
            await asyncio.wait([reading], timeout=SETTLE_S)  # what came before is still taken
            if reading.done() and (error := reading.exception()) is not None:
                await self._end_after(error)
            elif leaving.done():
                await abort_unless_closed(
                    self._link, CloseCode.GOING_AWAY, "the hub stops, or a newer connection goes on"
                )
        finally:
            tasks = receiving, reading, leaving
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._runs.release(self)
            self.ended.set()
            if self._unreadable > 1:
                log.warning("a foreign stream ended: %d of its frames were unreadable", self._unreadable)

    def leave(self) -> None:
        """Take no more, store what came, then say good-bye."""
        self._leaving.set()

    async def _receive(self) -> None:
        try:
            while True:
                await self._held.put(await self._link.recv(decode=False))
        except ConnectionClosed:
            self._is_over.set()

    async def _read(self) -> None:
        """Take frames until none is left of a link that ended; then tell what its end means."""
        try:
            while (frames := await self._frames()) is not None:
                await self._take(frames)
        finally:
            await self._store(list(self._listener.close(datetime.now(UTC))))

    async def _frames(self) -> list[bytes] | None:
        together = self._held.more(READ_TOGETHER)
        if together:
            return together
        getting = asyncio.ensure_future(self._held.get())
        ending = asyncio.ensure_future(self._is_over.wait())
        try:
            await asyncio.wait([getting, ending], return_when=asyncio.FIRST_COMPLETED)
            if not getting.done():
                return None
            frame = getting.result()
            return None if frame is None else [frame, *self._held.more(READ_TOGETHER - 1)]
        finally:
            getting.cancel()
            ending.cancel()

    async def _take(self, frames: Sequence[bytes]) -> None:
        heard: list[Heard] = []
        size = 0
        for frame in frames:
            size += len(frame)
            try:
                heard += self._listener.feed(frame.decode("utf-8"), datetime.now(UTC))
            except UnreadableFrame as error:
                self._reject(str(error))
            except UnicodeDecodeError:
                self._reject("not UTF-8")
        self._desk.counters.received_bytes += size
        if (pause_s := self._desk.pace.spend(self._owner, len(heard), size)) > 0:
            self._desk.counters.slowed += 1
            await asyncio.sleep(pause_s)
        await self._store(heard)

    def _reject(self, why: str) -> None:
        self._desk.counters.frames_rejected += 1
        if not self._unreadable:
            log.warning("a foreign stream holds what is no frame of it: %s; the rest goes on", why)
        self._unreadable += 1

    async def _store(self, heard: Sequence[Heard]) -> None:
        if heard:
            await self._inlet.take([await self._numbered(each) for each in heard])

    async def _numbered(self, heard: Heard) -> Numbered:
        """Number an event: from 1 on where the run begins, else after what is settled already."""
        producer = heard.producer
        if producer not in self._numbers:
            await self._runs.claim(producer, self)
        if heard.is_first:
            self._numbers[producer] = 0
        elif producer not in self._numbers:
            self._numbers[producer] = await self._inlet.settled(producer)
        self._numbers[producer] += 1
        return Numbered(self._owner, producer, self._numbers[producer], heard.event)

    async def _end_after(self, error: BaseException) -> None:
        if isinstance(error, StoreUnavailable):
            self._desk.counters.store_failures += 1
            await abort_unless_closed(self._link, CLOSE_TOO_SLOW, "the store cannot be written: send again later")
        elif not isinstance(error, ConnectionClosed):
            raise error
