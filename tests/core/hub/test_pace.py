from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.hub import Limits
from roundwatch.core.hub.pace import Pace


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_a_second_of_the_rate_is_free_and_more_has_to_wait_as_long_as_it_is() -> None:
    clock = Clock()
    pace = Pace(Limits(events_per_s=100, bytes_per_s=1000), clock)
    assert pace.spend("a", 100, 10) == 0
    assert round(pace.spend("a", 50, 10), 6) == 0.5
    clock.now_s += 0.5
    assert round(pace.spend("a", 10, 10), 6) == 0.1


def test_bytes_count_where_events_do_not() -> None:
    pace = Pace(Limits(events_per_s=1000, bytes_per_s=1000), Clock())
    assert round(pace.spend("a", 1, 3000), 6) == 2.0


def test_identities_do_not_slow_each_other_and_their_publishers_share_one_bucket() -> None:
    pace = Pace(Limits(events_per_s=10, bytes_per_s=1e9), Clock())
    assert round(pace.spend("a", 20, 1), 6) == 1.0
    assert pace.spend("b", 10, 1) == 0
    assert round(pace.spend("a", 10, 1), 6) == 2.0


def test_a_frame_without_an_event_is_not_free() -> None:
    pace = Pace(Limits(events_per_s=1, bytes_per_s=1e9), Clock())
    assert [round(pace.spend("a", 0, 1), 6) for _ in range(3)] == [0, 1, 2]


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(1, 500)), min_size=1, max_size=60))
def test_who_waits_as_told_never_exceeds_the_rate_and_its_burst(steps: list[tuple[float, int]]) -> None:
    clock, rate = Clock(), 100.0
    pace = Pace(Limits(events_per_s=rate, bytes_per_s=1e12), clock)
    start, sent = clock.now_s, 0
    for idle_s, events in steps:
        clock.now_s += idle_s
        clock.now_s += pace.spend("a", events, 1)
        sent += events
        assert sent <= rate * (clock.now_s - start) + rate + 1e-6
