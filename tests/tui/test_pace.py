from __future__ import annotations

from itertools import pairwise

from roundwatch.tui.pace import BURST_FRAMES, Pace


def frames(pace: Pace, start: float, seconds: float) -> list[float]:
    """When frames are drawn if there is always something new."""
    drawn: list[float] = []
    now = start
    while now < start + seconds:
        now += pace.wait(now)
        pace.drawn(now)
        drawn.append(now)
    return drawn


def test_the_first_frame_comes_at_once() -> None:
    assert Pace().wait(1000.0) == 0.0


def test_no_two_frames_are_closer_than_a_thirtieth_of_a_second() -> None:
    drawn = frames(Pace(), 0.0, 5.0)
    assert min(later - earlier for earlier, later in pairwise(drawn)) >= 1 / 30 - 1e-9


def test_a_stream_settles_at_fifteen_frames_a_second() -> None:
    drawn = frames(Pace(), 0.0, 20.0)
    assert len([at for at in drawn if 10.0 <= at < 20.0]) in (149, 150, 151)


def test_a_pause_allows_the_next_burst() -> None:
    pace = Pace()
    frames(pace, 0.0, 5.0)
    burst = frames(pace, 100.0, 0.2)
    assert len(burst) >= BURST_FRAMES
