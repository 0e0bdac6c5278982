from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import Event
from roundwatch.core.rounds.events import CallFinished, CallOutput, CallStarted, ToolRequested
from roundwatch.core.wire import WIRES, translator

from tests.core.wire import frames
from tests.core.wire.bodies import BODIES, CHAT_BODY, Told, chat, chunk, splits, sse, told
from tests.core.wire.more_bodies import ALL, CUT_IN_TEXT

NAME = st.sampled_from(sorted(ALL))
WIRE = st.sampled_from(sorted(WIRES))


def test_every_format_has_a_body_that_the_laws_are_tried_on() -> None:
    assert {wire for wire, _ in ALL.values()} == set(WIRES)


@pytest.mark.parametrize("name", ALL)
def test_each_body_holds_reasoning_text_a_tool_call_usage_and_an_end(name: str) -> None:
    found = told(*ALL[name])
    assert (found.said("reasoning"), found.said()[:7], found.faults) == ("Hm, größer?", "Straße ", [])
    assert (found.tools[0].name, found.tools[0].complete) == ("ls", True)
    assert json.loads(found.tools[0].arguments or "") == {"dir": "ä"}
    assert found.end.usage is not None
    assert found.end.usage.output_tokens in (5, 15)
    assert found.end.finish_reason in ("tool_calls", "tool_use", "STOP", "stop", "TOOL_CALL", "completed")
    assert found.end.done_marker is (None if name.startswith("gemini") else True)


@given(NAME.flatmap(lambda name: st.tuples(st.just(name), splits(ALL[name][1]))))
def test_any_split_of_the_bytes_gives_the_same_events(case: tuple[str, list[bytes]]) -> None:
    name, pieces = case
    assert told(ALL[name][0], pieces).events == told(*ALL[name]).events


@pytest.mark.parametrize("name", ALL)
def test_byte_by_byte_gives_the_same_events(name: str) -> None:
    wire, body = ALL[name]
    assert told(wire, [bytes([byte]) for byte in body]).events == told(wire, body).events


_SCRAPS = st.sampled_from(
    [
        *(b"data: ", b"event: error\n", b"\n\n", b"\r", b"{", b"}", b"null", b"[[", b"\xff", b"1e999", b":", b","),
        *(b'{"choices":', b'{"error":', b'"\\ud800"', b'"delta":{"content":[7,{"text":{}}]}', b'"finish_reason":3'),
        b'"type":"content_block_delta"',
        *(b"[", b"]", b"\n{", b'"candidates":[{"content":{"parts":[', b'"functionCall":{"partialArgs":[{"jsonPath":"$'),
        *(b'"type":"response.output_item.done","item":{', b'"message":{', b'"done":true', b'"delta":{"toolUse":{'),
        *(b"\x00\x00\x00\x10\x00\x00\x00\x00", frames.event("chunk", {"bytes": "!"}), frames.event("x", b"{")),
        *(frames.chunk(b"[1"), frames.exception("e", b""), frames.raw_frame(b"\x01a\x07", b"")),
    ]
)
_BYTES = st.binary(max_size=60) | st.lists(_SCRAPS, max_size=12).map(b"".join)


@given(WIRE, st.lists(_BYTES, max_size=4), st.sampled_from([200, 400]))
def test_no_bytes_make_a_translator_raise_and_every_call_ends_once(wire: str, pieces: list[bytes], status: int) -> None:
    events = told(wire, pieces, http_status=status).events
    assert [event.type for event in events].count("call.finished") == 1
    assert all(event.model_dump_json() for event in events)


@given(NAME, st.data())
def test_a_damaged_body_never_raises_and_is_split_invariant(name: str, data: st.DataObject) -> None:
    wire, whole = ALL[name]
    at = data.draw(st.integers(0, len(whole)))
    body = whole[:at] + data.draw(_BYTES) + whole[at + data.draw(st.integers(0, 40)) :]
    assert told(wire, data.draw(splits(body))).events == told(wire, body).events


def _streamed(found: Told) -> list[Event]:
    return [event for event in found.events if not isinstance(event, CallFinished | ToolRequested)]


@given(NAME, st.data())
def test_a_body_cut_anywhere_gives_everything_before_the_cut_and_an_end(name: str, data: st.DataObject) -> None:
    wire, body = ALL[name]
    whole = told(wire, body)
    cut = told(wire, body[: data.draw(st.integers(0, len(body)))])
    before = _streamed(cut)
    assert before == _streamed(whole)[: len(before)]
    assert cut.end.finish_reason in (None, whole.end.finish_reason)
    assert cut.end.outcome == "completed"


