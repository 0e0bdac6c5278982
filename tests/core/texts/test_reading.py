from __future__ import annotations

import pytest
from roundwatch.core.texts.reading import (
    MOST_QUOTED,
    count_of,
    flag_of,
    names_of,
    number_of,
    quotable,
    text_of,
)


@pytest.mark.parametrize("value", [None, "", "  \n", 5, True, ["x"], {}])
def test_what_is_no_text_is_not_recorded(value: object) -> None:
    assert text_of({"k": value}, "k") is None


@pytest.mark.parametrize("value", [None, "5", True, [5], float("nan"), float("inf")])
def test_what_is_no_number_is_not_recorded(value: object) -> None:
    assert number_of({"k": value}, "k") is None


@pytest.mark.parametrize("value", [None, "yes", 1, 0])
def test_what_is_no_yes_or_no_is_not_recorded(value: object) -> None:
    assert flag_of({"k": value}, "k") is None


def test_facts_are_read_as_they_are() -> None:
    facts = {"t": " a\nb ", "n": 2.5, "f": False, "l": ["a", "", 5, "b"], "c": ("x", "y")}
    assert text_of(facts, "t") == "a␊b"
    assert number_of(facts, "n") == 2.5
    assert flag_of(facts, "f") is False
    assert names_of(facts, "l") == ("a", "b")
    assert (count_of(facts, "c"), count_of(facts, "n"), count_of(facts, "x")) == (2, 2.5, None)
    assert names_of(facts, "t") == ()


def test_a_long_quotation_is_cut() -> None:
    quoted = quotable("x" * 10_000)
    assert quoted is not None
    assert len(quoted) == MOST_QUOTED
    assert quotable(None) is None
