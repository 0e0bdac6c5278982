"""The end of the program: soon, whatever still hangs; and with words, where it is a fault of our own."""

from __future__ import annotations

import contextlib
import os
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

from ..core.texts import Texts, clean
from .saved_files import new_file

ENDS_WITHIN_S = 1.2
"""Time to leave in good order; a terminal that reads no more, or a thread that hangs, is not waited for longer."""
MOST_ERROR = 200
"""Characters of an error's own words, which may quote text from outside."""
MOST_LINES, MOST_LINE = 200, 300


def end_for_certain(code: int, *, restore: Callable[[], None] = lambda: None, within_s: float = ENDS_WITHIN_S) -> None:
    """Let this process end with ``code`` after ``within_s`` at the latest, whatever its other threads wait for.

    Args:
        restore: called just before it is cut off; must not wait for anything.
    """

    def end() -> None:
        restore()
        os._exit(code)

    last = threading.Timer(within_s, end)
    last.daemon = True
    last.start()


def fault_told(error: BaseException, texts: Texts, folder: Path) -> str:
    """Return in one line what ended the program; where exactly is written into a new file in ``folder``.

    No values of variables are kept: they may hold whole texts from outside, or a secret.
    """
    said = clean(f"{type(error).__name__}: {error}".removesuffix(": "), limit=MOST_ERROR)
    written = _written(error, folder)
    return texts("tui.fault", error=said) if written is None else texts("tui.fault_file", error=said, file=str(written))


def _written(error: BaseException, folder: Path) -> Path | None:
    lines = "".join(traceback.format_exception(error)).splitlines()
    kept = "".join(clean(line, limit=MOST_LINE) + "\n" for line in lines[-MOST_LINES:])
    with contextlib.suppress(OSError), new_file(folder, "fault", "txt") as (file, path):
        file.write(kept.encode("utf-8", "replace"))
        return path
    return None
