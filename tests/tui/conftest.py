"""Everything that could make two runs of the screen differ is pinned here."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from textual.widgets import Input


@pytest.fixture(autouse=True)
def _pinned(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Pin colours, time zone, environment language and the blinking cursor; size and clock come from the stage."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TEXTUAL_THEME", "TEXTUAL_FILTERS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "TZ": "UTC"}.items():
        monkeypatch.setenv(name, value)
    time.tzset()
    monkeypatch.setattr(Input.cursor_blink, "_default", False)
    yield
    monkeypatch.undo()
    time.tzset()
