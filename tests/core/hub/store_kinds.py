"""The kinds of store that the contract tests run against; a new kind is one class and one line in ``KINDS``."""

from __future__ import annotations

import contextlib
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from roundwatch.core.hub import Health, Retention, SqliteStore, Store, StoredEvent, StoreListener
from roundwatch.core.hub.redis_store import RedisStore
from roundwatch.core.hub.store import Fate, Submission

from tests.core.hub.redis_process import RedisProcess

PAGE = 4096
NOON_S = 1_800_000_000.0


@dataclass(slots=True)
class Clock:
    """Seconds since 1970 as the test wants them."""

    now_s: float = NOON_S

    def __call__(self) -> float:
        return self.now_s


@dataclass(slots=True)
class Heard:
    """What a store told."""

    events: list[StoredEvent] = field(default_factory=list[StoredEvent])
    health: list[Health] = field(default_factory=list[Health])
    restarts: int = 0

    @property
    def seqs(self) -> list[int]:
        return [event.seq for event in self.events]

    def listener(self) -> StoreListener:
        return StoreListener(self._committed, self.health.append, self._restarted)

    def _committed(self, events: Sequence[StoredEvent]) -> None:
        self.events += events

    def _restarted(self) -> None:
        self.restarts += 1


class StoreKind(ABC):
    """One place that holds one history, for as long as one test runs."""

    shared: ClassVar[bool]
    """Whether several hubs may have it open at once."""
    needs: ClassVar[str | None] = None
    """An outside program that it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = Clock()

    @abstractmethod
    def make(self, retention: Retention = Retention()) -> Store:  # noqa: B008 - frozen
        """Return one more store on the same place, not opened."""

    @abstractmethod
    async def break_writing(self, store: Store) -> Callable[[], None]:
        """Make every write of the opened ``store`` fail for real; return what mends it."""

    @abstractmethod
    async def close(self) -> None:
        """End what the kind started."""


class SqliteKind(StoreKind):
    """A file."""

    shared = False

    def make(self, retention: Retention = Retention()) -> Store:  # noqa: B008 - frozen
        return SqliteStore(self.folder / "s.db", retention=retention, clock=self.clock)

    async def close(self) -> None:
        pass

    async def break_writing(self, store: Store) -> Callable[[], None]:
        with sqlite3.connect(self.folder / "s.db", timeout=20) as other:
            other.execute("ALTER TABLE events RENAME TO hidden")
        other.close()

        def mend() -> None:
            with sqlite3.connect(self.folder / "s.db", timeout=20) as other:
                other.execute("ALTER TABLE hidden RENAME TO events")
            other.close()

        return mend


class RedisKind(StoreKind):
    """A server of its own."""

    shared = True
    needs = "redis-server"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._server = RedisProcess(folder / "redis")
        self._server.start()

    def make(self, retention: Retention = Retention()) -> Store:  # noqa: B008 - frozen
        return RedisStore(self._server.url, retention=retention, clock=self.clock)

    async def close(self) -> None:
        self._server.kill()

    async def break_writing(self, store: Store) -> Callable[[], None]:
        with self._server.client() as client:
            client.config_set("maxmemory", "1")

        def mend() -> None:
            with self._server.client() as client:
                client.config_set("maxmemory", "0")

        return mend


KINDS: dict[str, type[StoreKind]] = {"redis": RedisKind, "sqlite": SqliteKind}


def leave_open(path: Path) -> None:
    """Make a closed SQLite store look as if its hub had been killed."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("INSERT INTO meta VALUES ('open', '1')")


def damage(path: Path) -> tuple[int, bytes]:
    """Overwrite pages in the middle of a closed SQLite store; return where they begin and the file from there on."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // PAGE * PAGE
    content[middle : middle + 20 * PAGE] = b"\xee" * (20 * PAGE)
    path.write_bytes(content)
    return middle, bytes(content[middle:])


def one(n: int, producer: str = "p", owner: str = "me", **fields: Any) -> Submission:
    """Return an event of a producer, small but with its own text."""
    return Submission(owner, producer, n, f'{{"id":"{producer}:{n}","text":"ä{n}"}}', **fields)


async def fates(store: Store, *batch: Submission) -> list[tuple[Fate, int, int | None]]:
    """Append in one batch and return what became of each."""
    return [(receipt.fate, receipt.settled, receipt.seq) for receipt in await store.append(batch)]


async def wires(store: Store, after: int = 0) -> list[bytes]:
    """Read all that is kept, page by page."""
    found: list[bytes] = []
    while True:
        page = await store.read(after)
        if page.through == after:
            return found
        found += page.wires
        after = page.through
