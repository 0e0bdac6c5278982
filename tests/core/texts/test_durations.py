from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import ago, duration, earlier, head_duration, short_duration, span, span_of_ms

from tests.core.texts.ended import DE, EN


@pytest.mark.parametrize(
    ("ms", "en", "de"),
    [
        (0, "0 ms", "0 ms"),
        (43, "43 ms", "43 ms"),
        (0.5, "1 ms", "1 ms"),
        (999.4, "999 ms", "999 ms"),
        (999.5, "1.0 s", "1,0 s"),
        (1250, "1.3 s", "1,3 s"),
        (15_600, "15.6 s", "15,6 s"),
        (1_234_550, "1,234.6 s", "1.234,6 s"),
        (None, "–", "–"),
        (float("nan"), "–", "–"),
        (-5, "-5 ms (implausible)", "-5 ms (unplausibel)"),
    ],
)
def test_measured_times(ms: float | None, en: str, de: str) -> None:
    assert (duration(ms, EN), duration(ms, DE)) == (en, de)


@pytest.mark.parametrize(
    ("seconds", "en"),
    [
        (0, "0 s"),
        (0.4, "400 ms"),
        (1.5, "1.5 s"),
        (45, "45 s"),
        (60, "1 min"),
        (612.4, "10 min 12 s"),
        (600.0, "10 min"),
        (3600, "1 h"),
        (4050, "1 h 7 min"),
        (98_856, "27 h 27 min"),
        (5 * 86_400 + 3 * 3600, "5 d 3 h"),
        (-90, "-1 min 30 s (implausible)"),
        (None, "–"),
        (float("inf"), "–"),
    ],
)
def test_spans_have_their_two_largest_units(seconds: float | None, en: str) -> None:
    assert span(seconds, EN) == en


def test_a_span_can_come_in_milliseconds() -> None:
    assert span_of_ms(612_400, EN) == span(612.4, EN) == "10 min 12 s"


def test_how_long_before() -> None:
    assert (earlier(98_856, EN), earlier(98_856, DE)) == ("27 h 27 min earlier", "27 h 27 min zuvor")
    assert (ago(720, EN), ago(1.5, DE)) == ("12 min ago", "vor 1,5 s")


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (43, "43 ms"),
        (999.5, "1 s"),
        (41_200, "41 s"),
        (59_600, "1 min"),
        (12 * 60_000 + 59_000, "12 min"),
        (3 * 3_600_000 + 5 * 60_000, "3 h 05 min"),
        (123 * 3_600_000, "5 d 03 h"),
        (None, "–"),
    ],
)
def test_short_durations_for_lists(ms: float | None, shown: str) -> None:
    assert short_duration(ms, DE) == shown


@given(st.floats() | st.integers(-(10**400), 10**400))
def test_any_duration_can_be_shown(value: float) -> None:
    for show in (duration, span, short_duration, head_duration, span_of_ms):
        assert show(value, DE)


@pytest.mark.parametrize(
    ("ms", "shown"),
    [(None, "–"), (43, "43 ms"), (38_400, "38,4 s"), (59_949, "59,9 s"), (59_950, "1 min"), (540_000, "9 min")],
)
def test_the_head_of_a_round_tells_minutes_as_a_list_does(ms: float | None, shown: str) -> None:
    assert head_duration(ms, DE) == shown
