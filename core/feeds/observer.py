"""Takes note of exchanges and publishes their rounds, off the path of the traffic; knows no HTTP library."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Self

from ..hub.errors import HubError
from ..rounds.events import Event
from .capture import Capture
from .endpoints import Endpoint
from .exchange import Ending, Traffic
from .heads import Headers
from .recording import Recording, Sent, closing
from .rounds_book import RoundBook

log = logging.getLogger(__name__)

QUEUE_BYTES = 64 * 1024 * 1024
"""Copies that wait to be read; above it a call is given up, the traffic never."""
IDLE_S = 900.0
"""How long a round whose tools were asked for waits for the request with their results."""
TURN = 50  # pieces read before the traffic has its turn
TICK_S = 0.1  # held-back output is published, and waiting rounds are looked at, this often

FAULT = "roundwatch failed to read the call; how it ended is not known"

Publish = Callable[[Event], Awaitable[None]]
_Work = Callable[[], Sequence[Event]]


class Observer:
    """``async with Observer(publisher.publish) as observer: …``; ends when everything noted is published.

    Args:
        publish: takes one event; may wait, and may fail.
        capture: what of the content is published.
        idle_s: how long a round waits for its next request; seconds.
        clock: seconds, monotonic.
        queue_bytes: what may wait to be read.
    """

    def __init__(
        self,
        publish: Publish,
        *,
        capture: Capture = Capture.PREVIEW,
        idle_s: float = IDLE_S,
        clock: Callable[[], float] = time.monotonic,
        queue_bytes: int = QUEUE_BYTES,
    ) -> None:
        self._publish, self._capture, self._idle_s = publish, capture, idle_s
        self.clock = clock
        self._book = RoundBook(secrets.token_hex(4), idle_s=idle_s)
        self._queue: deque[tuple[_Observation, _Work, int]] = deque()
        self._limit, self._waiting = queue_bytes, 0
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._ending = False
        self._next_tick = 0.0
        self._holding: set[Recording] = set()
        self._open: set[_Observation] = set()
        self.calls = 0
        """Model calls observed."""
        self.lost_calls = 0
        """Calls of which a part could not be read by us."""
        self.unreadable = 0
        """Places in responses that could not be read."""
        self.unpublished = 0
        """Events that the publisher did not take."""

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name="observer")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for observation in list(self._open):
            observation.end(Ending.STOPPED, "the observing program was ended")
        self._ending = True
        self._wake.set()
        if self._task is not None:
            await self._task

    def begin(self, upstream: str, endpoint: Endpoint, headers: Headers, query: str = "") -> Traffic:
        """Return who takes note of a new model call."""
        self.calls += 1
        sent = Sent(upstream, endpoint, tuple(headers), query, self.clock())
        observation = _Observation(self, Recording(sent, self._book, self._capture))
        self._open.add(observation)
        return observation

    def over(self, observation: _Observation) -> None:
        """Take note that nothing more comes of an exchange."""
        self._open.discard(observation)

    def note(self, observation: _Observation, work: _Work, size: int) -> bool:
        """Queue a piece of work; False when too much waits already. Work without a size is always taken."""
        if size and self._waiting + size > self._limit:
            return False
        self._waiting += size
        self._queue.append((observation, work, size))
        self._wake.set()
        return True

    async def _run(self) -> None:
        self._next_tick = self.clock() + TICK_S
        while self._queue or not self._ending:
            try:
                await self._turn()
            except Exception:  # the task's rim: one call's fault must not end the observing of all others
                log.exception("observing goes on after a fault")
            await asyncio.sleep(0)
        for round_ in list(self._book.waiting()):
            await self._out(closing(round_, self.clock() - round_.waits_since))

    async def _turn(self) -> None:
        await self._rest(self._next_tick)
        for _ in range(min(TURN, len(self._queue))):
            await self._one(*self._queue.popleft())
        if (now := self.clock()) >= self._next_tick:
            self._next_tick = now + TICK_S
            await self._tick(now)

    async def _rest(self, until: float) -> None:
        if self._queue or self._ending:
            return
        self._wake.clear()
        try:
            async with asyncio.timeout(max(0.0, until - self.clock())):
                await self._wake.wait()
        except TimeoutError:
            return

    async def _one(self, observation: _Observation, work: _Work, size: int) -> None:
        self._waiting -= size
        recording = observation.recording
        try:
            events = work()
        except Exception:  # a fault in here must not reach anybody else's call
            log.exception("a model call cannot be observed any further")
            observation.lose(FAULT)
            return
        now = self.clock()
        for event in events:
            await self._out(recording.censor.all(recording.coalescer.add(event, now)))
        if recording.coalescer.due_s() is not None:
            self._holding.add(recording)

    async def _tick(self, now: float) -> None:
        for recording in list(self._holding):
            due = recording.coalescer.due_s()
            if due is None:
                self._holding.discard(recording)
            elif due <= now:
                await self._out(recording.censor.all(recording.coalescer.flush(now)))
        for round_ in self._book.expired(now):
            await self._out(closing(round_, now - round_.waits_since))

    async def _out(self, events: Sequence[Event]) -> None:
        for event in events:
            try:
                await self._publish(event)
            except Exception as error:
                self.unpublished += 1
                if self.unpublished > 1:
                    continue
                if isinstance(error, HubError):  # its words are enough
                    log.warning("events are not published: %s", error)
                else:
                    log.exception("events are not published")


class _Observation:
    """The side of a recording that the traffic sees: it only queues."""

    def __init__(self, observer: Observer, recording: Recording) -> None:
        self._observer, self.recording = observer, recording
        self._lost: str | None = None
        self._missed = 0
        self._over = False

    def lose(self, why: str) -> None:
        """Give the call up; its end will say so."""
        if self._lost is None:
            self._lost = why
            self._observer.lost_calls += 1

    def request_body(self, data: bytes) -> None:
        def take() -> Sequence[Event]:
            self.recording.request_body(data)
            return ()

        self._queue(take, len(data))

    def request_end(self) -> None:
        self._queue(self.recording.request_end)

    def response(self, status: int, headers: Sequence[tuple[bytes, bytes]]) -> None:
        self._queue(lambda: self.recording.response(status, headers))

    def response_body(self, data: bytes) -> None:
        at_ms = self._at_ms()
        self._queue(lambda: self.recording.response_body(data, at_ms), len(data))

    def end(self, ending: Ending, reason: str | None = None) -> None:
        if self._over:
            return
        self._over = True
        self._observer.over(self)
        at_ms = self._at_ms()
        self._observer.note(self, lambda: self._end(ending, reason, at_ms), 0)

    def _end(self, ending: Ending, reason: str | None, at_ms: float) -> Sequence[Event]:
        try:
            events = self.recording.end(ending, reason, at_ms, self._lost)
        except Exception:  # the traffic goes on whatever we make of it; the call is told as lost
            log.exception("the end of a model call cannot be read")
            self.lose(FAULT)
            events = self.recording.end(ending, reason, at_ms, self._lost)
        self._observer.unreadable += self.recording.unreadable_count
        return events

    def _queue(self, work: _Work, size: int = 0) -> None:
        if self._lost is None and not self._over and not self._observer.note(self, work, size):
            self.lose("roundwatch could not keep up; how the call ended is not known")

    def _at_ms(self) -> float:
        return (self._observer.clock() - self.recording.sent.at_s) * 1000
