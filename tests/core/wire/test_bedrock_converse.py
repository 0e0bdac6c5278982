from __future__ import annotations

import json
from typing import Any

import pytest
from roundwatch.core.rounds import Usage
from roundwatch.core.rounds.events import ToolFinished

from tests.core.wire import frames
from tests.core.wire.bodies import Json, Told, sse, told
from tests.core.wire.more_bodies import block

USE: Json = {"toolUseId": "t1", "name": "get"}


def converse(*parts: bytes) -> Told:
    return told("bedrock-converse", b"".join(parts))


def stop(word: str) -> bytes:
    return frames.event("messageStop", {"stopReason": word})


def whole(content: Any, word: str = "end_turn", **more: Any) -> Told:
    body = {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": word, **more}
    return told("bedrock-converse", json.dumps(body).encode())


def test_usage_comes_after_the_finish_word_and_may_never_come() -> None:
    usage = {"inputTokens": 8, "outputTokens": 10, "cacheReadInputTokens": 3, "cacheWriteInputTokens": 2}
    end = converse(stop("max_tokens"), frames.event("metadata", {"usage": usage})).end
    assert end.usage == Usage(input_tokens=8, output_tokens=10, cache_read_tokens=3, cache_write_tokens=2)
    assert (converse(stop("end_turn")).end.usage, converse(stop("end_turn")).end.done_marker) == (None, True)


@pytest.mark.parametrize("word", ["guardrail_intervened", "content_filtered", "malformed_tool_use", "brand_new"])
def test_the_finish_word_is_kept_verbatim(word: str) -> None:
    assert converse(stop(word)).end.finish_reason == word


def test_a_tool_call_cut_at_the_cap_is_not_whole() -> None:
    begun = (block("Start", 0, start={"toolUse": USE}), block("Delta", 0, delta={"toolUse": {"input": '{"a": "x'}}))
    for parts in ((*begun, stop("max_tokens")), (*begun, block("Stop", 0), stop("max_tokens")), begun):
        assert [(one.tool_call, one.arguments, one.complete) for one in converse(*parts).tools] == [
            ("t1", '{"a": "x', False)
        ]


def test_an_exception_frame_fails_the_call_and_keeps_what_came() -> None:
    found = converse(
        block("Delta", 0, delta={"text": "Hel"}), frames.exception("throttlingException", b'{"message":"slow down"}')
    )
    assert (found.said(), found.end.outcome, found.end.finish_reason) == ("Hel", "failed", None)
    assert found.end.error is not None
    assert (found.end.error.code, found.end.error.message) == ("throttlingException", "slow down")


def test_a_tool_that_the_provider_ran_is_told_with_its_result() -> None:
    served = USE | {"type": "server_tool_use"}
    result = {"toolUseId": "t1", "status": "success", "type": "x_result"}
    streamed = converse(
        block("Start", 0, start={"toolUse": served}),
        block("Delta", 0, delta={"toolUse": {"input": "{}"}}),
        block("Stop", 0),
        block("Start", 1, start={"toolResult": result}),
        block("Delta", 1, delta={"toolResult": [{"text": "secret result"}]}),
        block("Delta", 2, delta={"text": "Done."}),
        stop("end_turn"),
    )
    once = whole([{"toolUse": served | {"input": {}}}, {"toolResult": result}, {"text": "Done."}])
    for found in (streamed, once):
        kinds = [event.type for event in found.events if event.type.startswith("tool.")]
        assert kinds == ["tool.requested", "tool.finished"]
        finished = next(event for event in found.events if isinstance(event, ToolFinished))
        assert (finished.tool_call, finished.ok) == ("t1", True)
        assert found.said() == "Done."


def test_a_result_says_when_the_providers_tool_failed_and_one_without_a_call_says_nothing() -> None:
    failed = whole([{"toolUse": USE}, {"toolResult": {"toolUseId": "t1", "status": "error"}}])
    assert [event.ok for event in failed.events if isinstance(event, ToolFinished)] == [False]
    stray = whole([{"toolResult": {"toolUseId": "t9"}}, {"toolResult": {}}])
    assert [event for event in stray.events if isinstance(event, ToolFinished)] == []


def test_an_answer_in_one_piece() -> None:
    content = [
        {"reasoningContent": {"reasoningText": {"text": "Hm", "signature": "s"}}},
        {"text": "Hi"},
        {"citationsContent": {"content": [{"text": " there"}], "citations": []}},
        {"toolUse": USE | {"input": {"a": 1}}},
    ]
    found = whole(content, "tool_use", usage={"inputTokens": 4, "outputTokens": 5})
    assert (found.said("reasoning"), found.said()) == ("Hm", "Hi there")
    assert [(one.tool_call, one.arguments, one.complete) for one in found.tools] == [("t1", '{"a":1}', True)]
    assert (found.end.finish_reason, found.end.usage) == ("tool_use", Usage(input_tokens=4, output_tokens=5))


def test_the_last_tool_call_of_a_cut_answer_is_not_whole_although_it_is_well_formed() -> None:
    calls: list[Json] = [{"toolUse": USE | {"input": {}}}, {"toolUse": {"toolUseId": "t2", "name": "x", "input": {}}}]
    assert [one.complete for one in whole(calls, "max_tokens").tools] == [True, False]
    assert [one.complete for one in whole([*calls, {"text": "and"}], "max_tokens").tools] == [True, True]


def test_events_wrapped_in_their_names_are_read_too() -> None:
    found = told(
        "bedrock-converse",
        sse(
            {"messageStart": {"role": "assistant"}},
            {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hi"}}},
            {"messageStop": {"stopReason": "end_turn"}},
        ),
    )
    assert (found.said(), found.end.finish_reason, found.faults) == ("Hi", "end_turn", [])


@pytest.mark.parametrize(
    "body", [{"message": "not valid"}, {"Message": "not valid"}, {"__type": "x", "message": "not valid"}]
)
def test_an_error_that_came_with_a_good_status_fails_the_call(body: Json) -> None:
    end = told("bedrock-converse", json.dumps(body).encode()).end
    assert end.outcome == "failed"
    assert end.error is not None
    assert end.error.message == "not valid"


def test_a_damaged_frame_is_counted_and_the_rest_read() -> None:
    bad = bytearray(block("Delta", 0, delta={"text": "lost"}))
    bad[-1] ^= 1
    found = converse(
        block("Delta", 0, delta={"text": "a"}), bytes(bad), block("Delta", 0, delta={"text": "b"}), stop("end_turn")
    )
    assert (found.said(), found.end.finish_reason) == ("ab", "end_turn")
    assert found.faults == ["a frame with a wrong message checksum"]


def test_other_shapes_are_counted() -> None:
    assert converse(block("Delta", 0, delta=7)).faults == ["a delta that is no object"]
    assert converse(block("Delta", 0, delta={"toolUse": {"input": "x"}})).faults == [
        "arguments for a block that is no tool call"
    ]
    assert converse(frames.event("messageStop", b"{")).faults == ["not JSON: '{'"]
    assert converse(frames.event("brandNew", {"a": 1})).faults == []
    assert whole([7]).faults == ["a content block that is no object"]
    assert told("bedrock-converse", b'{"odd":1}').faults == ["an object without output or error"]
