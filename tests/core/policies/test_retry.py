from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import FailedCall, HeldChunks, RetryWhy, asked_wait_s, delays, is_transient, may_retry
from roundwatch.core.policies.retry import CAP_S, FIRST_S, HELD_MAX, JITTER, TRANSIENT_STATUS
from roundwatch.core.rounds import CallOutcome

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def failed(outcome: CallOutcome = CallOutcome.FAILED, *streamed: str, status: int | None = 503) -> FailedCall:
    return FailedCall(outcome, "provider_error", None, status, frozenset(streamed))


@pytest.mark.parametrize("outcome", [CallOutcome.COMPLETED, CallOutcome.CANCELLED])
def test_a_call_that_did_not_fail_is_not_made_again(outcome: CallOutcome) -> None:
    assert may_retry(failed(outcome), attempt=1, attempts=3) is RetryWhy.NOT_FAILED


@pytest.mark.parametrize("outcome", [CallOutcome.STALLED, CallOutcome.BODY_CUT])
def test_a_broken_transfer_may_pass_whatever_its_words(outcome: CallOutcome) -> None:
    assert may_retry(failed(outcome, status=None), attempt=1, attempts=3) is RetryWhy.TRANSIENT


@pytest.mark.parametrize("streamed", [(), ("usage",), ("text",), ("reasoning", "text", "usage")])
def test_a_text_only_call_is_regenerated(streamed: tuple[str, ...]) -> None:
    assert may_retry(failed(CallOutcome.BODY_CUT, *streamed), attempt=1, attempts=2) is RetryWhy.TRANSIENT


@pytest.mark.parametrize("kind", ["tool_arguments", "tool_call", "image"])
def test_a_call_that_streamed_a_tool_call_or_something_unknown_is_not(kind: str) -> None:
    assert may_retry(failed(CallOutcome.STALLED, "text", kind), attempt=1, attempts=2) is RetryWhy.UNSAFE_CONTENT


def test_without_leave_to_regenerate_any_output_forbids_a_retry() -> None:
    text, usage = failed(CallOutcome.STALLED, "text"), failed(CallOutcome.STALLED, "usage")
    assert may_retry(text, attempt=1, attempts=2, regenerate=False) is RetryWhy.UNSAFE_CONTENT
    assert may_retry(usage, attempt=1, attempts=2, regenerate=False) is RetryWhy.TRANSIENT


def test_attempts_are_counted_in_all() -> None:
    assert may_retry(failed(), attempt=1, attempts=2) is RetryWhy.TRANSIENT
    assert may_retry(failed(), attempt=2, attempts=2) is RetryWhy.ATTEMPTS_SPENT
    assert may_retry(failed(status=401), attempt=1, attempts=2) is RetryWhy.PERMANENT


@pytest.mark.parametrize("status", sorted(TRANSIENT_STATUS))
def test_these_statuses_may_pass(status: int) -> None:
    assert is_transient(None, None, status)


@pytest.mark.parametrize("status", [None, 200, 400, 401, 403, 404, 413, 422, 501])
def test_these_statuses_do_not_pass_by_waiting(status: int | None) -> None:
    assert not is_transient("provider_error", "invalid_request", status)


@pytest.mark.parametrize("word", ["overloaded_error", "Rate_Limit_Error", "server_error", "unreachable", "timeout"])
def test_words_without_a_status_may_say_later(word: str) -> None:
    assert is_transient(word, None, None)
    assert is_transient("provider_error", word, None)


@pytest.mark.parametrize("code", ["insufficient_quota", "content_filter", "billing_hard_limit"])
def test_a_final_code_beats_a_transient_status(code: str) -> None:
    assert not is_transient("rate_limit_error", code, 429)


def test_waits_double_up_to_the_cap() -> None:
    assert list(itertools.islice(delays(lambda: 0.0), 8)) == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    assert next(delays(lambda: 0.0, first_s=5.0, cap_s=2.0)) == 2.0


@given(st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=20))
def test_chance_only_shortens_a_wait_by_a_known_share(draws: list[float]) -> None:
    luck = iter(draws)
    longest = delays(lambda: 0.0)
    for wait in itertools.islice(delays(lambda: next(luck)), len(draws)):
        full = next(longest)
        assert full * (1 - JITTER) <= wait <= full <= CAP_S
        assert wait >= FIRST_S * (1 - JITTER)


