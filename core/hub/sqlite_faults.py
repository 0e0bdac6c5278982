"""What an error of SQLite means for an operator: which state the store is in, and the sentence that says so."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from .errors import StoreError
from .store_health import Writing

TIGHT_BYTES = 1024 * 1024
"""Free space below which an unspecific write error is taken for a full disk: a quota reports no other code."""
PRIMARY = 0xFF  # SQLite's extended codes keep the kind of error in the lowest byte


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of SQLite, understood."""

    writing: Writing
    is_damage: bool
    why: str


def fault_of(path: Path, error: Exception, doing: str) -> Fault:
    """Return what ``error`` says about the store at ``path``; ``doing`` is what failed: written, read."""
    code: int = getattr(error, "sqlite_errorcode", 0) & PRIMARY  # absent where the error is not SQLite's own
    said = f"the store {path} cannot be {doing}: {error}"
    match code:
        case sqlite3.SQLITE_FULL:
            return Fault(Writing.FULL, False, f"{said}; free some space, it then goes on by itself")
        case sqlite3.SQLITE_READONLY:
            return Fault(Writing.READ_ONLY, False, f"{said}; make it writable, it then goes on by itself")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return Fault(Writing.FAILING, True, damaged(path, str(error)))
        case sqlite3.SQLITE_IOERR if _is_tight(path):
            return Fault(Writing.FULL, False, f"{said} (the disk is full); free some space, it then goes on by itself")
        case sqlite3.SQLITE_IOERR:
            return Fault(Writing.FAILING, False, f"{said} (a quota, a limit of file size, or a failing disk)")
        case _:
            return Fault(Writing.FAILING, False, said)


def damaged(path: Path, what: str) -> str:
    """Return the sentence for a store that is damaged; nothing of ours ever overwrites one."""
    return (
        f"the store {path} is damaged: {what}; nothing more is written to it. Stop the hub, keep the file, see what "
        f"'roundwatch hub --check' says, and put a backup in its place or name another file"
    )


def refusal(path: Path, error: sqlite3.Error) -> StoreError:
    """Return why a store is not opened."""
    fault = fault_of(path, error, "used")
    said = fault.why if fault.is_damage else f"{fault.why}; or move it away or name another"
    code = "store_is_damaged" if fault.is_damage else "store_unusable"
    return StoreError(said, code=code, path=str(path), said=str(error))


def _is_tight(path: Path) -> bool:
    if not hasattr(os, "statvfs"):
        return False
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < TIGHT_BYTES
