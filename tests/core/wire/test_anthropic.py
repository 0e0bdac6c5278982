from __future__ import annotations

import json
from typing import Any

import pytest
from roundwatch.core.rounds import Ledger, Usage

from tests.core.wire.bodies import (
    MESSAGES_BODY,
    STOP,
    Json,
    Told,
    block_delta,
    block_start,
    block_stop,
    message_delta,
    message_start,
    messages,
    named,
)

NOTHING: Json = {}


def shown(found: Told) -> list[tuple[str, str, str | None, bool | None]]:
    return [(tool.tool_call, tool.name, tool.arguments, tool.complete) for tool in found.tools]


def whole(*content: Json, stop_reason: str | None = "end_turn", **more: Any) -> bytes:
    return json.dumps({"type": "message", "content": list(content), "stop_reason": stop_reason, **more}).encode()


def text(index: int, *pieces: str) -> list[Json]:
    deltas = [block_delta(index, "text_delta", text=one) for one in pieces]
    return [block_start(index, type="text", text=""), *deltas, block_stop(index)]


def tool(index: int, *pieces: str, stop: bool = True, **block: Any) -> list[Json]:
    fields = {"type": "tool_use", "id": "t", "name": "write", "input": NOTHING} | block
    deltas = [block_delta(index, "input_json_delta", partial_json=one) for one in pieces]
    return [block_start(index, **fields), *deltas, *([block_stop(index)] if stop else [])]


def test_a_stream_with_everything_in_it() -> None:
    found = messages(MESSAGES_BODY)
    assert (found.said(), found.said("reasoning")) == ("Straße 🚲", "Hm, größer?")
    assert shown(found) == [("toolu_1", "ls", '{"dir":"ä"}', True)]
    assert found.end.usage == Usage(input_tokens=7, output_tokens=15)
    assert (found.end.outcome, found.end.finish_reason, found.end.done_marker) == ("completed", "tool_use", True)
    assert found.faults == []


def test_usage_is_cumulative_and_the_last_report_replaces() -> None:
    start = message_start(input_tokens=7, cache_read_input_tokens=90, cache_creation_input_tokens=20, output_tokens=1)
    ends = [message_delta("end_turn", usage={"output_tokens": n}) for n in (7, 15)]
    found = messages(named(start, *text(0, "x"), *ends, STOP))
    assert found.end.usage == Usage(input_tokens=7, output_tokens=15, cache_read_tokens=90, cache_write_tokens=20)
    assert [event.usage.output_tokens for event in found.usages] == [1, 7, 15]


def test_thinking_tokens_are_the_reasoning_count() -> None:
    usage = {"output_tokens": 9, "output_tokens_details": {"thinking_tokens": 4}}
    assert messages(named(message_delta("end_turn", usage=usage))).end.usage == Usage(
        output_tokens=9, reasoning_tokens=4
    )


def folded_output_tokens(found: Told) -> int | None:
    ledger = Ledger()
    for event in found.events:
        ledger.apply(event)
    return ledger.rounds["r"].calls[0].usage.output_tokens


def test_the_placeholder_count_of_a_cut_stream_stands_on_the_event_and_not_in_the_call() -> None:
    found = messages(named(message_start(input_tokens=7, output_tokens=1), *text(0, "x")))
    assert found.end.usage == Usage(input_tokens=7, output_tokens=1)
    assert folded_output_tokens(found) is None


def test_a_second_message_start_brings_no_second_placeholder() -> None:
    start = message_start(input_tokens=7, output_tokens=1)
    assert folded_output_tokens(messages(named(start, start, *text(0, "x")))) is None
    late = messages(named(start, message_delta("end_turn", usage={"output_tokens": 15}), start))
    assert late.end.usage == Usage(input_tokens=7, output_tokens=15)


def test_a_gateways_zero_input_is_replaced_by_the_later_number() -> None:
    body = named(message_start(input_tokens=0, output_tokens=0), message_delta("end_turn", usage={"input_tokens": 31}))
    assert messages(body).end.usage == Usage(input_tokens=31, output_tokens=0)