@pytest.mark.parametrize("name", CUT_IN_TEXT)
def test_a_stream_that_just_ends_early_has_no_finish_reason_and_no_end_marker(name: str) -> None:
    wire, body = ALL[name]
    cut = told(wire, body[: body.index(b"Stra")])
    marker = None if wire == "gemini" else False
    assert (cut.end.outcome, cut.end.finish_reason, cut.end.done_marker) == ("completed", None, marker)
    assert cut.said("reasoning") == "Hm, größer?"
    assert cut.said() == ""


def test_a_broken_transfer_is_body_cut_with_its_message() -> None:
    cut = chat(sse(chunk({"content": "Hel"})), broken="connection reset by peer")
    assert cut.end.outcome == "body_cut"
    assert cut.end.error is not None
    assert (cut.end.error.kind, cut.end.error.message) == ("transport", "connection reset by peer")
    assert cut.said() == "Hel"


def test_a_transfer_that_breaks_after_the_end_marker_lost_nothing() -> None:
    assert chat(CHAT_BODY, broken="reset").end.outcome == "completed"


def test_an_error_object_outweighs_a_broken_transfer() -> None:
    end = chat(sse({"error": {"message": "busy", "code": 503}}), broken="reset").end
    assert end.outcome == "failed"
    assert end.error is not None
    assert end.error.code == "503"


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"error":{"type":"overloaded","message":"busy"}}', "busy"),
        (b'data: {"error":{"message":"busy"}}\n\n', "busy"),
        (b'[{"error":{"message":"busy"}}]', "busy"),
        (b'{"error":{"message":"bus', "bus"),
        (b"<html><title>502 Bad Gateway</title></html>", "502 Bad Gateway"),
        (b"", None),
    ],
)
def test_a_failed_response_of_any_shape_is_a_failed_call(wire: str, body: bytes, message: str | None) -> None:
    end = told(wire, body, http_status=502).end
    assert end.outcome == "failed"
    assert end.error is not None
    assert (end.error.kind, end.error.http_status, end.error.message) == ("provider_error", 502, message)


def test_the_first_return_begins_with_the_start_of_the_call_even_without_bytes() -> None:
    request: dict[str, Any] = {"model": "m", "max_tokens": 64, "max_completion_tokens": 32}
    made = translator("openai-chat", round="r", call="c", request=request, provider="p")
    assert made.feed(b"") == [
        CallStarted(round="r", call="c", model="m", provider="p", wire="openai-chat", max_output_tokens=32)
    ]
    assert [event.type for event in made.close()] == ["call.finished"]


def test_the_start_is_left_to_a_caller_that_wants_to_tell_it() -> None:
    made = translator("anthropic", round="r", call="c", announce=False)
    assert [event.type for event in made.feed(b"") + made.close()] == ["call.finished"]


@pytest.mark.parametrize("request_", [None, {}, {"model": 7, "max_tokens": "x"}, {"max_tokens": True}])
def test_a_request_that_states_nothing_usable_reports_nothing(request_: dict[str, Any] | None) -> None:
    start = chat(b"", request=request_).events[0]
    assert isinstance(start, CallStarted)
    assert (start.model, start.max_output_tokens) == (None, None)


TIMED: list[tuple[float, dict[str, Any]]] = [
    (900, chunk({"role": "assistant", "content": ""})),
    (1200, chunk({"reasoning_content": "Hm"})),
    (150_000, chunk({"content": "Answer"})),
    (158_000, chunk({}, "stop")),
]


def timed(close_at: float | None) -> CallFinished:
    made = translator("openai-chat", round="r", call="c")
    made.feed(b": keep-alive\n\n", at_ms=40)
    for at, data in TIMED:
        made.feed(sse(data), at_ms=at)
    end = made.close(at_ms=close_at)[-1]
    assert isinstance(end, CallFinished)
    return end


@pytest.mark.parametrize(("close_at", "total"), [(158_010, 158_010), (None, 158_000)])
def test_first_output_first_answer_and_total_are_three_times(close_at: float | None, total: float) -> None:
    end = timed(close_at)
    assert (end.first_output_ms, end.first_answer_ms, end.total_ms) == (1200, 150_000, total)


def test_no_time_is_reported_where_none_was_given() -> None:
    end = chat(CHAT_BODY).end
    assert (end.first_output_ms, end.first_answer_ms, end.total_ms) == (None, None, None)


