from __future__ import annotations

import json
from typing import Any

import pytest
from roundwatch.core.rounds import StopReason, Usage, stop_reason
from roundwatch.core.rounds.events import CallStarted
from roundwatch.core.wire.gemini import MAX_WORDS

from tests.core.wire.bodies import Json, Told, sse, told
from tests.core.wire.more_bodies import GEMINI_ARRAY, candidate, gemini


def stream(*chunks: Json) -> Told:
    return told("gemini", sse(*chunks))


def text(words: str, finish: str | int | None = None, **more: Any) -> Json:
    return gemini(candidate({"text": words}, finish=finish), **more)


def test_usage_is_cumulative_and_the_last_report_of_each_count_wins() -> None:
    found = stream(
        text("a", usageMetadata={"promptTokenCount": 9, "totalTokenCount": 9}),
        text("b", usageMetadata={"trafficType": "ON_DEMAND"}),
        text(
            "c",
            "STOP",
            usageMetadata={
                "promptTokenCount": 9,
                "candidatesTokenCount": 3,
                "thoughtsTokenCount": 4,
                "cachedContentTokenCount": 2,
            },
        ),
    )
    assert found.end.usage == Usage(input_tokens=9, output_tokens=3, reasoning_tokens=4, cache_read_tokens=2)
    assert len(found.usages) == 2


def test_thoughts_that_ate_the_cap_leave_no_text_and_no_output_count() -> None:
    empty: Json = {"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}
    end = stream(gemini(empty, usageMetadata={"thoughtsTokenCount": 112})).end
    assert (end.finish_reason, end.usage) == ("MAX_TOKENS", Usage(reasoning_tokens=112))


@pytest.mark.parametrize("finish", ["SAFETY", "RECITATION", "FAKE_ENUM", "MALFORMED_FUNCTION_CALL"])
def test_a_candidate_without_content_keeps_its_finish_word(finish: str) -> None:
    assert stream(gemini({"finishReason": finish})).end.finish_reason == finish


def test_the_finish_message_is_the_detail() -> None:
    half = 'Malformed function call: print(default_api.run("'
    end = stream(gemini({"content": {}, "finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": half})).end
    assert (end.finish_reason, end.finish_detail) == ("MALFORMED_FUNCTION_CALL", half)


def test_text_after_a_finish_word_counts_and_the_last_word_is_the_end() -> None:
    found = stream(text("a", "STOP"), text("b", "RECITATION"), text("c"))
    assert (found.said(), found.end.finish_reason, found.end.finish_repeated) == ("abc", "RECITATION", ("STOP",))
    again = stream(text("a", "STOP"), text("b", "STOP")).end
    assert (again.finish_reason, again.finish_repeated) == ("STOP", ())


def test_a_worse_word_that_came_before_the_last_one_is_kept_beside_it() -> None:
    end = stream(text("a", "SAFETY"), text("b", "STOP"), text("", "SAFETY"), text("", "STOP")).end
    assert (end.finish_reason, end.finish_repeated) == ("STOP", ("SAFETY",))


def test_different_finish_words_are_bounded() -> None:
    end = stream(*(text("", f"WORD_{n}") for n in range(3 * MAX_WORDS))).end
    assert end.finish_reason == f"WORD_{3 * MAX_WORDS - 1}"
    assert len(end.finish_repeated) == MAX_WORDS - 1


@pytest.mark.parametrize("reason", ["SAFETY", "JAILBREAK", "NEW_REASON", 4])
def test_a_blocked_prompt_has_no_candidate_no_finish_word_and_its_reason_as_detail(reason: Any) -> None:
    blocked: Json = {"promptFeedback": {"blockReason": reason}, "usageMetadata": {"promptTokenCount": 44}}
    for body in (sse(blocked), json.dumps(blocked, indent=2).encode(), sse(blocked).rstrip()):
        end = told("gemini", body).end
        assert (end.outcome, end.finish_reason) == ("completed", None)
        assert end.finish_detail == ("PROHIBITED_CONTENT" if reason == 4 else reason)
        assert stop_reason(None, end.finish_detail) is StopReason.FILTERED
        assert end.usage == Usage(input_tokens=44)


def test_prompt_feedback_without_a_block_reason_blocks_nothing() -> None:
    found = stream(text("a") | {"promptFeedback": {"safetyRatings": []}})
    assert (found.end.finish_detail, found.faults) == (None, [])


def test_a_json_array_is_read_while_it_comes() -> None:
    at = GEMINI_ARRAY.index(b",\r\n")
    pieces = [GEMINI_ARRAY[:at], GEMINI_ARRAY[at:]]
    found = told("gemini", pieces)
    assert (found.end.finish_reason, found.end.done_marker, found.faults) == ("STOP", None, [])


def test_a_json_array_without_its_end_ends_without_a_finish() -> None:
    found = told("gemini", b"[" + json.dumps(text("Hel")).encode() + b"\n,\n{")
    assert (found.said(), found.end.outcome, found.end.finish_reason) == ("Hel", "completed", None)
    assert found.faults == ["a JSON value that stops in the middle"]


def test_numbers_for_enums_are_read_as_their_names_by_the_api_that_sent_them() -> None:
    assert stream(text("a", 1)).end.finish_reason == "STOP"
    assert stream(text("a", 9)).end.finish_reason == "SPII"
    assert stream(text("a", 9, createTime="2026-01-01T00:00:00Z")).end.finish_reason == "MALFORMED_FUNCTION_CALL"
    assert stream(text("a", 99)).end.finish_reason == "99"
    assert stream(text("a", usageMetadata={"trafficType": 1}), text("a", 6)).end.finish_reason == "BLOCKLIST"


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("as_array", [False, True])
def test_a_bare_error_object_after_the_events_fails_the_call(newline: bytes, as_array: bool) -> None:
    error: Any = {"error": {"code": 499, "message": "cancelled", "status": "CANCELLED"}}
    bare = json.dumps([error] if as_array else error, indent=2).encode()
    found = told("gemini", (sse(text("Hel")) + bare).replace(b"\n", newline))
    assert (found.said(), found.end.outcome, found.faults) == ("Hel", "failed", [])
    assert found.end.error is not None
    assert (found.end.error.code, found.end.error.message, found.end.error.http_status) == ("499", "cancelled", None)


def test_an_error_as_an_event_or_an_element_fails_the_call() -> None:
    error: Json = {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}
    for body in (sse(text("Hel"), error), json.dumps([text("Hel"), error]).encode()):
        found = told("gemini", body)
        assert (found.said(), found.end.outcome) == ("Hel", "failed")


def test_a_tool_call_has_no_word_of_its_own_and_often_no_id() -> None:
    found = stream(gemini(candidate({"functionCall": {"name": "f", "args": {"a": 1}}}, finish="STOP")))
    assert [(one.tool_call, one.id_given, one.arguments, one.complete) for one in found.tools] == [
        ("c:1", False, '{"a":1}', True)
    ]


@pytest.mark.parametrize(("finish", "complete"), [("STOP", True), ("MAX_TOKENS", False), (None, False)])
def test_a_streamed_call_that_lacks_its_last_piece_is_whole_after_a_natural_end_only(
    finish: Any, complete: bool
) -> None:
    pieces = {"partialArgs": [{"jsonPath": "$.a", "stringValue": "x"}], "willContinue": True}
    found = stream(
        gemini(candidate({"functionCall": {"name": "f", "willContinue": True}}, {"functionCall": pieces})),
        gemini(candidate({"text": ""}, finish=finish)),
    )
    assert [(one.arguments, one.complete) for one in found.tools] == [('{"a":"x"}', complete)]


def test_code_that_the_provider_runs_is_a_server_tool() -> None:
    found = stream(
        gemini(
            candidate(
                {"executableCode": {"language": "PYTHON", "code": "print(1)"}},
                {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}},
                {"toolCall": {"id": "s1", "toolType": "GOOGLE_SEARCH_WEB", "args": {"q": "x"}}},
                {"text": "One."},
            )
        )
    )
    assert [(one.name, one.arguments, one.server, one.complete) for one in found.tools] == [
        ("code_execution", "print(1)", True, True),
        ("GOOGLE_SEARCH_WEB", '{"q":"x"}', True, True),
    ]
    assert found.said() == "One."


