"""Backing up a store while a hub uses it."""

from __future__ import annotations

import contextlib
from pathlib import Path

from .sqlite_copy import copy_into
from .sqlite_schema import open_reader


def back_up(path: Path, target: Path) -> None:
    """Copy the store at ``path`` as it is at this moment to ``target``; a hub that uses it is not held up. Blocks.

    The copy is one file, a store of its own: with another stream, so that watchers of a hub that is started on it
    begin anew instead of taking new events for old ones. It appears complete or not at all.

    Raises:
        StoreError: there is no store of ours, ``target`` exists, or it cannot be written.
    """
    with contextlib.closing(open_reader(path)) as connection:
        copy_into(connection, path, target)
