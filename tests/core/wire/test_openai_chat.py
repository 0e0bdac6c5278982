from __future__ import annotations

import json
from typing import Any

import pytest
from roundwatch.core.rounds import Usage
from roundwatch.core.rounds.events import CallStarted

from tests.core.wire.bodies import CHAT_BODY, Json, chat, chunk, piece, sse


def whole(message: Json | None = None, finish: Any = "stop", **more: Any) -> bytes:
    return json.dumps({"choices": [{"index": 0, "message": message or {}, "finish_reason": finish}], **more}).encode()


def test_a_stream_with_everything_in_it() -> None:
    found = chat(CHAT_BODY)
    assert (found.said(), found.said(choice=1), found.said("reasoning")) == ("Straße ", "🚲", "Hm, größer?")
    assert [(tool.tool_call, tool.name, tool.arguments, tool.complete) for tool in found.tools] == [
        ("call_1", "ls", '{"dir": "ä"}', True),
        ("call_2", "pwd", "{}", True),
    ]
    assert found.end.usage == Usage(input_tokens=9, output_tokens=5)
    assert (found.end.finish_reason, found.end.done_marker) == ("tool_calls", True)


def test_usage_after_the_finish_chunk_in_a_chunk_without_choices_is_taken_in() -> None:
    late: Json = {
        "choices": [],
        "usage": {
            "prompt_tokens": 124,
            "completion_tokens": 178,
            "prompt_tokens_details": {"cached_tokens": 64, "cache_write_tokens": 3},
            "completion_tokens_details": {"reasoning_tokens": 100},
        },
    }
    found = chat(sse(chunk({"content": "Hi"}), chunk({}, "stop"), late, "[DONE]"))
    assert found.end.usage == Usage(
        input_tokens=124, output_tokens=178, reasoning_tokens=100, cache_read_tokens=64, cache_write_tokens=3
    )


def test_running_usage_is_told_each_time_and_never_added_up() -> None:
    found = chat(sse(*({**chunk({"content": "x"}), "usage": {"completion_tokens": n}} for n in (1, 2, 3))))
    assert [event.usage.output_tokens for event in found.usages] == [1, 2, 3]
    assert found.end.usage == Usage(output_tokens=3)


@pytest.mark.parametrize(
    "place",
    [
        {"x_groq": {"usage": {"prompt_tokens": 4}}},
        {"usage": {"prompt_tokens": 4}, "choices": None},
        chunk({}, "stop", usage={"prompt_tokens": 4}),
    ],
)
def test_usage_is_read_where_dialects_put_it(place: Json) -> None:
    assert chat(sse(place)).end.usage == Usage(input_tokens=4)


def test_no_usage_is_not_zero() -> None:
    assert chat(sse(chunk({}, "stop"))).end.usage is None
    assert chat(sse({**chunk({}, "stop"), "usage": None})).end.usage is None


@pytest.mark.parametrize("nothing", [None, "", " "])
def test_a_blank_finish_reason_reports_nothing_and_wipes_nothing(nothing: Any) -> None:
    assert chat(sse(chunk({"content": "x"}, nothing), "[DONE]")).end.finish_reason is None
    found = chat(sse(chunk({"content": "x"}, "length"), chunk({}, nothing), {"choices": [{"index": 0, "delta": {}}]}))
    assert found.end.finish_reason == "length"


def test_the_done_marker_is_no_finish_reason() -> None:
    end = chat(sse(chunk({"content": "OK"}), "[DONE]")).end
    assert (end.outcome, end.finish_reason, end.done_marker) == ("completed", None, True)


def test_a_missing_done_marker_after_a_finish_reason_is_told_and_is_no_error() -> None:
    end = chat(sse(chunk({"content": "OK"}, "stop"))).end
    assert (end.outcome, end.finish_reason, end.done_marker) == ("completed", "stop", False)


def test_the_same_finish_twice_is_one_end_and_a_different_one_is_kept_beside_the_first() -> None:
    assert chat(sse(chunk({}, "stop"), chunk({}, "stop"))).end.finish_repeated == ()
    end = chat(sse(chunk({}, "stop"), chunk({}, "length"), chunk({}, "stop"), chunk({}, "length"))).end
    assert (end.finish_reason, end.finish_repeated) == ("stop", ("length",))


def test_an_unknown_finish_word_is_kept_verbatim() -> None:
    end = chat(sse(chunk({"content": "x"}, "Quota_Pause "))).end
    assert (end.outcome, end.finish_reason) == ("completed", "Quota_Pause ")


def test_a_finish_reason_that_is_a_number_is_kept_and_counted() -> None:
    found = chat(sse(chunk({}, 1)))
    assert found.end.finish_reason == "1"
    assert found.faults == ["a finish reason that is no text"]


@pytest.mark.parametrize("word", ["error", "insufficient_system_resource", "network_error"])
def test_an_error_word_fails_the_call(word: str) -> None:
    end = chat(sse(chunk({"content": "x"}, word), "[DONE]")).end
    assert (end.outcome, end.finish_reason) == ("failed", word)
    assert end.error is not None
    assert (end.error.kind, end.error.code, end.error.message) == ("provider_error", word, None)


