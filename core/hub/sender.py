"""The publisher's connection: sends an outbox, hears acknowledgements, and comes back after every loss."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from ssl import SSLContext

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from .address import endpoint
from .backoff import STABLE_S, delays, describe, plain
from .closing import send
from .errors import FrameError, HubError, HubRefused
from .frames import GAP_WHY, NOT_OWNER_WHY, Ack, Reject, joined, read_frame
from .intake import split_id
from .limits import CLOSE_TOO_BIG, PUBLISH_PATH, SEND_BYTES
from .lines import split_frame
from .link import LINK_ERRORS, dial, refusal
from .outbox import Outbox

log = logging.getLogger(__name__)


GATHER_S = 0.02  # events that follow each other closer than this share a frame: both sides save most of their work


class _Resync(HubError):
    """The hub expects another number: connect again and go on from there."""


@dataclass(slots=True)
class SendState:
    """What a user interface says about a publisher."""

    connected: bool = False
    reason: str | None = None
    """Why it is not connected."""
    acknowledged: int = 0
    rejected: int = 0
    shortened: int = 0
    """Sent with a text cut so that the event fits."""
    reconnects: int = 0
    fault: HubError | None = None
    """Set once for good: trying again cannot help."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever something was settled or the fault appeared; whoever waits clears it first."""


class Sender:
    """Sends what ``outbox`` holds until it is cancelled or refused for good."""

    def __init__(
        self,
        url: str,
        token: str | None,
        outbox: Outbox,
        state: SendState | None = None,
        rand: Callable[[], float] = random.random,
        tls: SSLContext | None = None,
    ) -> None:
        """Name the hub; nothing is opened before ``run``. ``tls`` says which authorities are trusted.

        Raises:
            ValueError: ``url`` is no hub URL.
        """
        self.state = state or SendState()
        self._target = endpoint(url, PUBLISH_PATH)
        self._token = token
        self._tls = tls
        self._outbox = outbox
        self._rand = rand
        self._more = asyncio.Event()
        self._next = outbox.first
        self._one_by_one = False

    def wake(self) -> None:
        """Say that the outbox has something new."""
        self._more.set()

    async def run(self) -> None:
        """Deliver for ever; returns only when trying again cannot help (``state.fault``)."""
        try:
            await self._run()
        except Exception as error:  # the task's rim: whoever waits for an acknowledgement must learn of it
            log.exception("publishing ended by a fault of our own")
            self.state.fault = HubError(f"publishing ended by a fault of our own: {type(error).__name__}")
            self.state.connected = False
            self.state.changed.set()

    async def _run(self) -> None:
        pauses = delays(self._rand)
        loop = asyncio.get_running_loop()
        while True:
            since = loop.time()
            fault = await self._attempt()
            self.state.connected = False
            self.state.reason = describe(fault)
            if not isinstance(fault, _Resync) and (fatal := refusal(fault)) is not None:
                log.error("publishing ends: %s", fatal)
                self.state.fault = fatal
                self.state.changed.set()
                return
            self._consider_size(fault)
            if loop.time() - since >= STABLE_S:
                pauses = delays(self._rand)
            pause = next(pauses)
            log.info("publishing again in %.1f s: %s", pause, self.state.reason)
            await asyncio.sleep(pause)
            self.state.reconnects += 1

    def _consider_size(self, fault: BaseException) -> None:
        """After a close 1009 send one at a time; when that one alone is too big, take it out."""
        if not (isinstance(fault, ConnectionClosed) and fault.rcvd is not None and fault.rcvd.code == CLOSE_TOO_BIG):
            return
        if self._one_by_one and self._next > self._outbox.first:
            self._outbox.too_big(self._outbox.first)
            self._one_by_one = False
        else:
            self._one_by_one = True

    async def _attempt(self) -> BaseException:
        """Connect and deliver; return what ended it."""
        try:
            async with dial(self._target, self._token, self._tls) as link:
                return await self._deliver(link)
        except LINK_ERRORS as error:
            return error

    async def _deliver(self, link: ClientConnection) -> BaseException:
        self._next = self._outbox.first
        self._more.set()
        self.state.connected, self.state.reason = True, None
        tasks = [asyncio.create_task(self._send(link)), asyncio.create_task(self._hear(link))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        errors = [error for error in results if isinstance(error, Exception)]
        for error in errors:
            if not isinstance(error, LINK_ERRORS):
                raise error
        return next((error for error in errors if isinstance(error, HubError)), errors[0])

    async def _send(self, link: ClientConnection) -> None:
        loop = asyncio.get_running_loop()
        sent_at = -GATHER_S
        while True:
            await self._more.wait()
            if (pause_s := sent_at + GATHER_S - loop.time()) > 0:
                await asyncio.sleep(pause_s)
            self._more.clear()
            sent_at = loop.time()
            while lines := self._ready():
                parts = [self._stamped(line, self._next + index) for index, line in enumerate(lines)]
                self._next += len(lines)
                await send(link, joined(parts))

    def _ready(self) -> list[bytes]:
        if self._one_by_one:
            return [] if self._next > self._outbox.first else self._outbox.lines_from(self._next, 1)
        return self._outbox.lines_from(self._next, SEND_BYTES)

    def _stamped(self, line: bytes, n: int) -> bytes:
        return b'{"id":%b,%b' % (json.dumps(f"{self._outbox.producer}:{n}").encode(), line[1:])

    async def _hear(self, link: ClientConnection) -> None:
        while True:
            data = await link.recv(decode=False)
            try:
                pieces = split_frame(data.decode("utf-8", "replace"))
            except FrameError as error:  # it may have been an acknowledgement that never comes again by itself
                raise _Resync(f"the hub's answer cannot be read: {error}") from None
            try:
                frames = [read_frame(piece.fields or {}) for piece in pieces]
            except FrameError as error:
                log.warning("the hub answered something unknown: %s", error)
                continue
            for frame in frames:
                if isinstance(frame, Ack):
                    self._acknowledged(frame)
                elif isinstance(frame, Reject):
                    self._rejected(frame)

    def _acknowledged(self, ack: Ack) -> None:
        named = split_id(ack.id)
        if named is None or named[0] != self._outbox.producer:
            return
        before = self._outbox.first
        self._outbox.settle(min(named[1], self._next - 1))
        self.state.acknowledged += self._outbox.first - before
        self.state.changed.set()
        self._more.set()

    def _rejected(self, reject: Reject) -> None:
        named = split_id(reject.id or "")
        if reject.why == GAP_WHY and reject.expected is not None:
            if reject.expected < self._outbox.first:
                self._outbox.start_over()
            raise _Resync(f"the hub expects number {reject.expected}")
        if reject.why == NOT_OWNER_WHY:
            raise HubRefused(
                f"the producer name {self._outbox.producer} belongs to another token at this hub",
                code="hub_producer_taken",
                producer=self._outbox.producer,
            )
        if (
            named is None or named[0] != self._outbox.producer
        ):  # a whole frame, spoilt on its way: none of it is settled
            raise _Resync(f"the hub could not read a frame: {plain(reject.why)}")
        self.state.rejected += 1
        self._outbox.refused(named[1], reject.why)
