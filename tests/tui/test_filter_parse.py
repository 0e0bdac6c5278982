from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.filter_fields import ALIASES, FIELDS, STATES
from roundwatch.tui.filter_parse import FilterError, FilterFault, parse_filter

from tests.tui.filtering import WORDS

PIECES = st.sampled_from(
    [*(f"{name}:" for name in (*FIELDS, *ALIASES)), *STATES, " ", "|", "-", "!", '"', "'", ">", "<=", "..", "5", "k",
     "s", "none", "cut", "\t", "ß", "\u202e", "\x1b"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=12).map("".join)))
def test_every_text_is_a_filter_or_an_error_with_a_place_inside_the_text(text: str) -> None:
    try:
        found, wrong = parse_filter(text, WORDS), None
    except FilterError as error:
        found, wrong = None, error
    assert wrong is None or 0 <= wrong.position < len(text)
    assert wrong is not None or (found is None) == (not text.strip())


@pytest.mark.parametrize(
    ("text", "fault", "position"),
    [
        ("agent:a http://x", FilterFault.UNKNOWN_FIELD, 8),
        ("-foo:x", FilterFault.UNKNOWN_FIELD, 1),
        ("a verdict:zzz", FilterFault.UNKNOWN_VERDICT, 10),
        ("is:happy", FilterFault.UNKNOWN_STATE, 3),
        ("tokens:many", FilterFault.NO_NUMBER, 7),
        ("tokens:>", FilterFault.NO_NUMBER, 7),
        ("tokens:5q", FilterFault.NO_NUMBER, 7),
        ("total:>5k", FilterFault.NO_TIME, 6),
        ("total:..5s", FilterFault.NO_TIME, 6),
        ("agent:", FilterFault.VALUE_MISSING, 5),
        ("agent: x", FilterFault.VALUE_MISSING, 6),
        ("-", FilterFault.VALUE_MISSING, 0),
        ("| a", FilterFault.SIDE_MISSING, 0),
        ("a | | b", FilterFault.SIDE_MISSING, 4),
        ("a b |", FilterFault.SIDE_MISSING, 4),
        ('agent:"no end', FilterFault.QUOTE_OPEN, 6),
    ],
)
def test_an_error_stands_where_it_is(text: str, fault: FilterFault, position: int) -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter(text, WORDS)
    assert (caught.value.fault, caught.value.position) == (fault, position)


def test_an_error_names_what_could_stand_there() -> None:
    with pytest.raises(FilterError) as caught:
        parse_filter("colour:red", WORDS)
    assert set(caught.value.known) == set(FIELDS)


@pytest.mark.parametrize("text", ["", "   ", "\t"])
def test_a_blank_text_filters_nothing(text: str) -> None:
    assert parse_filter(text, WORDS) is None


@pytest.mark.parametrize(
    ("text", "follows"),
    [("total:>5s", True), ("agent:a -gesamt:<5s", True), ("is:silent", True), ("agent:a is:answer", False)],
)
def test_only_a_filter_for_an_age_follows_the_clock(text: str, follows: bool) -> None:
    found = parse_filter(text, WORDS)
    assert found is not None
    assert found.follows_clock is follows
