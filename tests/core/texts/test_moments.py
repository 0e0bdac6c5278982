from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from roundwatch.core.texts import clock_time, date_and_time, zone_name

from tests.core.texts.ended import DE, EN

MOMENT = datetime(2026, 11, 30, 12, 3, 22, tzinfo=UTC)
EAST = timezone(timedelta(hours=2), "EEST")


def test_times_are_the_viewers_own() -> None:
    assert clock_time(MOMENT, EAST) == "14:03:22"
    assert zone_name(MOMENT, EAST) == "EEST"


def test_dates_follow_the_language() -> None:
    assert date_and_time(MOMENT, EN, EAST) == "Nov 30, 2026 14:03:22"
    assert date_and_time(MOMENT, DE, EAST) == "30.11.2026 14:03:22"


def test_a_moment_at_the_end_of_the_calendar_stays_in_its_own_zone() -> None:
    last = datetime(9999, 12, 31, 23, 30, tzinfo=UTC)
    assert clock_time(last, EAST) == "23:30:00"
