from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import (
    GUIDANCE,
    TAIL_LABEL,
    GuidanceKind,
    PartialAccumulator,
    Resumption,
    ask_producer,
    guidance_kind,
    timeout_report,
)

REASONING = "spawn-accumulator:reasoning"
PROSE = {"text": "half an answer", "segments": 2, "source": "spawn-accumulator"}


@pytest.mark.parametrize(
    "source", ["spawn-accumulator", REASONING + " ", REASONING.upper(), ":reasoning", "", None, 5, []]
)
def test_any_source_but_the_exact_one_of_reasoning_reads_as_unfinished_prose(source: object) -> None:
    assert guidance_kind("some text", source) is GuidanceKind.TEXT


def test_the_exact_source_of_reasoning_reads_as_reasoning() -> None:
    assert guidance_kind("some text", REASONING) is GuidanceKind.REASONING


@pytest.mark.parametrize("text", ["", " \n", None, 5, ["text"]])
def test_without_text_nothing_was_recovered_whatever_the_source(text: object) -> None:
    assert guidance_kind(text, REASONING) is GuidanceKind.NONE


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("none", ["did not finish", "nothing recovered", "nothing here is a result"]),
        ("text", ["did not finish", "unfinished work", "mid-flight", "not checked", "not concluded",
                  "not self-reviewed", "not a result"]),
        ("reasoning", ["did not finish", "private reasoning", "tool-call trace", "evidence of what it was doing",
                       "addressed to nobody", "not an answer"]),
    ],
)  # fmt: skip
def test_each_guidance_says_its_parts(kind: str, parts: list[str]) -> None:
    for part in parts:
        assert part in GUIDANCE[GuidanceKind(kind)]


def test_reasoning_is_never_called_a_draft_and_nothing_is_never_called_something() -> None:
    for word in ("unfinished work", "not self-reviewed"):
        assert word not in GUIDANCE[GuidanceKind.REASONING]
    assert "partial_response" not in GUIDANCE[GuidanceKind.NONE]


def test_a_text_partial_is_reported_as_unfinished_and_never_under_the_success_key() -> None:
    report = timeout_report(PROSE)
    assert report.as_json() == {
        "status": "timeout",
        "completed": False,
        "partial_available": True,
        "partial_response": "half an answer",
        "partial_segments": 2,
        "partial_source": "spawn-accumulator",
        "partial_truncated": False,
        "partial_chars_total": 14,
        "guidance": GUIDANCE[GuidanceKind.TEXT],
        "metadata": {},
    }


@pytest.mark.parametrize(
    "partial", [None, {}, {"segments": 1}, {"text": 5}, {"text": ""}, {"text": " "}, "text", 5, []]
)
def test_absent_or_malformed_is_not_available(partial: object) -> None:
    sent = timeout_report(partial).as_json()
    assert (sent["partial_available"], sent["partial_response"], sent["partial_source"]) == (False, None, "none")
    assert (sent["partial_segments"], sent["partial_chars_total"], sent["partial_truncated"]) == (0, 0, False)
    assert sent["guidance"] == GUIDANCE[GuidanceKind.NONE]


@pytest.mark.parametrize("source", [None, "", 5])
def test_a_source_nobody_gave_is_unknown(source: object) -> None:
    assert timeout_report({"text": "x", "source": source}).partial_source == "unknown"


@pytest.mark.parametrize("segments", [None, "2", -1, 2.5])
def test_a_segment_count_that_is_none_is_zero(segments: object) -> None:
    assert timeout_report({"text": "x", "segments": segments}).partial_segments == 0


def test_a_long_payload_keeps_its_end_and_says_so() -> None:
    report = timeout_report({"text": "a" * 90 + "the end", "source": "spawn-accumulator"}, max_chars=10)
    assert report.partial_response == "aaathe end"
    assert (report.partial_truncated, report.partial_chars_total) == (True, 97)
    assert report.guidance.endswith("Truncated: only the last 10 of 97 characters are given.")
    assert "the end" not in report.guidance


@pytest.mark.parametrize("max_chars", [0, -5])
def test_keeping_nothing_keeps_nothing(max_chars: int) -> None:
    report = timeout_report(PROSE, max_chars=max_chars)
    assert (report.partial_response, report.partial_truncated) == ("", True)


def test_the_end_of_a_long_trace_still_says_what_it_is() -> None:
    accumulator = PartialAccumulator()
    accumulator.take({"type": "thinking", "text": "x" * 90_000})
    found = accumulator.recovered()
    assert found is not None
    report = timeout_report(found.as_payload())
    assert report.guidance_kind is GuidanceKind.REASONING
    assert report.partial_response is not None
    assert len(report.partial_response) == 20_000
    assert report.partial_response.endswith(TAIL_LABEL)


def test_what_is_known_beside_the_partial_goes_into_the_metadata_and_what_is_not_is_left_out() -> None:
    known = Resumption(timeout_s=600, elapsed_s=600.4, resumable=False, message="the session is gone")
    assert timeout_report(None, resumption=known).as_json()["metadata"] == {
        "timeout_seconds": 600,
        "elapsed_s": 600.4,
        "resumable": False,
        "recovery_message": "the session is gone",
    }


def raising(error: Exception) -> Callable[[], object]:
    def producer() -> object:
        raise error

    return producer


@pytest.mark.parametrize("error", [RuntimeError("x"), KeyError("x"), RecursionError(), OSError()])
def test_a_producer_that_raises_leaves_its_siblings_alone(error: Exception) -> None:
    report = ask_producer(raising(error), resumption=Resumption(timeout_s=1))
    assert not report.partial_available
    assert report.resumption.timeout_s == 1


def test_a_producer_that_is_absent_or_gives_something_is_read() -> None:
    assert ask_producer(None) == timeout_report(None)
    assert ask_producer(lambda: PROSE, max_chars=3) == timeout_report(PROSE, max_chars=3)


@given(st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.dictionaries(
    st.sampled_from(["text", "source", "segments", "x"]), inner)))  # fmt: skip
def test_no_payload_whatever_its_shape_raises_or_reports_success(partial: object) -> None:
    sent = timeout_report(partial).as_json()
    assert sent["completed"] is False
    assert "response" not in sent
