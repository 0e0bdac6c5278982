"""Takes note of exchanges and publishes their rounds, off the path of the traffic; knows no HTTP library."""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from ..hub.errors import HubError
from ..rounds.events import Event
from .agenda import Agenda
from .capture import Capture
from .closing import closing
from .endpoints import Endpoint
from .exchange import Ending, Traffic
from .heads import Headers
from .observation import HELD_BYTES, UNNOTED, Observation
from .recording import Recording, Sent
from .rounds_book import RoundBook

log = logging.getLogger(__name__)

QUEUE_BYTES = 256 * 1024 * 1024
"""Copies that wait to be read, with what holds them; above it a call is given up, the traffic never."""
IDLE_S = 900.0
"""How long a round whose tools were asked for waits for the request with their results."""
BATCH_S = 0.1  # pieces of one response that come within this time are read together: one output event tells them
MOST_BATCH_S = 0.5
UNHURRIED = 16  # calls under way
SOON_S = 0.01  # requests, first output and ends; not at once: the first bytes often follow within 1 ms
SLICE_S = 0.0005  # reading goes on for this long before the traffic has its turn

Publish = Callable[[Event], Awaitable[None]]


def batch_s(calls: int) -> float:
    """Return how long pieces of a response wait for more, in seconds.

    The longer the more calls are under way, from ``BATCH_S`` for a few to ``MOST_BATCH_S``: about as many readings a
    second for many calls as for ``UNHURRIED``, so that reading leaves room for the traffic.
    """
    return min(MOST_BATCH_S, BATCH_S * max(1.0, calls / UNHURRIED))


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
        self._publish, self.capture = publish, capture
        self.clock = clock
        self._book = RoundBook(secrets.token_hex(4), idle_s=idle_s)
        self._limit, self._waiting = queue_bytes, 0
        self._agenda = Agenda[Observation]()
        self._wake = asyncio.Event()
        self._wakes_at = 0.0
        self._slice_end = 0.0
        self._task: asyncio.Task[None] | None = None
        self._is_ending = False
        self._open: set[Observation] = set()
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
        self._is_ending = True
        self._wake.set()
        if self._task is not None:
            await self._task

    def begin(self, upstream: str, endpoint: Endpoint, headers: Headers, query: str = "") -> Traffic:
        """Return who takes note of a new model call: nobody, and it is counted as lost, while too much waits."""
        self.calls += 1
        if not self.keep(HELD_BYTES):
            self.lost_calls += 1
            return UNNOTED
        sent = Sent(upstream, endpoint, tuple(headers), query, self.clock(), _now())
        observation = Observation(self, Recording(sent, self._book, self.capture))
        self._open.add(observation)
        return observation

    # what its observations ask

    def elapsed_ms(self, since_s: float) -> float:
        """See ``Observing``."""
        return (self.clock() - since_s) * 1000

    def keep(self, size: int) -> bool:
        """See ``Observing``."""
        if self._waiting + size > self._limit:
            return False
        self._waiting += size
        return True

    def taken(self, size: int) -> None:
        """See ``Observing``."""
        self._waiting -= size

    def over(self, observation: Observation) -> None:
        """See ``Observing``."""
        self._open.discard(observation)

    def ended(self, observation: Observation) -> None:
        """See ``Observing``."""
        self.lost_calls += observation.lost is not None
        self.unreadable += observation.recording.unreadable_count

    def schedule(self, observation: Observation, *, soon: bool) -> None:
        """See ``Observing``."""
        self._plan(observation, self.clock() + (SOON_S if soon else batch_s(len(self._open))))

    def _plan(self, observation: Observation, due_s: float) -> None:
        self._agenda.plan(observation, due_s)
        if due_s < self._wakes_at:
            self._wake.set()

    # its task

    async def _run(self) -> None:
        while self._agenda or not self._is_ending:
            await self._rest()
            try:
                await self._turn()
            except Exception:  # the task's rim: one call's fault must not end the observing of all others
                log.exception("observing goes on after a fault")
        for round_ in list(self._book.waiting()):
            await self._out(closing(round_, self.clock() - round_.waits_since))

    async def _rest(self) -> None:
        """Sleep until something falls due; while nothing waits, until something comes."""
        if self._is_ending:
            return
        self._wakes_at = self._agenda.next_s()
        if (deadline := self._book.next_deadline()) is not None:
            self._wakes_at = min(self._wakes_at, deadline)
        pause_s = self._wakes_at - self.clock()
        if pause_s <= 0:
            await asyncio.sleep(0)
            return
        self._wake.clear()
        timer = asyncio.get_running_loop().call_later(pause_s, self._wake.set) if math.isfinite(pause_s) else None
        await self._wake.wait()
        if timer is not None:
            timer.cancel()

    async def _turn(self) -> None:
        now = self.clock()
        self._wakes_at, self._slice_end = 0.0, now + SLICE_S
        while (observation := self._agenda.pop(math.inf if self._is_ending else now)) is not None:
            await self._read(observation)
        for round_ in self._book.expired(now):
            await self._out(closing(round_, now - round_.waits_since))

    async def _read(self, observation: Observation) -> None:
        if observation.places and observation.recording.refers_back:
            for other in self._agenda.pop_all(but=observation):
                await self._take(other)
        await self._take(observation)

    async def _take(self, observation: Observation) -> None:
        recording = observation.recording
        for events in observation.take():
            await self._out(recording.censor.all(recording.coalescer.add_all(events, self.clock())))
            if self.clock() > self._slice_end:
                await asyncio.sleep(0)
                self._slice_end = self.clock() + SLICE_S
        if (due := recording.coalescer.due_s()) is not None:
            await self._flush(observation, due)

    async def _flush(self, observation: Observation, due_s: float) -> None:
        """Publish what was held back once its time has come; plan it before that."""
        recording, now = observation.recording, self.clock()
        if due_s <= now:
            await self._out(recording.censor.all(recording.coalescer.flush(now)))
        else:
            self._plan(observation, due_s)

    async def _out(self, events: Sequence[Event]) -> None:
        for event in events:
            try:
                await self._publish(event)
            except Exception as error:  # a publisher's fault must not end the observing; it is counted and told once
                self.unpublished += 1
                if self.unpublished > 1:
                    continue
                if isinstance(error, HubError):  # its words are enough
                    log.warning("events are not published: %s", error)
                else:
                    log.exception("events are not published")


def _now() -> datetime:
    """Return the time as publishers stamp it: a round's end must not lie before its beginning."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)