def test_the_end_of_the_stream_is_not_the_stop_reason() -> None:
    found = messages(named(message_start(output_tokens=1), *text(0, "x"), message_delta("max_tokens")))
    assert (found.end.finish_reason, found.end.done_marker) == ("max_tokens", False)


def test_a_done_marker_added_by_a_gateway_says_nothing() -> None:
    found = messages(named(message_start(output_tokens=1)) + b"data: [DONE]\n\n")
    assert (found.end.done_marker, found.faults) == (False, [])


def test_the_empty_input_of_a_starting_block_is_not_its_arguments() -> None:
    found = messages(named(*tool(0, "", '{"a": "b', stop=False)))
    assert shown(found) == [("t", "write", '{"a": "b', False)]


def test_half_arguments_before_a_block_stop_are_incomplete() -> None:
    found = messages(named(*tool(0, '{"a": "b'), message_delta("max_tokens"), STOP))
    assert shown(found) == [("t", "write", '{"a": "b', False)]


def test_a_block_that_never_stops_is_incomplete_even_with_whole_arguments() -> None:
    found = messages(named(*tool(0, '{"a":1}', stop=False), message_delta("max_tokens"), STOP))
    assert shown(found) == [("t", "write", '{"a":1}', False)]


def test_no_arguments_are_whole_until_the_response_turns_out_to_be_cut() -> None:
    assert shown(messages(named(*tool(0, ""), message_delta("tool_use"), STOP))) == [("t", "write", "", True)]
    cut = messages(named(*tool(0, ""), message_delta("max_tokens"), STOP))
    assert shown(cut) == [("t", "write", "", True), ("t", "write", "", False)]


def test_a_tool_call_is_told_at_its_block_stop() -> None:
    kinds = [event.type for event in messages(named(*tool(0, "{}"), *text(1, "x"))).events]
    assert kinds.index("tool.requested") < len(kinds) - 2


def test_an_input_that_comes_whole_in_the_start_is_taken() -> None:
    assert shown(messages(named(*tool(0, input={"a": [1, "ä"]})))) == [("t", "write", '{"a":[1,"ä"]}', True)]


@pytest.mark.parametrize("kind", ["server_tool_use", "mcp_tool_use"])
def test_a_tool_that_the_provider_runs_is_marked(kind: str) -> None:
    for found in (
        messages(named(*tool(0, "{}", type=kind))),
        messages(whole({"type": kind, "id": "t", "name": "web_search", "input": {}})),
    ):
        assert [event.server for event in found.tools] == [True]
    assert messages(named(*tool(0, "{}"))).tools[0].server is None


def test_results_redactions_and_summaries_are_no_output() -> None:
    blocks = [
        block_start(0, type="redacted_thinking", data="…"),
        block_stop(0),
        block_start(1, type="web_search_tool_result", content=[{"type": "web_search_result"}]),
        block_stop(1),
        block_start(2, type="compaction"),
        block_delta(2, "compaction_delta", content="…"),
        block_delta(2, "signature_delta", signature="…"),
        block_delta(2, "citations_delta", citation={}),
    ]
    found = messages(named(*blocks))
    assert [event.type for event in found.events] == ["call.started", "call.finished"]
    assert found.faults == []


def test_text_that_a_block_starts_with_is_output() -> None:
    assert (
        messages(named(block_start(0, type="text", text="Hi"), block_delta(0, "text_delta", text="!"))).said() == "Hi!"
    )


@pytest.mark.parametrize("before", [[], [message_start(output_tokens=1), *text(0, "part")]])
def test_an_error_event_fails_the_call_wherever_it_comes(before: list[Json]) -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    end = messages(named(*before, error)).end
    assert end.outcome == "failed"
    assert end.error is not None
    assert (end.error.code, end.error.message, end.error.http_status) == ("overloaded_error", "Overloaded", None)


def test_an_error_status_keeps_type_and_message() -> None:
    body = b'{"type":"error","error":{"type":"not_found_error","message":"model: x"}}'
    error = messages(body, http_status=404).end.error
    assert error is not None
    assert (error.http_status, error.code, error.message) == (404, "not_found_error", "model: x")


