from __future__ import annotations

from typing import Any

import pytest
from roundwatch.core.rounds import Usage
from roundwatch.core.wire.counts import read_usage, sent_cap, whole_number

PATHS = {"input_tokens": (("a",), ("b", "c")), "output_tokens": (("out",),)}


@pytest.mark.parametrize(
    ("value", "number"),
    [(0, 0), (-3, -3), (12.0, 12), (1.5, None), (True, None), ("7", None), (None, None), (float("nan"), None)],
)
def test_only_whole_numbers_are_counts(value: Any, number: int | None) -> None:
    assert whole_number(value) == number


@pytest.mark.parametrize("value", [float("inf"), 10**400, -(10**30)])
def test_a_number_too_large_to_be_exact_elsewhere_is_none(value: Any) -> None:
    assert whole_number(value) is None


def test_the_first_place_with_a_number_wins() -> None:
    assert read_usage({"a": None, "b": {"c": 4}}, PATHS) == Usage(input_tokens=4)
    assert read_usage({"a": 3, "b": {"c": 4}, "out": 0}, PATHS) == Usage(input_tokens=3, output_tokens=0)


@pytest.mark.parametrize("value", [None, {}, [], "x", {"a": "x", "b": []}])
def test_nothing_reported_is_no_report(value: Any) -> None:
    assert read_usage(value, PATHS) is None


@pytest.mark.parametrize(("request_", "cap"), [({"a": 5}, 5), ({"a": -1}, None), ({"a": 0}, None), ({}, None)])
def test_a_cap_is_above_zero(request_: dict[str, Any], cap: int | None) -> None:
    assert sent_cap(request_, (("a",),)) == cap
