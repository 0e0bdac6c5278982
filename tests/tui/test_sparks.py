from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.sparks import bar, sparkline


@given(st.floats(0, 100), st.floats(0, 100), st.integers(0, 60))
def test_a_bar_never_leaves_its_room_and_shows_all_that_is_not_zero(value: float, most: float, cells: int) -> None:
    drawn = bar(value, most, cells)
    assert len(drawn) <= cells
    assert bool(drawn.strip()) == (value > 0 and most > 0 and cells > 0)


def test_the_largest_value_fills_the_bar() -> None:
    assert bar(4, 4, 5) == "█████"
    assert bar(2, 4, 5) == "██▌"


def test_a_sparkline_has_one_sign_a_count() -> None:
    assert sparkline([0, 1, 4, 8]) == " ▁▄█"
    assert sparkline([0, 1, 1000]) == " ▁█"
    assert sparkline([]) == ""
