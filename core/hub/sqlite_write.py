"""One transaction of the SQLite store: numbers, owners, threads and events, all or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from .store import Fate, Receipt, StoredEvent, Submission

MARK_S = 60.0
COLUMNS, TOGETHER = 4, 32
"""Of an event; events that one statement inserts."""
INSERT = "INSERT INTO events VALUES (?, ?, ?, ?)"
INSERT_TOGETHER = INSERT + ", (?, ?, ?, ?)" * (TOGETHER - 1)


@dataclass(frozen=True, slots=True)
class Committed:
    """What a transaction did."""

    receipts: list[Receipt]
    events: list[StoredEvent]

    @property
    def has_written(self) -> bool:
        """Whether the disk had to take anything: duplicates and gaps alone prove nothing about it."""
        return bool(self.events) or any(receipt.fate is Fate.REJECTED for receipt in self.receipts)


@dataclass(slots=True)
class _Producer:
    owner: str
    settled: int


@dataclass(slots=True)
class _Batch:
    """The state of one transaction before it is written."""

    connection: sqlite3.Connection
    last: int
    producers: dict[str, _Producer] = field(default_factory=dict[str, _Producer])
    threads: dict[str, str | None] = field(default_factory=dict[str, "str | None"])
    learned: dict[str, str] = field(default_factory=dict[str, str])
    events: list[StoredEvent] = field(default_factory=list[StoredEvent])
    rows: list[int | str | None] = field(default_factory=list["int | str | None"])
    """The events' columns, one row after the other."""

    def settle(self, batch: Sequence[Submission]) -> list[Receipt]:
        """Number what is stored, and return what becomes of each; one long loop, for it runs for every event."""
        receipts: list[Receipt] = []
        name, producer = None, _Producer("", 0)
        for item in batch:
            if item.producer != name:
                name, producer = item.producer, self._producer(item)
            n = item.n
            if producer.owner != item.owner:
                receipts.append(Receipt(Fate.NOT_OWNER, 0))
            elif n != producer.settled + 1:
                fate = Fate.DUPLICATE if n <= producer.settled else Fate.GAP
                receipts.append(Receipt(fate, producer.settled))
            elif item.fault is not None:
                producer.settled = n
                receipts.append(Receipt(Fate.REJECTED, n))
            else:
                producer.settled = n
                self.last = seq = self.last + 1
                round_, line = item.round, item.line
                thread = self._thread(item)
                self.rows += (seq, round_, thread, line)
                self.events.append(StoredEvent(seq, round_, thread, line.encode()))
                receipts.append(Receipt(Fate.STORED, n, seq))
        return receipts

    def write_events(self) -> None:
        """Insert the rows. A number that is taken fails here: it is never given twice.

        Many at a time take two thirds of what they take one by one.
        """
        whole = len(self.rows) - len(self.rows) % (TOGETHER * COLUMNS)
        for start in range(0, whole, TOGETHER * COLUMNS):
            self.connection.execute(INSERT_TOGETHER, self.rows[start : start + TOGETHER * COLUMNS])
        rest = iter(self.rows[whole:])
        self.connection.executemany(INSERT, zip(rest, rest, rest, rest, strict=True))

    def _producer(self, submission: Submission) -> _Producer:
        if (met := self.producers.get(submission.producer)) is not None:
            return met
        row = self.connection.execute(
            "SELECT owner, settled FROM producers WHERE name = ?", (submission.producer,)
        ).fetchone()
        known = _Producer(*row) if row else _Producer(submission.owner, 0)
        self.producers[submission.producer] = known
        return known

    def _thread(self, submission: Submission) -> str | None:
        """Return the thread of an event: its own, its round's, or that of the round it works for."""
        thread = submission.thread
        if submission.round is None:
            return thread
        known = self._thread_of(submission.round)
        if thread is None:
            if known is not None or submission.parent is None:
                return known
            thread = self._thread_of(submission.parent)
        if thread is not None and thread != known:
            self.threads[submission.round] = self.learned[submission.round] = thread
        return thread

    def _thread_of(self, round_: str) -> str | None:
        if round_ not in self.threads:
            row = self.connection.execute("SELECT thread FROM rounds WHERE round = ?", (round_,)).fetchone()
            self.threads[round_] = row[0] if row else None
        return self.threads[round_]


def commit(connection: sqlite3.Connection, last: int, batch: Sequence[Submission], now_s: float) -> Committed:
    """Write the batch after seq ``last`` in one transaction and return what became of each submission.

    Raises:
        sqlite3.Error: nothing was written.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        state = _Batch(connection, last)
        receipts = state.settle(batch)
        state.write_events()
        connection.executemany(
            "INSERT INTO producers VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET settled = excluded.settled",
            ((name, known.owner, known.settled) for name, known in state.producers.items() if known.settled),
        )
        connection.executemany("INSERT OR REPLACE INTO rounds VALUES (?, ?)", state.learned.items())
        mark(connection, state.last, now_s)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return Committed(receipts, state.events)


def mark(connection: sqlite3.Connection, last: int, now_s: float) -> None:
    """Note once a minute that every event up to ``last`` was stored by now: that is how their age is known.

    A clock that was set back writes nothing until it has caught up; the events of that time count as younger.
    """
    newest = connection.execute("SELECT seq, at FROM marks ORDER BY seq DESC LIMIT 1").fetchone()
    if last and (newest is None or (newest[0] < last and newest[1] + MARK_S <= now_s)):
        connection.execute("INSERT INTO marks VALUES (?, ?)", (last, now_s))
