"""Files that the operator saves: readable by this account only, never over an older one, never outside their folder."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

FILE_MODE, FOLDER_MODE = 0o600, 0o700
MOST_NAME = 40
MOST_TRIES = 10_000
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


def saved_folder(environment: Mapping[str, str]) -> Path:
    """Return ``$XDG_DATA_HOME/roundwatch`` (``~/.local/share`` by default); it may not exist."""
    given = Path(environment.get("XDG_DATA_HOME", ""))
    base = given if given.is_absolute() else Path.home() / ".local" / "share"
    return base / "roundwatch"


def safe_stem(*parts: str) -> str:
    """Return a file's name made of parts, whatever they hold: letters, digits, ``_`` and ``-``."""
    cleaned = [_UNSAFE.sub("-", part)[:MOST_NAME].strip("-") for part in parts]
    return "-".join(part for part in cleaned if part) or "roundwatch"


@contextmanager
def new_file(folder: Path, stem: str, ending: str) -> Generator[tuple[BinaryIO, Path]]:
    """Open a new file to be written; a number is added to its name when there is one already.

    Args:
        stem: of ``safe_stem``.
        ending: without the dot.

    Raises:
        OSError: it cannot be written; nothing of it is left behind, as after any other error inside.
    """
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    handle, path = _created(folder, stem, ending)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file, path
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _created(folder: Path, stem: str, ending: str) -> tuple[int, Path]:
    for number in range(1, MOST_TRIES):
        path = folder / (f"{stem}.{ending}" if number == 1 else f"{stem}-{number}.{ending}")
        try:
            return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE), path
        except FileExistsError:
            continue
    raise FileExistsError(f"{folder / stem}.{ending}: {MOST_TRIES} files of this name")
