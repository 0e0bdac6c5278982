"""Bringing an older store up to date: a backup first, then all steps in one transaction."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from .errors import StoreError
from .sqlite_copy import copy_into

log = logging.getLogger(__name__)

SCHEMA_VERSION = 2
STEPS: dict[int, Sequence[str]] = {
    1: ("CREATE TABLE marks (seq INTEGER PRIMARY KEY, at REAL NOT NULL)",),
}
"""What makes the next version of each older one."""


def migrate(connection: sqlite3.Connection, path: Path, found: int) -> None:
    """Lift the store at ``path`` from version ``found`` to ours.

    Raises:
        StoreError: a version that never was, or no backup could be made. The store is as it was.
        sqlite3.Error: a step failed. The store is as it was, and the backup stays.
    """
    if any(version not in STEPS for version in range(found, SCHEMA_VERSION)):
        raise StoreError(
            f"the store {path} has version {found}, which this program does not know: name another file",
            code="store_version",
            path=str(path),
            found=str(found),
            known=str(SCHEMA_VERSION),
        )
    backup = _free_name(path, found)
    copy_into(connection, path, backup)
    log.info("store %s: migrating from version %d to %d; backup %s", path, found, SCHEMA_VERSION, backup)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        for version in range(found, SCHEMA_VERSION):
            for statement in STEPS[version]:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    _let_it_shrink(connection, path)


def _free_name(path: Path, found: int) -> Path:
    """Return a name for the backup that no file has; an earlier attempt's backup is kept too."""
    name = path.with_name(f"{path.name}.version-{found}")
    number = 1
    while name.exists():
        number += 1
        name = path.with_name(f"{path.name}.version-{found}.{number}")
    return name


def _let_it_shrink(connection: sqlite3.Connection, path: Path) -> None:
    """Rewrite the file once so that it can give space back in small steps from now on; not worth failing for."""
    if connection.execute("PRAGMA auto_vacuum").fetchone()[0] != 0:
        return
    try:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM")
    except sqlite3.Error as error:
        log.warning("store %s: it will not give space back to the disk: %s", path, error)
        with contextlib.suppress(sqlite3.Error):
            connection.execute("PRAGMA auto_vacuum = NONE")
