from __future__ import annotations

import json
from typing import Any

import pytest
from roundwatch.core.rounds import Usage

from tests.core.wire.bodies import Json, Told, named, sse, told
from tests.core.wire.more_bodies import cohere, over


def chat(*events: Json) -> Told:
    return told("cohere", named(*events))


def whole(**fields: Any) -> Told:
    return told("cohere", json.dumps(fields).encode())


def start(name: str = "get", arguments: str = "") -> Json:
    return cohere("tool-call-start", 0, tool_calls={"id": "t1", "function": {"name": name, "arguments": arguments}})


def piece(arguments: str, index: int = 0) -> Json:
    return cohere("tool-call-delta", index, tool_calls={"function": {"arguments": arguments}})


END: Json = {"type": "tool-call-end", "index": 0}


def test_real_tokens_count_and_not_billed_ones() -> None:
    usage = {
        "billed_units": {"input_tokens": 27, "output_tokens": 1},
        "cached_tokens": 400,
        "tokens": {"input_tokens": 556.0, "output_tokens": 4.0, "reasoning_tokens": 3},
    }
    expected = Usage(input_tokens=556, output_tokens=4, reasoning_tokens=3, cache_read_tokens=400)
    assert chat(over("COMPLETE", usage=usage)).end.usage == expected


@pytest.mark.parametrize("usage", [{}, {"billed_units": {"input_tokens": 27}}, None])
def test_no_real_tokens_is_no_report(usage: Any) -> None:
    assert chat(over("COMPLETE", usage=usage)).end.usage is None


def test_thinking_and_the_plan_before_a_tool_call_are_reasoning() -> None:
    found = chat(
        cohere("tool-plan-delta", tool_plan="I will look."),
        cohere("content-start", 0, content={"type": "thinking", "thinking": "Hm"}),
        cohere("content-delta", 0, content={"thinking": "?"}),
        cohere("content-delta", 1, content={"text": "Hi"}),
    )
    assert (found.said("reasoning"), found.said()) == ("I will look.Hm?", "Hi")


def test_a_call_without_arguments_is_whole_when_its_end_is_marked() -> None:
    found = chat(start(), END, over("TOOL_CALL"))
    assert [(one.tool_call, one.arguments, one.complete) for one in found.tools] == [("t1", "", True)]


def test_a_call_without_its_end_is_not_whole() -> None:
    found = chat(start(), piece('{"a": "x'), over("MAX_TOKENS"))
    assert [(one.arguments, one.complete) for one in found.tools] == [('{"a": "x', False)]
    assert chat(start(arguments='{"a":1}'), over("MAX_TOKENS")).tools[0].complete is False


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        (
            {"error": "no valid call", "error_type": "INVALID_TOOL_GENERATION"},
            "INVALID_TOOL_GENERATION",
            "no valid call",
        ),
        ({"error": {"code": "x", "message": "m"}}, "x", "m"),
        ({}, "ERROR", None),
    ],
)
def test_an_error_in_the_last_event_fails_the_call(fields: Json, code: str, message: str | None) -> None:
    end = chat(over("ERROR", usage={}, **fields)).end
    assert (end.outcome, end.finish_reason, end.done_marker) == ("failed", "ERROR", True)
    assert end.error is not None
    assert (end.error.code, end.error.message) == (code, message)


def test_a_time_out_fails_the_call() -> None:
    end = chat(over("TIMEOUT")).end
    assert (end.outcome, end.finish_reason) == ("failed", "TIMEOUT")


def test_an_answer_in_one_piece() -> None:
    found = whole(
        finish_reason="TOOL_CALL",
        message={
            "content": [{"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": "Hi"}],
            "tool_plan": "I will look.",
            "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "get", "arguments": '{"x":2}'}}],
        },
        usage={"tokens": {"output_tokens": 56}},
    )
    assert (found.said(), found.said("reasoning")) == ("Hi", "I will look.Hm")
    assert [(one.tool_call, one.arguments, one.complete) for one in found.tools] == [("t1", '{"x":2}', True)]
    assert (found.end.finish_reason, found.end.usage, found.end.done_marker) == (
        "TOOL_CALL", Usage(output_tokens=56), None,
    )  # fmt: skip


def test_events_without_names_are_read_by_their_type() -> None:
    found = told("cohere", sse(cohere("content-delta", 0, content={"text": "Hi"}), over("COMPLETE"), "[DONE]"))
    assert (found.said(), found.end.finish_reason, found.faults) == ("Hi", "COMPLETE", [])


@pytest.mark.parametrize("body", [{"id": "1", "message": "invalid request"}, {"error": {"message": "invalid request"}}])
def test_an_error_that_came_with_a_good_status_fails_the_call(body: Json) -> None:
    end = whole(**body).end
    assert end.outcome == "failed"
    assert end.error is not None
    assert end.error.message == "invalid request"


def test_citations_are_a_sign_of_life_and_other_shapes_are_counted() -> None:
    assert chat({"type": "citation-start", "index": 0}).faults == []
    assert chat(piece("{", index=3)).faults == ["arguments for a tool call that never began"]
    assert whole(odd=1).faults == ["an object without type, message or error"]
    assert whole(message={"content": "plain"}).said() == "plain"
