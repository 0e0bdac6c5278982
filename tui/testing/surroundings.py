"""Everything outside the app that could make two pictures of it differ is pinned here."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

DROPPED = ("NO_COLOR", "FORCE_COLOR", "TEXTUAL_THEME", "TEXTUAL_FILTERS", "COLUMNS", "LINES")
"""Variables of the environment that colour, filter or size what is drawn."""
SET = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
READ_AT_IMPORT = {"FILTERS": "", "TEXTUAL_ANIMATIONS": "none"}
"""What Textual has taken from the environment before any test runs."""


@contextmanager
def pinned(patch: pytest.MonkeyPatch) -> Generator[None]:
    """Pin colours, terminal, zone, environment language, animations and the blinking cursor.

    Size, clock, the viewer's zone, language and theme are arguments of the app: see ``still_app``.

    Args:
        patch: is undone at the end.
    """
    from textual import constants
    from textual.widgets import Input

    for name in DROPPED:
        patch.delenv(name, raising=False)
    for name, value in SET.items():
        patch.setenv(name, value)
    time.tzset()
    for name, value in READ_AT_IMPORT.items():
        patch.setattr(constants, name, value)
    patch.setattr(Input.cursor_blink, "_default", False)
    try:
        yield
    finally:
        patch.undo()
        time.tzset()
