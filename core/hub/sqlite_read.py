"""Reading a SQLite store: pages of stored text for watchers, whole events for reports."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from .errors import StoreError
from .limits import SEND_BYTES
from .sqlite_schema import open_reader
from .store import EVERYTHING, Page, Producer, Selection, StoredEvent

PAGE_EVENTS = 4000  # bounds the work of a query whose selection SQLite has to sort
REPORT_EVENTS = 500  # read at once for a report, which holds no transaction open between them
REPORT_BYTES = 1024 * 1024

WIRE = """CAST('{"seq":' || seq || ',' || substr(line, 2) AS BLOB)"""
"""``lines.with_seq`` in SQL: SQLite builds it without the interpreter's lock."""


def bounds(connection: sqlite3.Connection) -> tuple[str, int, int]:
    """Return stream, oldest and newest seq.

    Raises:
        sqlite3.Error: it cannot be read, or does not say which stream it holds.
    """
    found = connection.execute("SELECT value FROM meta WHERE key = 'stream'").fetchone()
    if found is None:
        raise sqlite3.DatabaseError("it does not say which stream it holds")
    return found[0], *kept(connection)


def kept(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the oldest and newest seq; the newest event is never trimmed, so the numbering cannot start over."""
    first, last = connection.execute("SELECT (SELECT min(seq) FROM events), (SELECT max(seq) FROM events)").fetchone()
    return (1, 0) if last is None else (first, last)


def read_page(connection: sqlite3.Connection, after: int, selection: Selection = EVERYTHING) -> Page:
    """Return the next page after ``after``; bounds and events are read in one transaction, so they agree."""
    connection.execute("BEGIN")
    try:
        first, last = kept(connection)
        wires: list[bytes] = []
        size = seq = 0
        with contextlib.closing(connection.execute(*_query(f"seq, {WIRE}", after, selection, PAGE_EVENTS))) as rows:
            for seq, wire in rows:
                wires.append(wire)
                size += len(wire)
                if size >= SEND_BYTES:
                    return Page(wires, first, seq)
        return Page(wires, first, seq if len(wires) == PAGE_EVENTS else max(last, after))
    finally:
        connection.execute("ROLLBACK")


def read_producer(connection: sqlite3.Connection, name: str) -> Producer | None:
    """Return what is known of a producer name."""
    row = connection.execute("SELECT owner, settled FROM producers WHERE name = ?", (name,)).fetchone()
    return Producer(*row) if row else None


def _query(columns: str, after: int, selection: Selection, limit: int) -> tuple[str, list[str | int]]:
    where, values = ["seq > ?"], list[str | int]([after])
    for column, wanted in (("round", selection.rounds), ("thread", selection.threads)):
        if wanted:
            where.append(f"{column} IN ({','.join('?' * len(wanted))})")
            values.extend(sorted(wanted))
    return f"SELECT {columns} FROM events WHERE {' AND '.join(where)} ORDER BY seq LIMIT {limit}", values


def stored_events(path: Path, selection: Selection = EVERYTHING) -> Iterator[StoredEvent]:
    """Yield what a store keeps, oldest first, whether or not a hub has it open. Blocks: not for an event loop.

    Raises:
        StoreError: there is no store of ours at ``path``, or it is damaged.
    """
    with contextlib.closing(open_reader(path)) as connection:
        after = 0
        while events := _some(connection, path, after, selection):
            yield from events
            after = events[-1].seq


def _some(connection: sqlite3.Connection, path: Path, after: int, selection: Selection) -> list[StoredEvent]:
    query = _query("seq, round, thread, CAST(line AS BLOB)", after, selection, REPORT_EVENTS)
    events: list[StoredEvent] = []
    size = 0
    try:
        with contextlib.closing(connection.execute(*query)) as rows:
            for row in rows:
                events.append(StoredEvent(*row))
                size += len(events[-1].line)
                if size >= REPORT_BYTES:
                    break
        return events
    except sqlite3.Error as error:
        raise StoreError(
            f"cannot read the store {path} after event {after}: {error}",
            code="store_unreadable_after",
            path=str(path),
            seq=str(after),
            said=str(error),
        ) from None
