from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from roundwatch.core.texts import clean
from roundwatch.tui.safe_text import Span, Tone, cut, cut_line, cut_start, fitted, joined, line_cells, one_line, padded

ANY = st.text(max_size=60)


@given(ANY)
def test_a_span_holds_nothing_that_a_terminal_obeys(text: str) -> None:
    assert Span(text).text == clean(Span(text).text)


@given(ANY, st.integers(0, 40), st.booleans())
def test_fitted_text_takes_exactly_its_cells(text: str, cells: int, right: bool) -> None:
    assert cell_len(fitted(text, cells, right=right)) == cells


@given(ANY, st.integers(0, 40))
def test_cut_text_takes_at_most_its_cells(text: str, cells: int) -> None:
    assert cell_len(cut(text, cells)) <= cells


@given(st.lists(ANY, max_size=5), st.integers(0, 60))
def test_lines_are_cut_and_padded_to_the_cell(texts: list[str], cells: int) -> None:
    line = tuple(Span(text, Tone.DIM) for text in texts)
    assert line_cells(cut_line(line, cells)) <= cells
    assert line_cells(padded(line, cells)) == cells


@given(ANY, st.integers(4, 40))
def test_the_end_of_a_text_takes_at_most_its_cells(text: str, cells: int) -> None:
    assert cell_len(cut_start(text, cells)) <= cells


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("日本語", 4, "日 …"), ("日本語", 5, "日本…"), ("", 3, "")],
)
def test_what_is_cut_ends_in_an_ellipsis(text: str, cells: int, shown: str) -> None:
    assert cut(text, cells).rstrip() == shown


def test_the_end_of_a_text_begins_with_a_whole_word() -> None:
    assert cut_start("the quick brown fox", 12) == "… brown fox"


def test_empty_parts_leave_no_gap() -> None:
    assert "".join(span.text for span in joined(((Span("a"),), (), (Span("b"),)), " | ")) == "a | b"


@pytest.mark.parametrize(
    ("text", "shown"), [("a \t\n b\r\nc", "a b c"), ("FAILED\rPASSED", "FAILED␍PASSED"), ("\x1c\u2028x", "␜‹U+2028›x")]
)
def test_only_blanks_are_joined_when_a_text_becomes_one_line(text: str, shown: str) -> None:
    assert one_line(text) == shown
