"""The SQLite file: making it, recognising it, and opening it for writing or reading."""

from __future__ import annotations

import os
import secrets
import sqlite3
from enum import StrEnum
from pathlib import Path

from .errors import StoreError
from .paths import private_file
from .sqlite_faults import refusal
from .sqlite_migrate import SCHEMA_VERSION, migrate
from .store_lock import make_folder

APPLICATION_ID = 0x726E6477  # "rndw": tells our file from any other SQLite file
BUSY_MS = 5000
LOG_BYTES = 64 * 1024 * 1024  # the write-ahead log is cut back to this after a reader let it grow
READABLE = (1, SCHEMA_VERSION)
"""Versions that a reader understands as they are: a report needs no migration."""

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE events (seq INTEGER PRIMARY KEY, round TEXT, thread TEXT, line TEXT NOT NULL);
CREATE INDEX events_of_round ON events (round, seq) WHERE round IS NOT NULL;
CREATE INDEX events_of_thread ON events (thread, seq) WHERE thread IS NOT NULL;
CREATE TABLE producers (name TEXT PRIMARY KEY, owner TEXT NOT NULL, settled INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE rounds (round TEXT PRIMARY KEY, thread TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE marks (seq INTEGER PRIMARY KEY, at REAL NOT NULL);
"""


class Synchronous(StrEnum):
    """How often SQLite has the disk flushed (its ``PRAGMA synchronous``)."""

    FULL = "full"
    """At each commit: an acknowledged event survives a power cut."""
    NORMAL = "normal"
    """At checkpoints: it survives the end of the hub, and may be lost when the machine goes down."""


def open_writer(path: Path, synchronous: Synchronous = Synchronous.FULL) -> sqlite3.Connection:
    """Return the one writing connection to the store at ``path``, made, or migrated; the file has mode 0600.

    Raises:
        StoreError: it is no store of ours, of a newer version, damaged, or unreadable. The file is as it was.
    """
    try:
        make_folder(path)
        os.close(private_file(path))
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        said = f"cannot open the store {path}: {why}; check the folder and its owner"
        raise StoreError(said, code="store_not_opened", path=str(path), said=why) from None
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        _recognise(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
    except sqlite3.Error as error:
        connection.close()
        raise refusal(path, error) from None
    except BaseException:
        connection.close()
        raise
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Return a connection that cannot write, to a live store, one at rest, or a copy in a folder we cannot write.

    Raises:
        StoreError: there is no store of ours at ``path``.
    """
    try:
        connection, version = _connected(path)
    except sqlite3.Error as error:
        said = f"cannot read the store {path}: {error}"
        raise StoreError(said, code="store_unreadable", path=str(path), said=str(error)) from None
    application, schema = version
    if application != APPLICATION_ID or schema not in READABLE:
        connection.close()
        if application == APPLICATION_ID:
            raise _of_version(path, schema)
        raise StoreError(f"{path} is no roundwatch store", code="store_none", path=str(path))
    return connection


def _connected(path: Path) -> tuple[sqlite3.Connection, tuple[int, int]]:
    """Connect and prove that reading works. Without a log and without the right to make one, nobody writes there."""
    ways = ["mode=ro"]
    if not path.with_name(path.name + "-wal").exists():
        ways.append("mode=ro&immutable=1")
    for way in ways:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{way}", uri=True, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            return connection, version_of(connection)
        except sqlite3.OperationalError:
            connection.close()
            if way == ways[-1]:
                raise
        except sqlite3.Error:
            connection.close()
            raise
    raise AssertionError("the last way returns or raises")


def version_of(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the application id and the schema version of a database."""
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    schema: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return application, schema


def _recognise(connection: sqlite3.Connection, path: Path) -> None:
    application, schema = version_of(connection)
    empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if empty and (application, schema) == (0, 0):
        _make(connection)
    elif application != APPLICATION_ID:
        raise StoreError(
            f"{path} is a database of another program: name another file for the store",
            code="store_of_another",
            path=str(path),
        )
    elif schema > SCHEMA_VERSION:
        raise _of_version(path, schema)
    elif schema < SCHEMA_VERSION:
        migrate(connection, path, schema)


def _of_version(path: Path, schema: int) -> StoreError:
    return StoreError(
        f"the store {path} has version {schema}, this program knows versions up to {SCHEMA_VERSION}: "
        f"use the roundwatch that wrote it or a newer one, or name another file",
        code="store_version",
        path=str(path),
        found=str(schema),
        known=str(SCHEMA_VERSION),
    )


def _make(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # before the first table: later it costs a rewrite
    connection.executescript(
        f"BEGIN; {SCHEMA} INSERT INTO meta VALUES ('stream', '{secrets.token_hex(8)}');"
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
    )