@pytest.mark.parametrize("word", ["refusal", "pause_turn", "model_context_window_exceeded", "compaction"])
def test_every_stop_reason_is_kept_verbatim(word: str) -> None:
    for body in (named(message_delta(word), STOP), whole(stop_reason=word)):
        end = messages(body).end
        assert (end.outcome, end.finish_reason) == ("completed", word)


def test_why_a_refusal_was_one_is_told() -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": "…"}
    assert messages(named(message_delta("refusal", stop_details=details))).end.finish_detail == "cyber"
    assert messages(named(message_delta("refusal", stop_details=None))).end.finish_detail is None


def test_the_stop_sequence_is_quoted_so_that_it_is_never_taken_for_a_word_of_the_wire() -> None:
    found = messages(named(message_delta("stop_sequence", stop_sequence="length")))
    assert found.end.finish_detail == '"length"'
    ledger = Ledger()
    for event in found.events:
        ledger.apply(event)
    assert ledger.rounds["r"].calls[0].stop_reason == "stop_sequence"


def test_an_unstreamed_message_says_the_same() -> None:
    found = messages(
        whole(
            {"type": "thinking", "thinking": "Hm"},
            {"type": "text", "text": "Hi"},
            {"type": "tool_use", "id": "t", "name": "write", "input": {"a": [1, "ä"]}},
            {"type": "tool_use", "id": "u", "name": "pwd", "input": {}},
            stop_reason="tool_use",
            usage={"input_tokens": 3, "output_tokens": 4},
        )
    )
    assert (found.said(), found.said("reasoning")) == ("Hi", "Hm")
    assert shown(found) == [("t", "write", '{"a":[1,"ä"]}', True), ("u", "pwd", "{}", True)]
    assert found.end.usage == Usage(input_tokens=3, output_tokens=4)
    assert (found.end.finish_reason, found.end.done_marker) == ("tool_use", None)
    assert folded_output_tokens(found) == 4


def test_the_last_call_of_a_cut_unstreamed_message_may_lack_something() -> None:
    call = {"type": "tool_use", "name": "write", "input": {"a": 1}}
    found = messages(whole({**call, "id": "t"}, {**call, "id": "u"}, stop_reason="max_tokens"))
    assert [(event.tool_call, event.complete) for event in found.tools] == [("t", True), ("u", False)]


def test_a_message_body_without_its_type_is_read() -> None:
    assert messages(b'{"content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}').said() == "Hi"


def test_an_event_whose_data_lacks_the_type_is_read_by_its_name() -> None:
    body = b'event: content_block_delta\ndata: {"index":0,"delta":{"type":"text_delta","text":"Hi"}}\n\n'
    assert messages(body).said() == "Hi"


@pytest.mark.parametrize(
    "odd",
    [
        {"foo": 1},
        {"type": "content_block_start", "index": 0, "content_block": None},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "telepathy_delta"}},
        {"type": "content_block_delta", "index": 0, "delta": 7},
        {"type": "content_block_delta", "index": 5, "delta": {"type": "input_json_delta", "partial_json": "{"}},
        {"type": "message_start", "message": None},
        {"type": "message", "content": [None]},
    ],
)
def test_odd_shapes_are_counted_and_cost_nothing_but_themselves(odd: Json) -> None:
    body = f"data: {json.dumps(odd)}\n\n".encode() + named(*text(0, "ok"), message_delta("end_turn"))
    found = messages(body)
    assert (found.said(), found.end.finish_reason) == ("ok", "end_turn")
    assert found.translator.unreadable_count == 1


def test_a_block_index_used_again_begins_another_call() -> None:
    found = messages(named(*tool(0, '{"a":1}'), *tool(0, '{"b":2}', id="u"), message_delta("tool_use")))
    assert shown(found) == [("t", "write", '{"a":1}', True), ("u", "write", '{"b":2}', True)]


def test_the_number_of_calls_that_are_followed_is_bounded() -> None:
    found = messages(named(*(event for index in range(520) for event in tool(index, "{}", id=f"t{index}"))))
    assert len(found.tools) == 512
    assert found.translator.unreadable_count == 8 * 2  # the block and its arguments
