"""A copy of a store by SQLite's own means, taken while a hub uses it."""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from pathlib import Path

from .errors import StoreError
from .paths import private_file


def copy_into(connection: sqlite3.Connection, path: Path, target: Path) -> None:
    """Write what ``connection`` sees of the store at ``path`` at this moment to ``target``, compacted, mode 0600.

    The copy is another stream: once a hub writes to it, its numbers would mean other events than the same numbers of
    the original, so watchers have to begin anew. ``target`` appears complete or not at all.

    Raises:
        StoreError: it exists, or cannot be written.
    """
    part = target.with_name(f"{target.name}.part-{secrets.token_hex(4)}")
    try:
        if target.exists():
            said = f"the backup {target} exists: name a file that does not"
            raise StoreError(said, code="backup_exists", path=str(target))
        os.close(private_file(part))
        connection.execute("VACUUM INTO ?", (str(part),))
        _renamed_stream(part)
        _flush(part)
        os.link(part, target)  # unlike a rename it never replaces a file that somebody made meanwhile
        _flush(target.parent)
    except sqlite3.Error as error:
        raise _failed(path, target, str(error)) from None
    except OSError as error:
        raise _failed(path, target, error.strerror or str(error)) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def _renamed_stream(part: Path) -> None:
    with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as copy:
        copy.execute("UPDATE meta SET value = ? WHERE key = 'stream'", (secrets.token_hex(8),))
        copy.execute("DELETE FROM meta WHERE key = 'open'")  # nobody has the copy open


def _flush(path: Path) -> None:
    """Have the disk keep a file, or a folder's list of files."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _failed(path: Path, target: Path, why: str) -> StoreError:
    said = f"cannot back up the store {path} to {target}: {why}"
    return StoreError(said, code="backup_failed", path=str(path), target=str(target), said=why)
