"""The default store: SQLite in WAL mode, written and read in threads of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from .errors import StoreError, StoreUnavailable
from .sqlite_schema import StoreLock, open_reader, open_writer
from .sqlite_write import Committed, commit
from .store import EVERYTHING, CommitListener, Page, Receipt, Selection, Store, StoredEvent, Submission

log = logging.getLogger(__name__)
T = TypeVar("T")

GROUP_EVENTS = 2000  # one transaction: long enough to share the disk's flush, short enough to answer soon
PAGE_EVENTS = 500
PAGE_BYTES = 1024 * 1024


@dataclass(slots=True)
class _Waiting:
    batch: Sequence[Submission]
    answer: asyncio.Future[list[Receipt]]


class SqliteStore(Store):
    """Events in one SQLite file. While a commit runs, what arrives is collected for the next one."""

    def __init__(self, path: Path, *, keep_events: int | None = None) -> None:
        """Name the file; ``keep_events`` bounds how many events stay (None: all), give or take a tenth."""
        self.path = path
        self._keep = keep_events
        self._lock: StoreLock | None = None
        self._waiting: list[_Waiting] = []
        self._committer: asyncio.Task[None] | None = None
        self._write_thread = ThreadPoolExecutor(1, "roundwatch-store-write")
        self._read_thread = ThreadPoolExecutor(1, "roundwatch-store-read")
        self._connections: dict[ThreadPoolExecutor, sqlite3.Connection] = {}

    async def open(self, listener: CommitListener) -> None:
        """See ``Store.open``. One hub at a time may have the file open, and once: a closed store stays closed."""
        self._listener = listener
        try:
            self._lock = StoreLock(self.path)
            self._writer = self._connections[self._write_thread] = await self._in(
                self._write_thread, lambda: open_writer(self.path)
            )
            self._reader = self._connections[self._read_thread] = await self._in(
                self._read_thread, lambda: open_reader(self.path)
            )
            found = await self._in(self._read_thread, lambda: _bounds(self._reader))
        except sqlite3.Error as error:
            await self.close()
            raise StoreError(f"cannot use the store {self.path}: {error}; move it away or name another") from None
        except BaseException:
            await self.close()
            raise
        self.stream, self.first, self.last = found
        log.info("store %s: stream %s, events %d to %d", self.path, self.stream, self.first, self.last)

    async def append(self, batch: Sequence[Submission]) -> list[Receipt]:
        """See ``Store.append``."""
        if self._lock is None:
            raise StoreUnavailable("the store is closed")
        answer: asyncio.Future[list[Receipt]] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(batch, answer))
        if self._committer is None or self._committer.done():
            self._committer = asyncio.create_task(self._commit_all(), name="store commits")
        return await answer

    async def read(self, after: int, selection: Selection = EVERYTHING) -> Page:
        """See ``Store.read``."""
        if self._lock is None:
            raise StoreUnavailable("the store is closed")
        try:
            return await self._in(self._read_thread, lambda: read_page(self._reader, after, selection))
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the store {self.path} cannot be read: {error}") from None

    async def close(self) -> None:
        """See ``Store.close``."""
        if self._committer is not None:
            await self._committer
        lock, self._lock = self._lock, None
        for thread, connection in list(self._connections.items()):
            with contextlib.suppress(sqlite3.Error):  # the log is kept and replayed at the next start
                await self._in(thread, connection.close)
        self._connections.clear()
        for thread in (self._write_thread, self._read_thread):
            thread.shutdown(wait=False)
        if lock is not None:
            lock.release()

    async def _in(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread, work)

    async def _commit_all(self) -> None:
        """Commit group after group until nothing waits."""
        while self._waiting:
            group = self._take_group()
            batch = [submission for waiting in group for submission in waiting.batch]
            try:
                done = await self._in(self._write_thread, partial(commit, self._writer, self.last, batch, self._keep))
            except Exception as error:  # noqa: BLE001 - this task's rim: whoever waits has to hear of any failure
                self._fail(group, error)
            else:
                self._settle(group, done)

    def _take_group(self) -> list[_Waiting]:
        taken = events = 0
        while taken < len(self._waiting) and events < GROUP_EVENTS:
            events += len(self._waiting[taken].batch)
            taken += 1
        group, self._waiting = self._waiting[:taken], self._waiting[taken:]
        return group

    def _settle(self, group: Sequence[_Waiting], done: Committed) -> None:
        if self.failure is not None:
            log.info("store %s: writing works again", self.path)
        self.failure = None
        if done.events:
            self.last = done.events[-1].seq
        self.first = max(self.first, done.first)
        self._listener(done.events)
        start = 0
        for waiting in group:
            receipts = done.receipts[start : start + len(waiting.batch)]
            start += len(waiting.batch)
            if not waiting.answer.done():  # its connection may be gone
                waiting.answer.set_result(receipts)

    def _fail(self, group: Sequence[_Waiting], error: Exception) -> None:
        self.failure = f"the store {self.path} cannot be written: {error}"
        log.error("%s; nothing of the batch was acknowledged", self.failure)
        for waiting in group:
            if not waiting.answer.done():
                waiting.answer.set_exception(StoreUnavailable(self.failure))


def _bounds(connection: sqlite3.Connection) -> tuple[str, int, int]:
    found = connection.execute("SELECT value FROM meta WHERE key = 'stream'").fetchone()
    if found is None:
        raise sqlite3.DatabaseError("it does not say which stream it holds")
    return found[0], *_kept(connection)


def _kept(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the oldest and newest seq; the newest event is never trimmed, so the numbering cannot start over."""
    first, last = connection.execute("SELECT (SELECT min(seq) FROM events), (SELECT max(seq) FROM events)").fetchone()
    return (1, 0) if last is None else (first, last)


def read_page(connection: sqlite3.Connection, after: int, selection: Selection = EVERYTHING) -> Page:
    """Return the next page after ``after``; bounds and events are read in one transaction, so they agree."""
    connection.execute("BEGIN")
    try:
        first, last = _kept(connection)
        events: list[StoredEvent] = []
        size = 0
        for seq, round_, thread, line in connection.execute(*_query(after, selection)):
            events.append(StoredEvent(seq, round_, thread, line.encode()))
            size += len(events[-1].line)
            if len(events) >= PAGE_EVENTS or size >= PAGE_BYTES:
                return Page(events, first, seq)
        return Page(events, first, max(last, after))
    finally:
        connection.execute("ROLLBACK")


def _query(after: int, selection: Selection) -> tuple[str, list[str | int]]:
    where, values = ["seq > ?"], list[str | int]([after])
    for column, wanted in (("round", selection.rounds), ("thread", selection.threads)):
        if wanted:
            where.append(f"{column} IN ({','.join('?' * len(wanted))})")
            values.extend(sorted(wanted))
    return f"SELECT seq, round, thread, line FROM events WHERE {' AND '.join(where)} ORDER BY seq", values


def stored_events(path: Path, selection: Selection = EVERYTHING) -> Iterator[StoredEvent]:
    """Yield what a store keeps, oldest first, whether or not a hub has it open. Blocks: not for an event loop.

    Raises:
        StoreError: there is no store of ours at ``path``, or it is damaged.
    """
    with contextlib.closing(open_reader(path)) as connection:
        after = 0
        while (page := _readable_page(connection, path, after, selection)).events:
            yield from page.events
            after = page.through


def _readable_page(connection: sqlite3.Connection, path: Path, after: int, selection: Selection) -> Page:
    try:
        return read_page(connection, after, selection)
    except sqlite3.Error as error:
        raise StoreError(f"cannot read the store {path} after event {after}: {error}") from None
