from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.frame import Scrolled, framed
from roundwatch.tui.safe_text import Span, line_cells


@given(st.integers(1, 60), st.integers(1, 12), st.integers(0, 15), st.text(max_size=30))
def test_a_frame_is_as_large_as_it_was_asked_to_be(width: int, height: int, lines: int, text: str) -> None:
    boxed = framed([(Span(text),)] * lines, width, height, title=(Span(text),), foot=(Span(text),))
    assert len(boxed) <= height
    assert {line_cells(line) for line in boxed} <= {width}


@given(st.integers(1, 40), st.integers(0, 500), st.integers(0, 1000))
def test_the_handle_of_the_scroll_bar_stays_inside(height: int, total: int, top: int) -> None:
    top = min(top, max(0, total - height))
    thumb = Scrolled(top, total).thumb(height)
    assert bool(thumb) == (total > height)
    assert all(0 <= line < height for line in thumb)


@pytest.mark.parametrize(("top", "first"), [(0, 0), (90, 9)])
def test_the_handle_stands_where_the_window_is(top: int, first: int) -> None:
    assert Scrolled(top, 100).thumb(10) == range(first, first + 1)


@given(st.integers(1, 40), st.integers(0, 500), st.integers(0, 500))
def test_dragging_to_where_the_handle_is_reaches_every_end(height: int, total: int, top: int) -> None:
    scrolled = Scrolled(min(top, max(0, total - height)), total)
    if total <= height:
        assert scrolled.top_at(0, height) == scrolled.top
        return
    assert scrolled.top_at(-5, height) == scrolled.top_at(0, height) == 0 or height == 1
    if height > len(scrolled.thumb(height)):
        assert scrolled.top_at(height + 5, height) == total - height
    assert all(0 <= scrolled.top_at(line, height) <= total - height for line in range(-2, height + 2))
