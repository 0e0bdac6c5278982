from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import cell_width, clean, wrap

WORDS = st.lists(
    st.sampled_from(["a", "Ausgabe", "15,6 s", "246.017 Eingabe-Token", "日本", "e\u0301", "„length“", '"stop"'])
)


def test_words_fill_lines_up_to_the_width() -> None:
    assert wrap("one two three four", 9) == ["one two", "three", "four"]


def test_a_number_takes_its_unit_to_the_next_line() -> None:
    assert wrap("first output after 15.6 s, 18.2 s in all", 23) == ["first output after", "15.6 s, 18.2 s in all"]
    assert wrap("erste Ausgabe nach ≈ 15,6 s", 24) == ["erste Ausgabe nach", "≈ 15,6 s"]


def test_a_number_after_a_number_goes_with_its_own_unit() -> None:
    assert wrap("aa 1 22 s", 6) == ["aa 1", "22 s"]


def test_a_quoted_value_stays_whole_where_it_fits() -> None:
    assert wrap('it said "context window full" twice', 24) == ["it said", '"context window full"', "twice"]
    assert wrap("er sagte „das Fenster ist voll“.", 26) == ["er sagte", "„das Fenster ist voll“."]


def test_a_quoted_value_wider_than_a_line_is_broken_like_prose() -> None:
    assert wrap('x "one two three four"', 10) == ['x "one two', "three", 'four"']


def test_a_quote_that_never_closes_is_prose() -> None:
    assert wrap('say "a b c d e f', 8) == ['say "a b', "c d e f"]


def test_a_word_wider_than_a_line_is_cut_between_characters() -> None:
    assert wrap("abcdefgh", 3) == ["abc", "def", "gh"]
    assert wrap("日本語", 5) == ["日本", "語"]
    assert wrap("xe\u0301e\u0301", 2) == ["xe\u0301", "e\u0301"]


def test_line_feeds_and_blank_lines_stay() -> None:
    assert wrap("a\n\nb", 10) == ["a", "", "b"]
    assert wrap("", 10) == [""]


def test_spaces_inside_a_line_stay_and_at_its_end_go() -> None:
    assert wrap("a  b   c", 4) == ["a  b", "c"]
    assert wrap("  indented", 20) == ["  indented"]


@pytest.mark.parametrize("width", [0, -3])
def test_a_width_below_one_is_one(width: int) -> None:
    assert wrap("ab", width) == ["a", "b"]


@given(st.text(), st.integers(2, 60))
def test_no_line_is_wider_than_the_width(text: str, width: int) -> None:
    assert all(cell_width(line) <= width for line in wrap(clean(text, multi_line=True), width))


@given(WORDS, st.integers(24, 60))
def test_no_break_parts_a_number_from_its_unit_or_a_quoted_value(words: list[str], width: int) -> None:
    lines = wrap(" ".join(words), width)
    assert not any(re.search(r"\d\Z", line) for line in lines)
    assert all(line.count("„") == line.count("“") and line.count('"') % 2 == 0 for line in lines)


@given(st.text(st.sampled_from('ab 日1."„“≈\u0301')), st.integers(2, 12))
def test_only_spaces_are_lost(text: str, width: int) -> None:
    assert "".join(wrap(text, width)).replace(" ", "") == text.replace(" ", "")
