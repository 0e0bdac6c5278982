from __future__ import annotations

import json
from typing import Any

import pytest
from roundwatch.core.rounds import Usage
from roundwatch.core.rounds.events import CallOutput, CallStarted

from tests.core.wire.bodies import Json, Told, named, sse, told
from tests.core.wire.more_bodies import CALL, MESSAGE, item, response, said


def stream(*events: Json) -> Told:
    return told("openai-responses", named(*events))


def whole(status: str | None, *output: Json, **fields: Any) -> Told:
    return told("openai-responses", json.dumps(response(status, *output, **fields)["response"]).encode())


def incomplete(reason: str, *output: Json, **fields: Any) -> Json:
    return response("incomplete", *output, incomplete_details={"reason": reason}, **fields)


def test_the_status_is_the_finish_word_and_the_incomplete_reason_its_detail() -> None:
    usage = {
        "input_tokens": 50,
        "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 5},
        "output_tokens": 16,
        "output_tokens_details": {"reasoning_tokens": 12},
    }
    end = stream(said("output_text", 0, "Step"), incomplete("max_output_tokens", usage=usage)).end
    assert (end.outcome, end.finish_reason, end.finish_detail, end.done_marker) == (
        "completed", "incomplete", "max_output_tokens", True,
    )  # fmt: skip
    assert end.usage == Usage(
        input_tokens=50, output_tokens=16, reasoning_tokens=12, cache_read_tokens=4, cache_write_tokens=5
    )


@pytest.mark.parametrize("status", ["completed", "queued", "in_progress", "complete"])
def test_the_status_of_an_answer_in_one_piece_is_kept_verbatim(status: str) -> None:
    end = whole(status, MESSAGE).end
    assert (end.finish_reason, end.done_marker) == (status, None)


def test_a_terminal_event_without_a_status_stands_for_its_own() -> None:
    assert stream({"type": "response.completed", "response": {}}).end.finish_reason == "completed"
    assert stream({"type": "response.incomplete"}).end.finish_reason == "incomplete"


def test_a_stream_without_its_terminal_event_reports_no_finish() -> None:
    end = stream(response("in_progress", name="created"), said("output_text", 0, "Hel")).end
    assert (end.outcome, end.finish_reason, end.usage, end.done_marker) == ("completed", None, None, False)


def test_a_last_event_without_its_blank_line_counts() -> None:
    body = named(said("output_text", 0, "Hi"), response("completed", MESSAGE)).rstrip()
    assert told("openai-responses", body).end.finish_reason == "completed"


def test_a_failed_response_is_a_failed_call_with_code_and_message_and_keeps_its_text() -> None:
    error = {"code": "server_error", "message": "internal"}
    for end_event in (response("failed", error=error), {"type": "response.failed", "response": {"error": error}}):
        found = stream(said("output_text", 0, "Hel"), end_event)
        assert (found.said(), found.end.outcome, found.end.finish_reason) == ("Hel", "failed", "failed")
        assert found.end.error is not None
        assert (found.end.error.code, found.end.error.message) == ("server_error", "internal")


@pytest.mark.parametrize(
    "error",
    [
        {"type": "error", "code": "rate_limit_exceeded", "message": "slow down", "param": None},
        {"type": "error", "error": {"type": "t", "code": "rate_limit_exceeded", "message": "slow down"}},
        {"error": {"code": "rate_limit_exceeded", "message": "slow down"}},
    ],
)
def test_an_error_event_flat_or_nested_fails_the_call(error: Json) -> None:
    for body in (sse(error), b"event: error\n" + sse(error)):
        end = told("openai-responses", body).end
        assert end.outcome == "failed"
        assert end.error is not None
        assert (end.error.code, end.error.message) == ("rate_limit_exceeded", "slow down")


def test_the_first_of_two_errors_is_kept() -> None:
    end = stream({"type": "error", "error": {"code": "a", "message": "m"}}, response("failed", error={"code": "b"})).end
    assert end.error is not None
    assert (end.error.code, end.finish_reason) == ("a", "failed")


def test_a_cancelled_response_is_cancelled() -> None:
    assert stream(response("cancelled")).end.outcome == "cancelled"


def test_an_extra_done_marker_of_a_dialect_is_no_fault() -> None:
    found = told("openai-responses", named(response("completed")) + sse("[DONE]"))
    assert (found.end.finish_reason, found.faults) == ("completed", [])


def test_a_refusal_is_no_text() -> None:
    refused = {"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}
    streamed = stream(
        said("refusal", 0, "N"), said("refusal", 0, "o."), item("done", 0, **refused), response("completed")
    )
    for found in (streamed, whole("completed", refused)):
        assert (found.said("refusal"), found.said(), found.end.finish_reason) == ("No.", "", "completed")


@pytest.mark.parametrize("name", ["reasoning_text", "reasoning_summary_text", "reasoning", "reasoning_summary"])
def test_reasoning_has_several_names(name: str) -> None:
    assert stream(said(name, 0, "Hm")).said("reasoning") == "Hm"


def test_the_cap_that_the_provider_echoes_is_told_once_where_the_request_states_none() -> None:
    events = (
        response("in_progress", name="created", max_output_tokens=64),
        response("completed", max_output_tokens=64),
    )
    caps = [one.max_output_tokens for one in stream(*events).events if isinstance(one, CallStarted)]
    assert caps == [None, 64]
    stated = told("openai-responses", named(*events), request={"max_output_tokens": 32})
    assert [one.max_output_tokens for one in stated.events if isinstance(one, CallStarted)] == [32]
    absent = stream(response("completed", max_output_tokens=None))
    assert len([one for one in absent.events if isinstance(one, CallStarted)]) == 1


def test_an_answer_in_one_piece() -> None:
    reasoning = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm"}]}
    found = whole("completed", reasoning, MESSAGE, CALL | {"arguments": "{}"}, usage={"input_tokens": 3})
    assert (found.said("reasoning"), found.said(), found.end.usage) == ("Hm", "Straße 🚲", Usage(input_tokens=3))
    assert [(one.tool_call, one.name, one.arguments, one.complete) for one in found.tools] == [
        ("call_1", "ls", "{}", True)
    ]


def test_events_of_unknown_kinds_are_signs_of_life() -> None:
    found = stream(
        {"type": "response.web_search_call.searching", "output_index": 0},
        {"type": "response.brand_new.delta", "delta": "x"},
        {"type": "keepalive"},
    )
    assert [one for one in found.events if isinstance(one, CallOutput)] == []
    assert found.faults == []


def test_an_object_without_a_type_is_counted() -> None:
    assert told("openai-responses", sse({"odd": 1})).faults == ["an object without a type"]
