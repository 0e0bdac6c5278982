"""The SQLite file: making it, recognising it, and keeping it to one hub and one account."""

from __future__ import annotations

import os
import secrets
import sqlite3
import sys
from pathlib import Path

from .errors import StoreError
from .paths import private_file, private_folder

APPLICATION_ID = 0x726E6477  # "rndw": tells our file from any other SQLite file
SCHEMA_VERSION = 1
BUSY_MS = 5000

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE events (seq INTEGER PRIMARY KEY, round TEXT, thread TEXT, line TEXT NOT NULL);
CREATE INDEX events_of_round ON events (round, seq) WHERE round IS NOT NULL;
CREATE INDEX events_of_thread ON events (thread, seq) WHERE thread IS NOT NULL;
CREATE TABLE producers (name TEXT PRIMARY KEY, owner TEXT NOT NULL, settled INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE rounds (round TEXT PRIMARY KEY, thread TEXT NOT NULL) WITHOUT ROWID;
"""


def open_writer(path: Path) -> sqlite3.Connection:
    """Return the one writing connection to the store at ``path``, made or checked; the file has mode 0600.

    Raises:
        StoreError: it is no store of ours, of a newer version, or unreadable.
    """
    try:
        _make_folder(path)
        os.close(private_file(path))
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"cannot open the store {path}: {error}; check the folder and its owner") from None
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        _recognise(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # an acknowledged event survives a power cut
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"cannot use the store {path}: {error}; move it away or name another") from None
    except StoreError:
        connection.close()
        raise
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Return a connection that cannot write.

    Raises:
        StoreError: there is no store of ours at ``path``.
    """
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise StoreError(f"cannot read the store {path}: {error}") from None
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        version = _version(connection)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"cannot read the store {path}: {error}") from None
    if version != (APPLICATION_ID, SCHEMA_VERSION):
        connection.close()
        raise StoreError(f"{path} is no roundwatch store of version {SCHEMA_VERSION}")
    return connection


def _version(connection: sqlite3.Connection) -> tuple[int, int]:
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    schema: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return application, schema


def _recognise(connection: sqlite3.Connection, path: Path) -> None:
    application, schema = _version(connection)
    empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if empty and (application, schema) == (0, 0):
        connection.executescript(
            f"BEGIN; {SCHEMA} INSERT INTO meta VALUES ('stream', '{secrets.token_hex(8)}');"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        )
    elif application != APPLICATION_ID:
        raise StoreError(
            f"{path} is a database of another program: name another file for the store",
            code="store_of_another",
            path=str(path),
        )
    elif schema != SCHEMA_VERSION:
        raise StoreError(
            f"the store {path} has version {schema}, this program knows version {SCHEMA_VERSION}: "
            f"use the roundwatch that wrote it, or name another file"
        )


def _make_folder(path: Path) -> None:
    """Make the store's folder where it is missing; one that exists may be shared and keeps its mode."""
    if not path.parent.exists():
        private_folder(path.parent)


class StoreLock:
    """Keeps a second hub out of the same store: its numbers would be handed out twice."""

    def __init__(self, path: Path) -> None:
        """Take the lock for the store at ``path``; the system releases it when the process dies.

        Raises:
            StoreError: another hub holds it.
        """
        lock = path.with_name(path.name + ".lock")
        try:
            _make_folder(path)
            self._descriptor = private_file(lock)
        except OSError as error:
            raise StoreError(f"cannot open the store's lock {lock}: {error.strerror}") from None
        if sys.platform != "win32" and not try_lock(self._descriptor):
            os.close(self._descriptor)
            raise StoreError(
                f"another hub uses the store {path}: stop it, connect to it, or name another file",
                code="store_in_use",
                path=str(path),
            )

    def release(self) -> None:
        """Let the next hub in."""
        os.close(self._descriptor)


def try_lock(descriptor: int) -> bool:
    """Take the exclusive lock of an open file without waiting; return whether we have it now."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
