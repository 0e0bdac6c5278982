"""One publisher's connection: frames in, one commit shared with others, then acknowledgements out."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from operator import is_not
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from .closing import abort_unless_closed, send
from .errors import StoreUnavailable
from .frames import Reject, encode, frames_of
from .held_frames import HeldFrames
from .intake import judge_frame
from .limits import CLOSE_TAKEN_OVER, CLOSE_TOO_SLOW, Limits
from .metrics import Counters
from .open_rounds import OpenRounds
from .pace import Pace
from .redaction import Redaction
from .settled_frames import Answers, Pending
from .store import Receipt, Store, Submission
from .store_health import Checking, Health, Writing
from .supervising import Supervising

log = logging.getLogger(__name__)

GOOD_BYES = (CloseCode.NORMAL_CLOSURE, CloseCode.GOING_AWAY)
PENDING_FRAMES, PENDING_BYTES = 64, 2 * 1024 * 1024
"""Handed to the store ahead of its commits; then the publisher's own socket holds it back.

A commit costs a flush of the disk whatever it holds: of small frames many have to share one.
"""


class _TooManyNames(Exception):
    """One connection sends for more producers than it may."""


class Producers:
    """Which live connection publishes under which producer name."""

    def __init__(self) -> None:
        """Start with none."""
        self._live: dict[str, PublishConnection] = {}

    def claim(self, producer: str, connection: PublishConnection) -> PublishConnection | None:
        """Give the name to ``connection``; return the other one that had it, which must end."""
        before = self._live.get(producer)
        self._live[producer] = connection
        return before if before is not connection else None

    def release(self, connection: PublishConnection) -> list[str]:
        """Forget a connection that ended; return the names that it still had."""
        released = [name for name, held in self._live.items() if held is connection]
        for name in released:
            del self._live[name]
        return released


@dataclass(frozen=True, slots=True)
class Desk:
    """What all publishers' connections of a hub share."""

    store: Store
    producers: Producers
    counters: Counters
    limits: Limits
    pace: Pace
    ack_s: Callable[[float], None]
    """Told the seconds from each frame to its acknowledgement."""
    redaction: Redaction | None = None
    """What it names is never stored."""
    supervising: Supervising | None = None


