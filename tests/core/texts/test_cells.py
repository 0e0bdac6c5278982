from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import cell_width
from roundwatch.core.texts.cells import clusters


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0),
        ("abc", 3),
        ("größer", 6),
        ("日本語", 6),
        ("e\u0301", 1),
        ("한", 2),
        ("\u1112\u1161\u11ab", 2),
        ("✂", 1),
        ("✂\ufe0f", 2),
        ("🚀", 2),
        ("🇩🇪", 2),
        ("\u0301", 0),
        ("Ａ", 2),
        ("‹U+202E›", 8),
    ],
)
def test_cells_are_counted_as_a_terminal_draws_them(text: str, cells: int) -> None:
    assert cell_width(text) == cells


def test_marks_stay_with_the_character_they_sit_on() -> None:
    assert list(clusters("ae\u0301\u0302日")) == [("a", 1), ("e\u0301\u0302", 1), ("日", 2)]


@given(st.text())
def test_the_parts_make_the_whole_again(text: str) -> None:
    parts = list(clusters(text))
    assert "".join(part for part, _ in parts) == text
    assert sum(width for _, width in parts) == cell_width(text)