def test_an_error_word_of_a_later_chunk_or_another_choice_fails_the_call_too() -> None:
    assert chat(sse(chunk({}, "stop"), chunk({}, "error"))).end.outcome == "failed"
    assert chat(sse(chunk({}, "stop"), chunk({}, "error", index=1))).end.outcome == "failed"


@pytest.mark.parametrize("word", ["abort", "cancelled"])
def test_a_cancelling_word_cancels_the_call(word: str) -> None:
    end = chat(sse(chunk({"content": "x"}, word), "[DONE]")).end
    assert (end.outcome, end.finish_reason, end.error) == ("cancelled", word, None)


ERROR = {"code": 502, "message": "upstream gone"}


@pytest.mark.parametrize(
    "body",
    [
        sse({"error": ERROR}),
        sse({"error": ERROR, "choices": []}),
        sse({**chunk({"content": ""}, "error"), "error": ERROR}, "[DONE]"),
        sse(chunk({}, "length"), chunk({}, None, error=ERROR)),
        sse(chunk({}, "stop"), "[DONE]", {"error": ERROR}),
        sse({"object": "error", **ERROR}),
        b"event: error\ndata: " + json.dumps({"error": ERROR}).encode() + b"\n\n",
        b"event: error\ndata: " + json.dumps(ERROR).encode() + b"\n\n",
        b"data: {}\n\nerror: " + json.dumps({"detail": "d", "error": ERROR}).encode() + b"\n",
        b'data: {"choices":[]}\n\n' + json.dumps({"error": ERROR}).encode() + b"\n",
        json.dumps({"error": ERROR}).encode(),
    ],
)
def test_an_error_anywhere_in_a_good_response_fails_the_call(body: bytes) -> None:
    end = chat(body).end
    assert end.outcome == "failed"
    assert end.error is not None
    assert (end.error.code, end.error.message, end.error.http_status) == ("502", "upstream gone", None)


@pytest.mark.parametrize(
    "body", [b"event: error\ndata: out of memory\n\n", sse({"x_groq": {"error": "out of memory"}})]
)
def test_an_error_that_is_only_text_fails_the_call(body: bytes) -> None:
    error = chat(body).end.error
    assert error is not None
    assert error.message == "out of memory"


def test_an_error_keeps_the_text_and_the_finish_word_that_came_before_it() -> None:
    found = chat(sse(chunk({"content": "part"}, "length"), {"error": ERROR}, "[DONE]"))
    assert (found.said(), found.end.finish_reason, found.end.outcome) == ("part", "length", "failed")


@pytest.mark.parametrize("nothing", [None, "", {}, False])
def test_an_error_field_that_holds_nothing_is_no_error(nothing: Any) -> None:
    assert chat(sse({**chunk({"content": "x"}, "stop"), "error": nothing})).end.outcome == "completed"


def test_a_blocked_prompt_is_told_by_the_code_of_its_http_400() -> None:
    body = {
        "error": {"message": "…", "type": None, "code": None, "innererror": {"code": "ResponsibleAIPolicyViolation"}}
    }
    error = chat(json.dumps(body).encode(), http_status=400).end.error
    assert error is not None
    assert (error.http_status, error.code) == (400, "ResponsibleAIPolicyViolation")


def test_azure_annotations_before_and_after_the_text_are_no_output_and_the_category_is_told() -> None:
    safe = {"hate": {"filtered": False}}
    bad = {"hate": {"filtered": False}, "violence": {"filtered": True, "severity": "medium"}}
    found = chat(
        sse(
            {"choices": [], "created": 0, "id": "", "prompt_filter_results": [{"content_filter_results": safe}]},
            chunk({"content": "Once"}, content_filter_results={}),
            chunk({}, "content_filter", content_filter_results=bad),
            {"choices": [{"index": 0, "content_filter_offsets": {}, "content_filter_results": safe}]},
        )
    )
    assert (found.said(), found.end.finish_reason, found.end.finish_detail) == ("Once", "content_filter", "violence")
    assert found.faults == []


@pytest.mark.parametrize(("said", "native"), [("tool_calls", "max_output_tokens"), ("stop", "MAX_TOKENS")])
def test_the_upstreams_own_word_stands_beside_the_routers(said: str, native: str) -> None:
    end = chat(sse(chunk({}, said, native_finish_reason=native), chunk({}, said, native_finish_reason=None))).end
    assert (end.finish_reason, end.native_finish_reason) == (said, native)


def test_choices_are_told_apart_with_their_own_words() -> None:
    found = chat(
        sse(
            chunk({"content": "le"}),
            chunk({"content": "right"}, index=1),
            chunk({"content": "ft"}),
            chunk({}, "stop"),
            chunk({}, "length", index=1),
        )
    )
    assert (found.said(), found.said(choice=1)) == ("left", "right")
    assert [(one.index, one.finish_reason, one.text_chars) for one in found.end.choices] == [
        (0, "stop", 4),
        (1, "length", 5),
    ]
    assert found.end.finish_reason == "stop"


