from __future__ import annotations

import pytest
from roundwatch.tui.cli.failure import CommandFailed
from roundwatch.tui.cli.since import NS, since_ns

NOW = 1_767_225_600 * NS


@pytest.mark.parametrize(
    ("given", "seconds_ago"), [("90m", 5400), ("12h", 43_200), ("7d", 604_800), ("2w", 1_209_600), (None, 604_800)]
)
def test_a_span_counts_back_from_now(given: str | None, seconds_ago: int) -> None:
    assert since_ns(given, NOW) == NOW - seconds_ago * NS


def test_a_date_and_everything() -> None:
    assert since_ns("2025-12-31T00:00:00Z", NOW) == NOW - 86_400 * NS
    assert since_ns("all", NOW) == 0
    assert since_ns("999999w", NOW) == 0


@pytest.mark.parametrize("given", ["", "yesterday", "7", "-3d", "2026-13-01", "1e9d"])
def test_anything_else_is_told(given: str) -> None:
    with pytest.raises(CommandFailed):
        since_ns(given, NOW)
