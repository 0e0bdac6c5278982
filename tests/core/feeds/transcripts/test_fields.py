from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from roundwatch.core.feeds.transcripts.fields import (
    count_of,
    duration_of,
    list_of,
    moment_of,
    object_of,
    texts_of,
    word_of,
)


@pytest.mark.parametrize(
    ("value", "count", "duration"),
    [
        (5, 5, 5.0),
        (0, 0, 0.0),
        (-1, None, None),
        (True, None, None),
        (1.5, None, 1.5),
        ("5", None, None),
        (2**60, None, None),
        (float("nan"), None, None),
        (float("inf"), None, None),
        (None, None, None),
    ],
)
def test_counts_and_durations_are_plain_numbers_of_zero_or_more(
    value: Any, count: int | None, duration: float | None
) -> None:
    assert (count_of(value), duration_of(value)) == (count, duration)


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-10-01T10:00:00.500Z", datetime(2026, 10, 1, 10, 0, 0, 500_000, UTC)),
        ("2026-10-01T12:00:00+02:00", datetime(2026, 10, 1, 10, tzinfo=UTC)),
        ("2026-10-01T10:00:00", datetime(2026, 10, 1, 10, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("yesterday", None),
        (17, None),
    ],
)
def test_moments_are_in_utc(value: Any, moment: datetime | None) -> None:
    assert moment_of(value) == moment


def test_values_of_another_shape_are_nothing() -> None:
    assert (object_of([]), object_of({"a": 1}), list_of({}), list_of([1])) == ({}, {"a": 1}, [], [1])
    assert [word_of(value) for value in ("a", "", " ", 5, None)] == ["a", None, None, None, None]


def test_texts_come_from_strings_and_blocks() -> None:
    assert texts_of("a") == "a"
    assert texts_of([{"text": "a"}, {"text": 5}, "b", {"type": "image"}, {"text": "c"}]) == "a\nc"
    assert texts_of(None) == ""
