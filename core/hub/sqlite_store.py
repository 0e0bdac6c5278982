"""The default store: SQLite in WAL mode, written and read in threads of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from .errors import StoreError, StoreUnavailable
from .gathered import Gathered, Group
from .retention import KEEP_ALL, Retention
from .sqlite_check import QuickCheck
from .sqlite_faults import damaged, fault_of, refusal
from .sqlite_file import SqliteFile, Work, mark_closed, mark_open
from .sqlite_read import read_page, read_producer
from .sqlite_schema import Synchronous
from .sqlite_trim import shrink_step, trim_step
from .sqlite_upkeep import check_beside, keep_up, probe
from .sqlite_write import Committed, commit
from .store import EVERYTHING, Page, Producer, Receipt, Selection, Store, StoreListener, Submission
from .store_health import Checking, Health, Promise, Writing

log = logging.getLogger(__name__)
T = TypeVar("T")

GROUP_EVENTS = 2000  # one transaction: long enough to share the disk's flush, short enough to answer soon
GROUP_CHARS = 16 * 1024 * 1024
PROMISES = {Synchronous.FULL: Promise.POWER_CUT, Synchronous.NORMAL: Promise.HUB_END}


class SqliteStore(Store):
    """Events in one SQLite file. While a commit runs, what arrives is collected for the next one."""

    def __init__(
        self,
        path: Path,
        *,
        retention: Retention = KEEP_ALL,
        synchronous: Synchronous = Synchronous.FULL,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Name the file.

        Args:
            path: of the file; its log and its lock stand beside it.
            retention: what is kept.
            synchronous: what an acknowledgement is worth.
            clock: seconds since 1970, for the age of events.
        """
        self.path = path
        self.promise = PROMISES[synchronous]
        self._retention = retention
        self._clock = clock
        self._file = SqliteFile(path, synchronous)
        self._check = QuickCheck(path)
        self._gathered = Gathered(GROUP_EVENTS, GROUP_CHARS)
        self._committer: asyncio.Task[None] | None = None
        self._upkeep: asyncio.Task[None] | None = None
        self._checker: asyncio.Task[None] | None = None

    @property
    def place(self) -> str:
        """The file's path."""
        return str(self.path)

    @property
    def writing(self) -> Writing:
        """Whether it can be written."""
        return self.health.writing

    async def open(self, listener: StoreListener) -> None:
        """See ``Store.open``. One hub at a time may have the file open."""
        self._listener = listener
        try:
            found = await self._file.open()
        except sqlite3.Error as error:
            await self.close()
            raise refusal(self.path, error) from None
        except BaseException:
            await self.close()
            raise
        self.stream, self.first, self.last = found.stream, found.first, found.last
        log.info("store %s: stream %s, events %d to %d", self.path, self.stream, self.first, self.last)
        with contextlib.suppress(StoreUnavailable):  # a full disk does not keep watchers from what is stored
            await self._write(mark_open)
        if found.left_open:
            self._become(replace(self.health, checking=Checking.RUNNING))
            self._checker = asyncio.create_task(self._check_beside(), name="store check")
        self._upkeep = asyncio.create_task(keep_up(self), name="store upkeep")

    async def append(self, batch: Sequence[Submission]) -> list[Receipt]:
        """See ``Store.append``."""
        self._refuse_if_unusable()
        answer = self._gathered.add(batch)
        if self._committer is None or self._committer.done():
            self._committer = asyncio.create_task(self._commit_all(), name="store commits")
        return await answer

    async def read(self, after: int, selection: Selection = EVERYTHING) -> Page:
        """See ``Store.read``."""
        return await self._read(lambda reader: read_page(reader, after, selection))

    async def producer(self, name: str) -> Producer | None:
        """See ``Store.producer``."""
        return await self._read(lambda reader: read_producer(reader, name))

    async def trim(self) -> int:
        """See ``Store.trim``."""
        if not self._retention.is_bounded:
            return 0
        now_s = self._clock()
        done = await self._write(lambda writer: trim_step(writer, self._retention, now_s))
        self.first = max(self.first, done.first)
        return done.events

    async def shrink(self) -> bool:
        """Give a step's worth of free space back to the disk; return whether there may be more.

        Raises:
            StoreUnavailable: it cannot be written just now.
        """
        return await self._write(shrink_step)

    async def try_again(self) -> None:
        """Find out whether writing works by now; ``health`` says so.

        Raises:
            StoreUnavailable: it does not.
        """
        if self.writing is not Writing.FULL:
            try:
                await self._file.reopen(self.stream, self.last)
            except (StoreError, sqlite3.Error) as error:
                raise self._fault(error) from None
        await self._write(probe)
        self._become_writable()

    async def close(self) -> None:
        """See ``Store.close``."""
        self._check.stop()
        if self._upkeep is not None:
            self._upkeep.cancel()
        tasks = [task for task in (self._upkeep, self._checker, self._committer) if task is not None]
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._upkeep is not None and self.health.checking in (Checking.NOT_NEEDED, Checking.SOUND):
            with contextlib.suppress(StoreUnavailable):  # else the next start checks, as it should
                await self._write(mark_closed)
        self._upkeep = None
        await self._file.close()

    def _refuse_if_unusable(self) -> None:
        if not self._file.is_open:
            raise StoreUnavailable("the store is closed")
        if self.health.checking is Checking.DAMAGED:
            raise StoreUnavailable(self.health.why or "")

    async def _write(self, work: Work[T]) -> T:
        self._refuse_if_unusable()
        try:
            return await self._file.write(work)
        except (StoreError, sqlite3.Error) as error:
            raise self._fault(error) from None

    async def _read(self, work: Work[T]) -> T:
        if not self._file.is_open:
            raise StoreUnavailable("the store is closed")
        try:
            return await self._file.read(work)
        except sqlite3.Error as error:
            fault = fault_of(self.path, error, "read")
            if fault.is_damage:
                self._become(Health(fault.writing, Checking.DAMAGED, fault.why))
            raise StoreUnavailable(fault.why) from None

    async def _commit_all(self) -> None:
        """Commit group after group until nothing waits."""
        while group := self._gathered.take():
            try:
                done = await self._file.write(partial(commit, last=self.last, batch=group.batch, now_s=self._clock()))
            except Exception as error:  # noqa: BLE001 - this task's rim: whoever waits has to hear of any failure
                group.refuse(self._fault(error))
            else:
                self._settle(group, done)

    def _settle(self, group: Group, done: Committed) -> None:
        if done.has_written:
            self._become_writable()
        if done.events:
            self.last = done.events[-1].seq
            try:
                self._listener.committed(done.events)
            except Exception:  # what watchers are told must not keep publishers waiting for what is committed
                log.exception("watchers were not told of events up to %d", self.last)
        group.settle(done.receipts)

    async def _check_beside(self) -> None:
        checking, what = await check_beside(self._check, self.place)
        if what is not None:
            self._become(Health(Writing.FAILING, checking, damaged(self.path, what)))
        elif self.health.checking is Checking.RUNNING:
            self._become(replace(self.health, checking=checking))

    def _fault(self, error: Exception) -> StoreUnavailable:
        """Take note that writing failed, and return what to raise."""
        fault = fault_of(self.path, error, "written")
        checking = Checking.DAMAGED if fault.is_damage else self.health.checking
        if self.health.checking is not Checking.DAMAGED:
            self._become(Health(fault.writing, checking, fault.why))
        return StoreUnavailable(fault.why)

    def _become_writable(self) -> None:
        if self.writing is not Writing.OK and self.health.checking is not Checking.DAMAGED:
            self._become(Health(Writing.OK, self.health.checking))

    def _become(self, health: Health) -> None:
        """Change the health, and tell it once: a store that fails is asked often."""
        before, self.health = self.health, health
        if health.why is not None and (before.writing, before.checking) != (health.writing, health.checking):
            log.error("%s; nothing that was not written is acknowledged", health.why)
        elif before.why is not None and health.why is None:
            log.info("store %s: writing works again", self.path)
        if health != before:
            self._listener.health(health)
