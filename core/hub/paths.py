"""Where roundwatch keeps its state: one folder of the account, closed to everybody else."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """Return ``$XDG_STATE_HOME/roundwatch`` (``~/.local/state/roundwatch`` by default); it may not exist yet.

    A relative ``XDG_STATE_HOME`` is ignored, as the base directory specification asks.
    """
    given = Path(os.environ.get("XDG_STATE_HOME", ""))
    base = given if given.is_absolute() else Path.home() / ".local" / "state"
    return base / "roundwatch"


def token_file() -> Path:
    """Return the file that holds the hub's token for this account."""
    return state_folder() / "token"


def store_file() -> Path:
    """Return the store of the hub that runs without being told another one."""
    return state_folder() / "rounds.sqlite3"


def spool_folder() -> Path:
    """Return the folder of events that publishers of this account could not deliver yet."""
    return state_folder() / "publish"


def private_folder(folder: Path) -> Path:
    """Make ``folder`` where it is missing, close it to others (0700), and return it.

    Raises:
        OSError: it cannot be made, or belongs to somebody else.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def private_file(path: Path) -> int:
    """Open ``path`` for reading and writing, made with mode 0600 where it is missing, and return the descriptor.

    Raises:
        OSError: it cannot be opened, or is a symbolic link.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, 0o600)
    return descriptor