def test_a_time_that_is_no_number_is_not_reported() -> None:
    made = translator("openai-chat", round="r", call="c")
    made.feed(CHAT_BODY, at_ms=float("nan"))
    end = made.close(at_ms=float("inf"))[-1]
    assert isinstance(end, CallFinished)
    assert end.total_ms is None


def test_an_event_that_lacks_its_blank_line_has_the_time_of_its_bytes() -> None:
    made = translator("openai-chat", round="r", call="c")
    made.feed(sse(chunk({"content": "x"})).rstrip(), at_ms=10)
    events = made.close(at_ms=99)
    assert isinstance(events[0], CallOutput)
    assert isinstance(events[-1], CallFinished)
    assert (events[-1].first_output_ms, events[-1].total_ms) == (10, 99)


def test_closing_again_or_feeding_after_the_end_tells_nothing_and_is_counted() -> None:
    made = translator("openai-chat", round="r", call="c")
    made.close()
    assert made.close() == []
    assert made.feed(b"") == []
    assert made.unreadable_count == 0
    assert made.feed(b"late") == []
    assert [fault.why for fault in made.unreadable] == ["4 bytes after the end"]


def test_what_cannot_be_read_is_counted_and_the_rest_goes_on() -> None:
    body = sse(chunk({"content": "a"}), '{"choices": [', "[1]", chunk({"content": "b"}))
    found = chat(body)
    assert found.said() == "ab"
    assert found.translator.unreadable_count == 2
    assert found.translator.unreadable[0].offset == len(sse(chunk({"content": "a"})))
    assert found.faults == ["not JSON: '{\"choices\": ['", "no JSON object but list"]


@pytest.mark.parametrize("wire", sorted({*BODIES, "cohere", "openai-responses"}))
def test_an_unknown_event_kind_is_a_sign_of_life_and_no_event(wire: str) -> None:
    body = b'event: ping\ndata: {"type": "ping"}\n\nevent: heartbeat\ndata: still here\n\n'
    found = told(wire, body)
    assert [event.type for event in found.events] == ["call.started", "call.finished"]
    assert found.faults == []


def test_lone_surrogates_in_output_are_replaced() -> None:
    found = chat(b'data: {"choices":[{"index":0,"delta":{"content":"a\\ud83d"}}]}\n\n')
    assert found.said() == "a�"


def test_an_unstreamed_body_cut_in_the_middle_is_body_cut_with_what_arrived() -> None:
    body = json.dumps({"choices": [{"index": 0, "message": {"content": "half an ans"}}]}).encode()
    found = chat(body[: body.index(b" ans")])
    assert found.said() == "half an"
    assert (found.end.outcome, found.end.finish_reason) == ("body_cut", None)


@pytest.mark.parametrize(
    "body",
    [
        b'{"choices":[{"index":0,"message":{"content":"all"},"finish_reason":"stop"}],"usage":{"prompt_to',
        b'{"choices":[{"index":0,"finish_reason":"stop","message":{"content":"all',
        b'{"choices":[{"index":0,"finish_reason":"stop","message":{"content":"all"#}}]}',
    ],
)
def test_a_finish_word_before_the_cut_is_kept_and_makes_no_unstreamed_body_whole(body: bytes) -> None:
    found = chat(body)
    assert (found.said(), found.end.outcome, found.end.finish_reason) == ("all", "body_cut", "stop")


@pytest.mark.parametrize(
    ("wire", "body"),
    [
        ("openai-chat", b'{"choices":[{"message":{"content":"a"},"finish_reason":"stop'),
        ("anthropic", b'{"content":[{"type":"text","text":"a"}],"stop_reason":"end_turn'),
        ("openai-responses", b'{"object":"response","status":"completed'),
        ("cohere", b'{"finish_reason":"COMPLETE'),
        ("bedrock-converse", b'{"output":{"message":{"content":[{"text":"a"}]}},"stopReason":"end_turn'),
    ],
)
def test_half_a_finish_word_is_none(wire: str, body: bytes) -> None:
    end = told(wire, body).end
    assert (end.outcome, end.finish_reason) == ("body_cut", None)


def test_an_unstreamed_ollama_body_that_says_done_before_it_is_cut_is_cut() -> None:
    body = b'{"done":true,"done_reason":"stop","message":{"content":"hal'
    found = told("ollama", body, request={"stream": False})
    assert (found.said(), found.end.outcome, found.end.done_marker) == ("hal", "body_cut", None)
