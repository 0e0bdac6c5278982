"""Keeping a store's file to one hub."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .errors import StoreError
from .paths import private_file, private_folder


class StoreLock:
    """Keeps a second hub out of the same store: its numbers would be handed out twice."""

    def __init__(self, path: Path) -> None:
        """Take the lock for the store at ``path``; the system releases it when the process dies.

        Raises:
            StoreError: another hub holds it.
        """
        lock = path.with_name(path.name + ".lock")
        try:
            make_folder(path)
            self._descriptor = private_file(lock)
        except OSError as error:
            said = f"cannot open the store's lock {lock}: {error.strerror}"
            raise StoreError(said, code="store_not_opened", path=str(lock), said=error.strerror) from None
        if not try_lock(self._descriptor):
            os.close(self._descriptor)
            raise StoreError(
                f"another hub uses the store {path}: stop it, connect to it, or name another file",
                code="store_in_use",
                path=str(path),
            )

    def release(self) -> None:
        """Let the next hub in."""
        os.close(self._descriptor)


def make_folder(path: Path) -> None:
    """Make the store's folder where it is missing; one that exists may be shared and keeps its mode."""
    if not path.parent.exists():
        private_folder(path.parent)


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
