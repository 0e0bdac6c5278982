"""Looking for damage: quickly beside the traffic after an unclean end, and fully for ``roundwatch hub --check``."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

from .errors import StoreError
from .intake import split_id
from .lines import Piece
from .sqlite_read import kept
from .sqlite_schema import open_reader, version_of

MOST_FINDINGS = 20
"""Of each kind; a file that is badly damaged has thousands."""
SOUND = "ok"


class QuickCheck:
    """SQLite's quick check on a connection and in a thread of its own; commits and reads go on meanwhile."""

    def __init__(self, path: Path) -> None:
        """Name the store; nothing is opened before ``run``."""
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self.was_stopped = False

    async def run(self) -> str | None:
        """Return what is damaged, or None when nothing is.

        Raises:
            StoreError, sqlite3.Error: it could not be checked, or was stopped (``was_stopped``).
        """
        with ThreadPoolExecutor(1, "roundwatch-store-check") as thread:
            return await asyncio.get_running_loop().run_in_executor(thread, self._check)

    def stop(self) -> None:
        """Let ``run`` end soon."""
        self.was_stopped = True
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):  # it has just ended by itself
                self._connection.interrupt()

    def _check(self) -> str | None:
        with contextlib.closing(open_reader(self._path)) as connection:
            self._connection = connection
            if self.was_stopped:
                return None
            try:
                found = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                return str(error)
            return None if found == [SOUND] else _said(found[0])


def check_store(path: Path) -> list[str]:
    """Return what is wrong with a store, a sentence each; nothing when it is sound. Blocks, as long as it is large.

    A hub may use the store meanwhile: what is checked is its state at the beginning.

    Raises:
        StoreError: there is no store of ours at ``path``, so nothing was checked.
    """
    with contextlib.closing(open_reader(path)) as connection:
        try:
            connection.execute("BEGIN")
            return [
                *islice(_integrity(connection), MOST_FINDINGS),
                *islice(_numbering(connection), MOST_FINDINGS),
                *islice(_events(connection), MOST_FINDINGS),
            ]
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "no such table" not in str(error):
                said = f"the store {path} cannot be checked: {error}"
                raise StoreError(said, code="store_unreadable", path=str(path), said=str(error)) from None
            return [f"not readable: {error}"]


def _integrity(connection: sqlite3.Connection) -> Iterator[str]:
    """What SQLite itself finds: pages, order, and whether each index agrees with its table."""
    for (said,) in connection.execute(f"PRAGMA integrity_check({MOST_FINDINGS})"):
        if said != SOUND:
            yield f"SQLite: {_said(said)}"


def _said(finding: object) -> str:
    """Return a finding of SQLite on one line, without the heading that names the only database there is."""
    return " ".join(line for line in str(finding).splitlines() if not line.startswith("***")) or str(finding)


def _numbering(connection: sqlite3.Connection) -> Iterator[str]:
    if connection.execute("SELECT 1 FROM meta WHERE key = 'stream'").fetchone() is None:
        yield "it does not say which stream it holds: no hub starts on it"
    first, last = kept(connection)
    count: int = connection.execute("SELECT count(*) FROM events").fetchone()[0]
    if count != last - first + 1:
        missing = connection.execute(
            "SELECT seq + 1 FROM events AS e WHERE seq < ?"
            " AND NOT EXISTS (SELECT 1 FROM events WHERE seq = e.seq + 1) ORDER BY seq LIMIT 1",
            (last,),
        ).fetchone()
        yield f"of the events {first} to {last} only {count} are there: the first one missing is {missing[0]}"
    if version_of(connection)[1] > 1:
        wrong = connection.execute(
            "SELECT seq FROM marks AS m WHERE seq > ?"
            " OR EXISTS (SELECT 1 FROM marks WHERE seq < m.seq AND at > m.at) LIMIT 1",
            (last,),
        ).fetchone()
        if wrong is not None:
            yield f"the note of when event {wrong[0]} was stored contradicts the others"


def _events(connection: sqlite3.Connection) -> Iterator[str]:
    """Whether each line is an event of a known producer, once, in the producer's own order, under its own round."""
    settled: dict[str, int] = dict(connection.execute("SELECT name, settled FROM producers"))
    newest: dict[str, int] = {}
    for seq, round_, line in connection.execute("SELECT seq, round, line FROM events ORDER BY seq"):
        fields = Piece(line, _decoded(line)).fields
        named = split_id(str(fields.get("id"))) if fields is not None else None
        if fields is None or named is None:
            yield f"event {seq} is no line of a producer"
            continue
        producer, n = named
        if n > settled.get(producer, 0):
            yield f"event {seq} has number {n} of its producer, of whom only {settled.get(producer, 0)} are settled"
        if n <= newest.get(producer, 0):
            yield f"event {seq} has number {n} of its producer, stored after number {newest[producer]}"
        newest[producer] = max(n, newest.get(producer, 0))
        if fields.get("round") != round_:
            yield f"event {seq} is filed under another round than its own"


def _decoded(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):  # a hub stores neither
        return None