def test_several_candidates_are_choices() -> None:
    both = gemini(candidate({"text": "a"}, finish="STOP"), candidate({"text": "b"}, finish="SAFETY", index=1))
    found = stream(both)
    assert (found.said(), found.said(choice=1)) == ("a", "b")
    assert [(one.index, one.finish_reason) for one in found.end.choices] == [(0, "STOP"), (1, "SAFETY")]


def test_code_assists_envelope_is_opened() -> None:
    found = stream({"response": text("Hi", "STOP"), "traceId": "x"})
    assert (found.said(), found.end.finish_reason, found.faults) == ("Hi", "STOP", [])


def test_the_cap_stands_in_the_generation_config() -> None:
    start = told("gemini", b"", request={"generationConfig": {"maxOutputTokens": 120}}).events[0]
    assert isinstance(start, CallStarted)
    assert start.max_output_tokens == 120


@pytest.mark.parametrize(
    ("chunk", "why"),
    [
        ({"this": 1}, "an object without candidates, usage, prompt feedback or error"),
        (gemini(), None),
        ({"candidates": [7]}, "a candidate that is no object"),
        (gemini({"content": {"parts": [7]}}), "a part that is no object"),
        (gemini({"content": {"missing": True}}), None),
        (gemini({"finishReason": {"a": 1}}), "a finish reason that is neither text nor number"),
    ],
)
def test_other_shapes_are_counted(chunk: Json, why: str | None) -> None:
    assert stream(chunk).faults == ([why] if why else [])


def test_more_candidates_than_are_followed_are_counted() -> None:
    assert stream(*(gemini(candidate({"text": "x"}, index=n)) for n in range(130))).faults == [
        "more candidates than are followed"
    ] * 2  # fmt: skip
