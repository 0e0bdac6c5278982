from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import (
    FORK_MAX_ITERATIONS,
    STALLED_ITERATIONS,
    STREAM_STALL_S,
    StalledIterationGuard,
    StalledStop,
    StreamStallGuard,
)


def test_a_stream_is_stalled_when_its_silence_reaches_the_limit() -> None:
    guard = StreamStallGuard(sent_at=100.0, limit_s=10.0)
    assert guard.due_at == 110.0
    assert guard.silent_s(109.9) is None
    assert guard.silent_s(110.0) == 10.0
    guard.heard(105.0)
    assert guard.silent_s(110.0) is None
    assert guard.silent_s(117.0) == 12.0


def test_a_late_report_of_an_earlier_byte_changes_nothing() -> None:
    guard = StreamStallGuard(sent_at=0.0, limit_s=10.0)
    guard.heard(8.0)
    guard.heard(3.0)
    assert guard.due_at == 18.0


def test_the_default_silence_is_minutes_and_no_limit_is_refused() -> None:
    assert StreamStallGuard(0.0).due_at == STREAM_STALL_S >= 60
    for limit in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="above 0 s"):
            StreamStallGuard(0.0, limit)


FAIL, OK, MIXED, NONE = [True], [False], [True, False], list[bool]()


@pytest.mark.parametrize("breaker", [OK, MIXED, NONE])
def test_a_success_or_an_iteration_without_tools_ends_a_streak(breaker: list[bool]) -> None:
    guard = StalledIterationGuard()
    for results in (FAIL, FAIL, breaker, FAIL, FAIL):
        assert guard.record(results) is None
    assert guard.record(FAIL) is not None


def test_a_cancelled_iteration_is_not_counted_and_ends_a_streak() -> None:
    guard = StalledIterationGuard()
    for cancelled in (False, False, True, False, False):
        assert guard.record(FAIL, cancelled=cancelled) is None
    assert guard.record(FAIL) == StalledStop(3, all_refused=False)


@pytest.mark.parametrize("first", range(8))
def test_refused_and_failing_iterations_share_the_count_and_the_clause_needs_them_all(first: int) -> None:
    refused = [bool(first & bit) for bit in (1, 2, 4)]
    guard = StalledIterationGuard()
    stops = [guard.record([True, True], refused=flag) for flag in refused]
    assert stops == [None, None, StalledStop(3, all_refused=all(refused))]


def test_refusals_before_a_success_do_not_colour_a_later_streak() -> None:
    guard = StalledIterationGuard()
    for results, refused in ((FAIL, True), (OK, False), (FAIL, False), (FAIL, True)):
        assert guard.record(results, refused=refused) is None
    assert guard.record(FAIL, refused=True) == StalledStop(3, all_refused=False)


@given(st.lists(st.lists(st.booleans(), max_size=3), max_size=30), st.integers(1, 4))
def test_the_guard_trips_exactly_after_a_run_of_failures(iterations: list[list[bool]], limit: int) -> None:
    guard, run = StalledIterationGuard(limit), 0
    for results in iterations:
        run = run + 1 if results and all(results) else 0
        stop = guard.record(results)
        assert (stop is not None) is (run >= limit)


def test_a_switched_off_guard_leaves_only_the_iteration_limit() -> None:
    guard = StalledIterationGuard(None)
    assert [guard.record(FAIL, refused=True) for _ in range(FORK_MAX_ITERATIONS)] == [None] * 1000
    assert STALLED_ITERATIONS == 3


def test_a_guard_without_a_sensible_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        StalledIterationGuard(0)


def test_the_stop_message_names_the_limit_only_for_a_streak_of_refusals() -> None:
    plain, refused = StalledStop(3, all_refused=False).message, StalledStop(3, all_refused=True).message
    assert plain == "Stopped after 3 iterations with no progress: every tool call in them failed"
    assert refused == plain + "; each was cut at max_tokens, calls refused"


def test_the_guards_own_warning_never_names_the_limit() -> None:
    for all_refused in (True, False):
        warning = StalledStop(3, all_refused=all_refused).warning
        assert "3 iterations" in warning
        assert "max_tokens" not in warning