def test_choices_without_an_index_are_numbered_by_their_place() -> None:
    body = {"choices": [{"message": {"content": "a"}}, {"message": {"content": "bc"}, "index": True}]}
    found = chat(json.dumps(body).encode())
    assert (found.said(), found.said(choice=1)) == ("a", "bc")


def test_one_choice_alone_is_not_listed() -> None:
    assert chat(sse(chunk({"content": "x"}, "stop"))).end.choices == ()


def test_the_number_of_choices_that_are_followed_is_bounded() -> None:
    found = chat(sse(*(chunk({"content": "x"}, "stop", index=index) for index in range(200))))
    assert len(found.end.choices) == 128
    assert found.translator.unreadable_count == 72


@pytest.mark.parametrize(
    "delta",
    [
        {"reasoning_content": "Hm"},
        {"reasoning": "Hm", "reasoning_details": [{"type": "reasoning.text", "text": "Hm"}]},
        {"reasoning_content": "Hm", "reasoning": "Hm"},
        {"reasoning_details": [{"type": "reasoning.summary", "summary": "Hm"}, {"type": "reasoning.encrypted"}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}]},
        {"content": [{"type": "thinking", "thinking": "Hm"}]},
    ],
)
def test_reasoning_is_read_once_whatever_it_is_called(delta: Json) -> None:
    for found in (chat(sse(chunk(delta))), chat(whole(delta))):
        assert (found.said("reasoning"), found.said()) == ("Hm", "")


def test_content_may_be_a_list_of_parts() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "reference", "reference_ids": [1]}, "b", 7, None]
    assert chat(sse(chunk({"content": parts}))).said() == "ab"


def test_a_refusal_has_a_channel_of_its_own() -> None:
    found = chat(sse(chunk({"content": None, "refusal": "I can"}), chunk({"refusal": "not"}, "stop")))
    assert (found.said("refusal"), found.said(), found.end.finish_reason) == ("I cannot", "", "stop")


def test_empty_deltas_are_no_output() -> None:
    found = chat(sse(chunk({"role": "assistant", "content": "", "refusal": None, "reasoning": ""})))
    assert [event.type for event in found.events] == ["call.started", "call.finished"]


def test_an_unstreamed_body_says_the_same_and_has_no_end_marker() -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 4}
    found = chat(whole({"content": "Hi", "reasoning": "Hm"}, "stop", usage=usage))
    assert (found.said(), found.said("reasoning"), found.end.finish_reason) == ("Hi", "Hm", "stop")
    assert found.end.usage == Usage(input_tokens=3, output_tokens=4)
    assert found.end.done_marker is None


def test_a_message_beside_an_empty_delta_is_read_in_an_unstreamed_body() -> None:
    body = {
        "choices": [{"index": 0, "delta": {"content": ""}, "message": {"content": "Paris"}, "finish_reason": "stop"}]
    }
    assert chat(json.dumps(body).encode()).said() == "Paris"


def test_a_message_that_says_again_what_streamed_is_not_read_twice() -> None:
    again = chunk({}, "stop", message={"content": "Paris"})
    del again["choices"][0]["delta"]
    assert chat(sse(chunk({"content": "Paris"}, message={"content": "Paris"}), again)).said() == "Paris"


def test_a_whole_response_inside_one_event_is_read() -> None:
    assert chat(b"data: " + whole({"content": "Paris"}) + b"\n\n").said() == "Paris"


def test_the_older_completions_shape_is_read() -> None:
    assert chat(sse({"choices": [{"index": 0, "text": "Pa", "finish_reason": None}]})).said() == "Pa"


@pytest.mark.parametrize("odd", [{"choices": ["x", None]}, {"choices": "x"}, {"foo": 1}, [1], 7])
def test_odd_shapes_cost_nothing_but_themselves(odd: Any) -> None:
    found = chat(sse(json.dumps(odd), chunk({"content": "ok"}, "stop")))
    assert (found.said(), found.end.finish_reason) == ("ok", "stop")
    assert found.translator.unreadable_count > 0


@pytest.mark.parametrize(
    ("request_", "cap"),
    [
        ({"max_tokens": 5}, 5),
        ({"max_completion_tokens": 7, "max_tokens": 5}, 7),
        ({"n_predict": 9}, 9),
        ({"n_predict": -1}, None),
    ],
)
def test_the_cap_is_read_from_the_request_that_was_sent(request_: Json, cap: int | None) -> None:
    start = chat(b"", request=request_).events[0]
    assert isinstance(start, CallStarted)
    assert start.max_output_tokens == cap


def test_a_tool_call_that_is_no_object_is_counted() -> None:
    assert chat(sse(chunk({"tool_calls": ["x", piece(name="ls")["tool_calls"][0]]}))).faults == [
        "a tool call that is no object"
    ]
