"""One SQLite store's file while a hub has it open: its lock, one writing and one reading connection, a thread each."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from .errors import StoreError
from .sqlite_read import bounds
from .sqlite_schema import Synchronous, open_reader, open_writer
from .store_lock import StoreLock

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]


@dataclass(frozen=True, slots=True)
class Found:
    """What an opened store holds."""

    stream: str
    first: int
    last: int
    left_open: bool
    """The hub that had it before did not close it."""


class SqliteFile:
    """Work is handed to a thread with the connection it may use; in each thread it is done in the order it came."""

    def __init__(self, path: Path, synchronous: Synchronous) -> None:
        """Name the file; nothing is opened yet."""
        self.path = path
        self._synchronous = synchronous
        self._lock: StoreLock | None = None
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._write_thread = ThreadPoolExecutor(1, "roundwatch-store-write")
        self._read_thread = ThreadPoolExecutor(1, "roundwatch-store-read")

    @property
    def is_open(self) -> bool:
        """Whether work is taken."""
        return self._lock is not None

    async def open(self) -> Found:
        """Lock and open the file, made where there is none.

        Raises:
            StoreError: it cannot be used.
            sqlite3.Error: it cannot be read.
        """
        self._lock = StoreLock(self.path)
        self._writer = await self._in(self._write_thread, lambda: open_writer(self.path, self._synchronous))
        self._reader = await self._in(self._read_thread, lambda: open_reader(self.path))
        self._identity = _identity(self.path)
        stream, first, last = await self.read(bounds)
        return Found(stream, first, last, await self.read(_was_left_open))

    async def write(self, work: Work[T]) -> T:
        """Return what ``work`` returns of the writing connection.

        Raises:
            StoreError: the file was moved or deleted: what is written now would be lost.
        """

        def checked() -> T:
            if self.was_replaced:
                raise StoreError(f"the store {self.path} was moved or deleted: put it back, or start the hub again")
            return work(_there(self._writer))

        return await self._in(self._write_thread, checked)

    async def read(self, work: Work[T]) -> T:
        """Return what ``work`` returns of the reading connection."""
        return await self._in(self._read_thread, lambda: work(_there(self._reader)))

    async def reopen(self, stream: str, last: int) -> None:
        """Take a new writing connection: some errors stay with the old one for ever.

        Raises:
            StoreError, sqlite3.Error: the file is gone, was changed by another program, or does not open.
        """

        def again(_: sqlite3.Connection) -> None:
            if self._writer is not None:
                self._writer.close()
            self._writer = None
            self._writer = open_writer(self.path, self._synchronous)
            found, _first, newest = bounds(self._writer)
            if (found, newest) != (stream, last):  # going on would give numbers a second time
                raise StoreError(f"the store {self.path} was changed by another program: start the hub again")

        await self.write(again)

    @property
    def was_replaced(self) -> bool:
        """Whether the file is no longer the one that was opened: what is written now would be lost."""
        return _identity(self.path) != self._identity

    async def close(self) -> None:
        """Release everything; work that was handed in is done first."""
        lock, self._lock = self._lock, None
        for thread, connection in ((self._read_thread, self._reader), (self._write_thread, self._writer)):
            if connection is not None:
                with contextlib.suppress(sqlite3.Error):  # the log is kept and replayed at the next start
                    await self._in(thread, connection.close)
            thread.shutdown(wait=False)
        self._reader = self._writer = None
        if lock is not None:
            lock.release()

    async def _in(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread, work)


def mark_open(connection: sqlite3.Connection) -> None:
    """Note in the store that a hub has it open."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('open', '1')")


def mark_closed(connection: sqlite3.Connection) -> None:
    """Note in the store that it was closed in good order."""
    connection.execute("DELETE FROM meta WHERE key = 'open'")


def _was_left_open(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM meta WHERE key = 'open'").fetchone() is not None


def _there(connection: sqlite3.Connection | None) -> sqlite3.Connection:
    if connection is None:
        raise sqlite3.ProgrammingError("the connection is closed")
    return connection


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one of the same name, or None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