@pytest.mark.parametrize(
    ("header", "wait"),
    [(None, None), ("", None), ("2", 2.0), ("0.5", 0.5), ("0", 0.0), ("-1", None), ("nan", None), ("inf", None),
     ("soon", None), ("Fri, 02 Jan 2026 03:04:35 GMT", 30.0), ("Fri, 02 Jan 2026 03:04:00 GMT", 0.0),
     ("Fri, 02 Jan 2026 03:04:35 -0000", None),
     ("Fri, 31 Feb 2026 00:00:00 GMT", None), ("Fri, 02 Jän 2026 03:04:35 GMT", None),
     ("Fri, 02 Xyz 2026 03:04:35 GMT", None), ("Thu, 31 Dec 2026 00:00:00 GMT", 31_352_155.0)],
)  # fmt: skip
def test_retry_after_is_read_in_seconds_and_as_a_date(header: str | None, wait: float | None) -> None:
    assert asked_wait_s(header, NOW) == wait


def test_a_date_is_read_against_any_zone_and_not_without_a_moment() -> None:
    here = NOW.astimezone(timezone(timedelta(hours=5)))
    assert asked_wait_s("Fri, 02 Jan 2026 03:04:35 GMT", here) == 30.0
    assert asked_wait_s("Fri, 02 Jan 2026 03:04:35 GMT") is None


def test_a_held_finish_chunk_goes_out_before_the_usage_that_follows_it() -> None:
    held: HeldChunks[str] = HeldChunks()
    assert held.push("role") == ()
    assert held.push("finish", finish_reason="stop") == ()
    assert held.push("empty") == ()
    assert held.push("usage", output=True) == ("finish", "usage")
    assert held.finish_reason == "stop"
    assert held.close() == ()


def test_after_the_first_output_nothing_is_held() -> None:
    held: HeldChunks[str] = HeldChunks()
    assert not held.begun
    assert held.push("text", output=True) == ("text",)
    assert held.begun
    assert held.push("empty") == ("empty",)
    assert held.push("finish", finish_reason="length") == ("finish",)
    assert held.finish_reason == "length"


def test_a_finish_chunk_survives_a_stream_that_ends_without_output() -> None:
    held: HeldChunks[str] = HeldChunks()
    held.push("empty")
    held.push("finish", finish_reason="stop")
    assert held.close() == ("finish",)
    assert held.close() == ()


def test_a_chunk_that_brings_text_and_reason_together_is_passed_on_whole() -> None:
    held: HeldChunks[str] = HeldChunks()
    assert held.push("both", finish_reason="stop", output=True) == ("both",)
    assert held.finish_reason == "stop"


def test_the_first_reason_stands_and_a_blank_one_reports_nothing() -> None:
    held: HeldChunks[str] = HeldChunks()
    held.push("blank", finish_reason=" ")
    assert held.finish_reason is None
    held.push("one", finish_reason="length")
    held.push("two", finish_reason="stop")
    held.push("none", finish_reason=None)
    assert held.finish_reason == "length"
    assert held.close() == ("one", "two")


def test_a_stream_of_nothing_but_finish_chunks_is_not_hoarded() -> None:
    held: HeldChunks[int] = HeldChunks()
    for number in range(HELD_MAX):
        assert held.push(number, finish_reason="stop") == ()
    assert held.push(HELD_MAX, finish_reason="stop") == tuple(range(HELD_MAX + 1))
    assert held.push(-1, finish_reason="stop") == (-1,)


@given(st.lists(st.tuples(st.sampled_from([None, "", "stop", "length"]), st.booleans()), max_size=40))
def test_no_chunk_with_a_reason_or_output_is_lost_doubled_or_moved(stream: list[tuple[str | None, bool]]) -> None:
    held: HeldChunks[int] = HeldChunks()
    out: list[int] = []
    for number, (reason, output) in enumerate(stream):
        out += held.push(number, finish_reason=reason, output=output)
    out += held.close()
    kept = [number for number, (reason, output) in enumerate(stream) if reason or output]
    assert out == sorted(set(out))
    assert set(kept) <= set(out)
    assert held.finish_reason == next((reason for reason, _ in stream if reason), None)
