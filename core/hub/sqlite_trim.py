"""Letting old events go, a few at a time, and giving their space back to the disk."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from .retention import Retention
from .sqlite_read import kept
from .sqlite_write import mark

STEP_EVENTS = 500
STEP_BYTES = 1024 * 1024
"""One step's share of the writing thread: some milliseconds between two commits."""
VACUUM_PAGES = 256
SPARE_PAGES = 1024
"""Free pages that stay for the events to come, and in proportion an eighth of the file: giving them back and taking
them again would be writing for nothing."""


@dataclass(frozen=True, slots=True)
class Trimmed:
    """What one step did."""

    events: int
    first: int
    """Oldest event that is kept now."""


def trim_step(connection: sqlite3.Connection, retention: Retention, now_s: float) -> Trimmed:
    """Delete at most one step's worth of events that exceed ``retention``; the newest event always stays.

    Raises:
        sqlite3.Error: nothing was deleted.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        first, last = kept(connection)
        if retention.days is not None:
            mark(connection, last, now_s)  # without new events nobody else notes how old the last ones are
        through = min(_surplus(connection, retention, first, last, now_s), last - 1)
        if through >= first:
            through = _one_step(connection, first, through)
            _delete(connection, first, through)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return Trimmed(max(0, through - first + 1), max(first, through + 1))


def _surplus(connection: sqlite3.Connection, retention: Retention, first: int, last: int, now_s: float) -> int:
    """Return the seq up to which events have to go, 0 or anything below ``first`` for none."""
    through = 0
    if retention.events is not None:
        through = last - retention.events
    if (cutoff := retention.cutoff(now_s)) is not None:
        old = connection.execute("SELECT max(seq) FROM marks WHERE at <= ?", (cutoff,)).fetchone()[0]
        through = max(through, old or 0)
    if retention.size is not None and used_bytes(connection) > retention.size:
        through = max(through, first + STEP_EVENTS - 1)
    return through


def used_bytes(connection: sqlite3.Connection) -> int:
    """Return how much of the file is in use, its free pages left out."""
    pages = _pragma(connection, "page_count") - _pragma(connection, "freelist_count")
    return pages * _pragma(connection, "page_size")


def _one_step(connection: sqlite3.Connection, first: int, through: int) -> int:
    """Return the seq at which a step that begins at ``first`` ends: enough for now, one event at least."""
    size, end = 0, first
    for seq, length in connection.execute(
        "SELECT seq, length(line) FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?",
        (first, through, STEP_EVENTS),
    ):
        size, end = size + length, seq
        if size >= STEP_BYTES:
            break
    return end


def _delete(connection: sqlite3.Connection, first: int, through: int) -> None:
    gone = (first, through)
    connection.execute(
        "DELETE FROM rounds WHERE round IN (SELECT round FROM events WHERE seq BETWEEN ? AND ?)"
        " AND NOT EXISTS (SELECT 1 FROM events WHERE events.round = rounds.round AND events.seq > ?)",
        (*gone, through),
    )
    connection.execute("DELETE FROM events WHERE seq BETWEEN ? AND ?", gone)
    connection.execute("DELETE FROM marks WHERE seq <= ?", (through,))


def shrink_step(connection: sqlite3.Connection) -> bool:
    """Give some free pages back where there are more than the store soon needs; return whether it did.

    Raises:
        sqlite3.Error: it could not.
    """
    pages, free = _pragma(connection, "page_count"), _pragma(connection, "freelist_count")
    if free <= max(SPARE_PAGES, pages // 8):
        return False
    connection.execute(f"PRAGMA incremental_vacuum({VACUUM_PAGES})").fetchall()
    return _pragma(connection, "freelist_count") < free  # a store that was never made to shrink stays as it is


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
