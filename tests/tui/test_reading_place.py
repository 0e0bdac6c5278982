from __future__ import annotations

import pytest
from roundwatch.tui.reading_place import ReadingPlace, lowest, rest

from tests.scenes import NOW, call, cap_cut, start
from tests.tui.lines import DE, timeline_of

HEIGHT = 8
LONG = [line for n in range(30) for line in call("r", f"c{n}", n, first=0.1, total=0.5)]


def test_it_stays_at_the_end_while_nobody_scrolls() -> None:
    place = ReadingPlace()
    for count in (10, 20, 30):
        timeline = timeline_of([*start("r", 0), *LONG[: count * 2]])
        assert place.top(timeline, HEIGHT) == rest(timeline, HEIGHT)


def test_at_the_end_a_banner_taller_than_the_window_shows_its_headline() -> None:
    timeline = timeline_of(cap_cut())
    top = ReadingPlace().top(timeline, HEIGHT)
    assert "Stream ended without a finish" in "".join(span.text for span in timeline.window(top, 1, NOW)[0][0])


def test_the_last_line_is_reached_by_going_to_the_end_twice() -> None:
    timeline, place = timeline_of(cap_cut()), ReadingPlace()
    place.go(timeline, HEIGHT, "last")
    assert place.top(timeline, HEIGHT) == lowest(timeline, HEIGHT)


def test_what_is_read_stays_on_top_when_more_comes() -> None:
    place = ReadingPlace()
    before = timeline_of([*start("r", 0), *LONG[:40]])
    place.go(before, HEIGHT, "first")
    place.scroll(before, HEIGHT, 6)
    after = timeline_of([*start("r", 0), *LONG])
    assert (
        before.window(place.top(before, HEIGHT), 1, NOW)[0][0][1:]
        == after.window(place.top(after, HEIGHT), 1, NOW)[0][0][1:]
    )


def test_what_is_read_stays_on_top_in_another_width_language_and_with_older_entries() -> None:
    place = ReadingPlace()
    wide = timeline_of([*start("r", 0), *LONG], shown=10)
    place.scroll(wide, HEIGHT, -12)
    entry = wide.blocks[wide.block_at(place.top(wide, HEIGHT))].subject
    for other in (
        timeline_of([*start("r", 0), *LONG], width=38, shown=10),
        timeline_of([*start("r", 0), *LONG], locale=DE, shown=10),
        timeline_of([*start("r", 0), *LONG], shown=20),
    ):
        found = other.blocks[other.block_at(place.top(other, HEIGHT))].subject
        assert getattr(found, "id", "") == getattr(entry, "id", None)


def test_the_cursor_goes_from_entry_to_entry_and_stays_in_the_window() -> None:
    timeline, place = timeline_of(cap_cut()), ReadingPlace()
    place.go(timeline, HEIGHT, "first")
    seen = [place.cursor(timeline)]
    for _ in range(20):
        place.step(timeline, HEIGHT, 1)
        cursor, top = place.cursor(timeline), place.top(timeline, HEIGHT)
        assert cursor is not None
        seen.append(cursor)
        assert top >= rest(timeline, HEIGHT) or top <= timeline.top_of(cursor) < top + HEIGHT
    subjects = [number for number, block in enumerate(timeline.blocks) if block.subject is not None]
    assert list(dict.fromkeys(seen)) == subjects
    assert place.top(timeline, HEIGHT) == lowest(timeline, HEIGHT)


def test_a_click_puts_the_cursor_on_the_entry_under_it() -> None:
    timeline, place = timeline_of(cap_cut()), ReadingPlace()
    place.go(timeline, 100, "first")
    place.point(timeline, 100, timeline.top_of(2))
    assert place.cursor(timeline) == 2
    place.point(timeline, 100, 0)
    assert place.cursor(timeline) == 2


@pytest.mark.parametrize("steps", [-3, 3])
def test_a_round_without_entries_only_scrolls(steps: int) -> None:
    timeline, place = timeline_of(start("r", 0)), ReadingPlace()
    place.step(timeline, HEIGHT, steps)
    assert place.cursor(timeline) is None


def test_the_cursor_comes_along_when_the_window_moves() -> None:
    timeline, place = timeline_of([*start("r", 0), *LONG]), ReadingPlace()
    place.go(timeline, HEIGHT, "first")
    for pages in (3, 5, -2, 4, -6):
        place.scroll(timeline, HEIGHT, pages * HEIGHT)
        assert place.sees_cursor(timeline, HEIGHT)


def test_a_cursor_out_of_sight_is_brought_in_and_one_in_sight_moves_nothing() -> None:
    timeline, place = timeline_of(cap_cut()), ReadingPlace()
    before = place.cursor(timeline)
    assert not place.sees_cursor(timeline, HEIGHT)
    place.reveal(timeline, HEIGHT)
    assert place.cursor(timeline) == before
    assert place.sees_cursor(timeline, HEIGHT)
    top = place.top(timeline, HEIGHT)
    place.reveal(timeline, HEIGHT)
    assert place.top(timeline, HEIGHT) == top