class PublishConnection:
    """One connection to ``/v1/publish``."""

    def __init__(self, link: ServerConnection, owner: str, desk: Desk) -> None:
        """Take events from ``link`` in the name of ``owner``."""
        self._link = link
        self._owner = owner
        self._desk = desk
        self._store = desk.store
        self._counters = desk.counters
        self._held = HeldFrames()
        self._pending: asyncio.Queue[Pending] = asyncio.Queue(PENDING_FRAMES)
        self._pending_bytes = 0
        self._room = asyncio.Event()
        self._open_rounds = OpenRounds(desk.limits.open_rounds)
        self._answers = Answers(desk.counters, self._claim)
        self._names = 0
        self._taken_over = asyncio.Event()
        self._leaving = asyncio.Event()

    async def run(self) -> None:
        """Serve until the connection ends, or the store fails: then it is closed and the publisher comes back."""
        if self._desk.supervising is not None:
            self._desk.supervising.connected(self)
        reading = asyncio.create_task(self._read(), name="publisher input")
        taking = asyncio.create_task(self._take(), name="publisher frames")
        answering = asyncio.create_task(self._answer(), name="publisher answers")
        ends: list[asyncio.Task[Any]] = [
            reading,
            taking,
            answering,
            asyncio.create_task(self._taken_over.wait(), name="publisher taken over"),
            asyncio.create_task(self._leaving.wait(), name="publisher leaves"),
        ]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if self._taken_over.is_set():
                self._counters.taken_over += 1
                await abort_unless_closed(self._link, CLOSE_TAKEN_OVER, "a newer connection uses this producer name")
            elif self._leaving.is_set():
                await self._settle(reading, taking, answering)
            for task in ends:
                if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                    await self._end_after(error)
        finally:
            for task in ends:
                task.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
            released = self._desk.producers.release(self)
            if self._desk.supervising is not None:
                self._desk.supervising.gone(self, released, is_clean=self._link.close_code in GOOD_BYES)
            if self._answers.rejected > 1:
                log.warning("a publisher is gone: %d of its events or frames were rejected", self._answers.rejected)

    def end(self) -> None:
        """Let this connection end because a newer one uses its producer name."""
        self._taken_over.set()

    def leave(self) -> None:
        """Take no more, acknowledge what was committed, then say good-bye."""
        self._leaving.set()

    async def _settle(
        self, reading: asyncio.Task[None], taking: asyncio.Task[None], answering: asyncio.Task[None]
    ) -> None:
        """Wait for what was read; no longer than there is somebody to answer and a store that takes it."""
        reading.cancel()
        self._held.close()
        gone = asyncio.create_task(self._link.wait_closed())
        answered = asyncio.create_task(self._answered_after(taking))
        await asyncio.wait([answered, answering, gone], return_when=asyncio.FIRST_COMPLETED)
        for task in (answered, gone):
            task.cancel()
        if answering.done():
            return  # the store failed: its own good-bye follows
        await abort_unless_closed(self._link, CloseCode.GOING_AWAY, "the hub stops: send the rest when it is back")

    async def _answered_after(self, taking: asyncio.Task[None]) -> None:
        await asyncio.wait([taking])
        await self._pending.join()

    async def _end_after(self, error: BaseException) -> None:
        if isinstance(error, StoreUnavailable):
            self._counters.store_failures += 1
            await abort_unless_closed(self._link, CLOSE_TOO_SLOW, _unavailable(self._store.health))
        elif isinstance(error, TimeoutError):  # nobody reads the answers
            self._link.transport.abort()
        elif isinstance(error, _TooManyNames):
            await abort_unless_closed(self._link, CloseCode.POLICY_VIOLATION, str(error))
        elif not isinstance(error, ConnectionClosed):
            raise error

    async def _read(self) -> None:
        """Read frames as bytes: text that is not UTF-8 is one bad frame, not the end of the link."""
        while True:
            frame = await self._link.recv(decode=False)
            self._counters.received_bytes += len(frame)
            await self._held.put(frame)

    async def _take(self) -> None:
        while (frame := await self._held.get()) is not None:
            read_at = time.monotonic()
            judged = judge_frame(frame, self._owner)
            if (pause_s := self._desk.pace.spend(self._owner, len(judged), len(frame))) > 0:
                self._counters.slowed += 1
                await asyncio.wait([self._held.closed], timeout=pause_s)
                if self._held.closed.done():
                    return
            rejects = [item for item in judged if isinstance(item, Reject)]
            submissions = await self._admitted([item for item in judged if isinstance(item, Submission)])
            receipts = asyncio.create_task(self._store.append(submissions), name="publisher commit")
            receipts.add_done_callback(_heard)
            await self._pending.put(Pending(rejects, submissions, receipts, read_at, len(frame)))
            self._pending_bytes += len(frame)
            while self._pending_bytes > PENDING_BYTES:
                self._room.clear()
                await self._room.wait()

    async def _admitted(self, submissions: list[Submission]) -> list[Submission]:
        """Return the submissions as they may be stored."""
        allowed = self._open_rounds.judged_all(submissions)
        self._counters.rounds_refused += sum(map(is_not, allowed, submissions))
        redaction = self._desk.redaction
        if redaction is None:
            return allowed
        clean = await asyncio.to_thread(redaction.blotted, allowed)
        for before, after in zip(allowed, clean, strict=True):
            self._counters.redacted += after.line != before.line
        return clean

    async def _answer(self) -> None:
        """Answer what is settled, all that one commit settled together."""
        ahead: Pending | None = None
        while True:
            pending = ahead or await self._pending.get()
            await pending.receipts
            settled = [pending]
            ahead = self._settled_too(settled)
            if self._desk.supervising is not None:
                for pending in settled:
                    self._desk.supervising.stored(pending.submissions, pending.receipts.result())
            for frame in frames_of(encode(answer) for answer in self._answers.of(settled)):
                await send(self._link, frame)
            now = time.monotonic()
            for pending in settled:
                self._pending.task_done()
                self._pending_bytes -= pending.size
                self._desk.ack_s(now - pending.read_at)
            self._room.set()

    def _settled_too(self, settled: list[Pending]) -> Pending | None:
        """Add the frames that follow and are settled already; return the first that is not, where there is one."""
        while not self._pending.empty():
            pending = self._pending.get_nowait()
            if not pending.is_settled:
                return pending
            settled.append(pending)
        return None

    def _claim(self, producer: str) -> None:
        if self._names >= self._desk.limits.producers:
            raise _TooManyNames(f"more than {self._desk.limits.producers} producer names on one connection")
        self._names += 1
        if self._desk.supervising is not None:
            self._desk.supervising.named(self, producer)
        other = self._desk.producers.claim(producer, self)
        if other is not None:
            other.end()


def _unavailable(health: Health) -> str:
    """Return why nothing is acknowledged, without the paths that a log may hold; publishers keep what they have."""
    if health.checking is Checking.DAMAGED:
        return "the hub's store is damaged: nothing is taken before it is mended"
    match health.writing:
        case Writing.FULL:
            return "the hub's disk is full: send again later"
        case Writing.READ_ONLY:
            return "the hub's store is read only: send again later"
        case _:
            return "the store cannot be written: send again later"


def _heard(receipts: asyncio.Task[list[Receipt]]) -> None:
    """Mark an error as seen: the connection may have ended before anybody awaited the commit."""
    if not receipts.cancelled():
        receipts.exception()
