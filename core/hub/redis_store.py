"""The store that several hubs share: a Redis stream whose entry ids are our numbers. Needs the extra ``redis``."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import ClassVar, TypeVar

from redis.exceptions import RedisError

from .errors import StoreError, StoreUnavailable
from .gathered import Gathered
from .limits import CLOSE_S
from .redis_address import place_of
from .redis_calls import RedisCalls
from .redis_link import RedisLink, Restarted, fault_of, refusal
from .redis_server import meet, refuse_volatile
from .retention import KEEP_ALL, Retention
from .store import EVERYTHING, Page, Producer, Receipt, Selection, Store, StoredEvent, StoreListener, Submission
from .store_health import Health, Writing

log = logging.getLogger(__name__)
T = TypeVar("T")

NAME = "roundwatch"
GROUP_EVENTS = 500  # one script: Redis does nothing else meanwhile, about 10 ms
GROUP_BYTES = 4 * 1024 * 1024
UPKEEP_S = 1.0


class RedisStore(Store):
    """Events in a Redis stream. Every hub that has it open hears all events by the same waiting read."""

    is_shared: ClassVar[bool] = True

    def __init__(
        self,
        url: str,
        *,
        retention: Retention = KEEP_ALL,
        allow_volatile: bool = False,
        name: str = NAME,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Name the server; nothing is connected yet.

        Args:
            url: ``redis://host:port/number``; user and password may be in it and are never shown.
            retention: what is kept.
            allow_volatile: take a server that loses everything when it ends.
            name: begins every key; hubs with the same one share a history.
            clock: seconds since 1970, for the age of events.

        Raises:
            StoreError: ``url`` is no Redis address.
        """
        self._place = place_of(url)
        self._retention = retention
        self._allow_volatile = allow_volatile
        self._clock = clock
        self._link = RedisLink(url)
        self._calls = RedisCalls(self._link, name)
        self._gathered = Gathered(GROUP_EVENTS, GROUP_BYTES)
        self._committer: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._news = asyncio.Event()
        self._mending = asyncio.Lock()
        self._is_open = False

    @property
    def place(self) -> str:
        """The address without credentials."""
        return self._place

    async def open(self, listener: StoreListener) -> None:
        """See ``Store.open``."""
        self._listener = listener
        try:
            await self._look()
        except (RedisError, OSError) as error:
            await self._link.close()
            raise refusal(self._place, error) from None
        except StoreError:
            await self._link.close()
            raise
        self._is_open = True
        log.info("store %s: stream %s, events %d to %d", self._place, self.stream, self.first, self.last)
        self._tasks = [
            asyncio.create_task(self._follow(), name="store news"),
            asyncio.create_task(self._keep_up(), name="store upkeep"),
        ]

    async def append(self, batch: Sequence[Submission]) -> list[Receipt]:
        """See ``Store.append``."""
        self._refuse_if_closed()
        answer = self._gathered.add(batch)
        if self._committer is None or self._committer.done():
            self._committer = asyncio.create_task(self._commit_all(), name="store commits")
        return await answer

    async def read(self, after: int, selection: Selection = EVERYTHING) -> Page:
        """See ``Store.read``."""
        self._refuse_if_closed()
        return await self._asked(self._calls.page(after, selection))

    async def producer(self, name: str) -> Producer | None:
        """See ``Store.producer``."""
        self._refuse_if_closed()
        return await self._asked(self._calls.producer(name))

    async def trim(self) -> int:
        """See ``Store.trim``."""
        if not self._retention.is_bounded:
            return 0
        self._refuse_if_closed()
        gone, first = await self._asked(self._calls.trim(self.stream, self._retention, self._clock()))
        self.first = max(self.first, first)
        return gone

    async def close(self) -> None:
        """See ``Store.close``."""
        was_open, self._is_open = self._is_open, False
        if self._committer is not None:
            await asyncio.gather(self._committer, return_exceptions=True)
        await self._end_tasks()
        if was_open:
            await self._link.close()
            await self._end_tasks()

    async def _end_tasks(self) -> None:
        """End what runs beside the traffic; the library may keep a cancellation to itself, so it is not waited for."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            _, running = await asyncio.wait(self._tasks, timeout=CLOSE_S)
            self._tasks = list(running)

    async def _look(self) -> None:
        """Meet the server, and learn or make the history that it holds.

        Raises:
            StoreError: it must not be used.
            RedisError: it does not answer.
        """
        known = self._link.known
        known.run = None
        server = await meet(self._link.commands)
        if not self._allow_volatile:
            refuse_volatile(server, self._place)
        stream, first, last = await self._calls.begin(server, self._place, self.last)
        known.run, self.promise = server.run, server.promise
        if self.stream and self.stream != stream:
            log.warning("store %s: it was started anew and may have lost its newest events", self._place)
            self.stream, self.first, self.last = stream, first, last
            self._listener.restarted()
            return
        self.stream, self.first = stream, first
        if not self._is_open:  # later it is what the listener was told
            self.last = last

    async def _follow(self) -> None:
        """Tell of every event in order, whoever appended it, until the store is closed."""
        while self._is_open:
            try:
                await self._tell_news()
            except (RedisError, OSError) as error:
                self._fail(error)
                await asyncio.sleep(UPKEEP_S)

    async def _tell_news(self) -> None:
        stream = self.stream
        told = await self._calls.news(self.last)
        if stream == self.stream:
            self._tell([event for event in told if event.seq > self.last])

    def _tell(self, events: Sequence[StoredEvent]) -> None:
        """Tell the listener what follows the newest event it knows."""
        if not events:
            return
        self.last = events[-1].seq
        try:
            self._listener.committed(events)
        except Exception:  # what watchers are told must not keep publishers waiting for what is committed
            log.exception("watchers were not told of events up to %d", self.last)
        self._news.set()

    async def _commit_all(self) -> None:
        """Commit group after group until nothing waits."""
        while group := self._gathered.take():
            try:
                receipts = await self._commit(group.batch)
            except Exception as error:  # noqa: BLE001 - this task's rim: whoever waits has to hear of any failure
                group.refuse(self._fail(error))
            else:
                group.settle(receipts)

    async def _commit(self, batch: Sequence[Submission]) -> list[Receipt]:
        if self.health.writing is not Writing.OK:
            self._refuse_if_closed()  # a server that is away must not keep the hub from ending
            await self._mend()
        stream = self.stream
        receipts, events = await self._calls.append(stream, self._clock(), batch)
        fresh = [event for event in events if event.seq > self.last]
        if fresh and fresh[0].seq == self.last + 1 and stream == self.stream:
            self._tell(fresh)  # else another hub's events come first, and the news brings all in order
        newest = events[-1].seq if events else 0
        while self.last < newest:  # told before it is acknowledged
            if self.health.writing is not Writing.OK:
                raise Restarted("the connection broke before the events came back")
            self._news.clear()
            await self._news.wait()
        self._become(replace(self.health, writing=Writing.OK, why=None))
        return receipts

    async def _keep_up(self) -> None:
        """Let old events go, and find out whether writing works again, until the store is closed."""
        while self._is_open:
            await asyncio.sleep(UPKEEP_S)
            try:
                while await self.trim():  # noqa: ASYNC110 - one step and a pause, no waiting
                    await asyncio.sleep(0)
                if self.health.writing is not Writing.OK:
                    await self._mend()
            except StoreUnavailable as error:
                log.debug("upkeep has to wait: %s", error)

    async def _mend(self) -> None:
        """Look at the server again; ``health`` is well when it takes writes.

        Raises:
            StoreUnavailable: it does not.
        """
        async with self._mending:
            try:
                await self._look()
                await self._calls.probe()
            except (StoreError, RedisError, OSError) as error:
                raise self._fail(error) from None
            self._become(replace(self.health, writing=Writing.OK, why=None))

    async def _asked(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except (RedisError, OSError) as error:
            raise self._fail(error) from None

    def _refuse_if_closed(self) -> None:
        if not self._is_open:
            raise StoreUnavailable("the store is closed")

    def _fail(self, error: Exception) -> StoreUnavailable:
        """Take note that the server cannot be used, and return what to raise."""
        if isinstance(error, StoreUnavailable):
            return error  # taken note of where it was found
        writing, why = fault_of(self._place, error)
        if isinstance(error, StoreError):
            why = str(error)
        self._become(Health(writing, self.health.checking, why))
        return StoreUnavailable(why)

    def _become(self, health: Health) -> None:
        before, self.health = self.health, health
        if health == before:
            return
        if health.why is not None and before.writing is not health.writing:
            log.error("%s; nothing that was not written is acknowledged", health.why)
        elif health.why is None:
            log.info("store %s: it works again", self._place)
        self._listener.health(health)
        self._news.set()
