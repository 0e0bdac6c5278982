from __future__ import annotations

import os
import time

import pytest
from roundwatch.tui.testing.surroundings import pinned
from textual import constants
from textual.widgets import Input


def state() -> dict[str, object]:
    return {
        **{name: os.environ.get(name) for name in ("NO_COLOR", "TERM", "TZ", "COLUMNS", "LC_ALL")},
        "filters": constants.FILTERS,
        "zone": time.tzname,
        "blink": Input.cursor_blink._default,  # pyright: ignore[reportPrivateUsage]
    }


def test_everything_is_pinned_and_comes_back() -> None:
    with pytest.MonkeyPatch.context() as outer:
        given = {"NO_COLOR": "1", "TERM": "dumb", "TZ": "Pacific/Auckland", "COLUMNS": "40", "LC_ALL": "de_DE.UTF-8"}
        for name, value in given.items():
            outer.setenv(name, value)
        outer.setattr(constants, "FILTERS", "dim")
        outer.setattr(Input.cursor_blink, "_default", True)
        time.tzset()
        before = state()
        with pytest.MonkeyPatch.context() as inner, pinned(inner):
            assert state() == {
                "NO_COLOR": None,
                "TERM": "xterm-256color",
                "TZ": "UTC",
                "COLUMNS": None,
                "LC_ALL": "C.UTF-8",
                "filters": "",
                "zone": ("UTC", "UTC"),
                "blink": False,
            }
        assert state() == before
    time.tzset()
