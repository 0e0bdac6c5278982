from __future__ import annotations

import json

import pytest
from roundwatch.core.rounds import Usage

from tests.core.wire import frames
from tests.core.wire.bodies import STOP, Json, Told, block_delta, message_delta, message_start, told

METRICS = "amazon-bedrock-invocationMetrics"


def invoke(*events: Json) -> Told:
    return told("bedrock-invoke", b"".join(frames.chunk(one) for one in events))


def whole(body: Json) -> Told:
    return told("bedrock-invoke", json.dumps(body).encode())


def metrics(**counts: int) -> Json:
    return STOP | {METRICS: counts}


def test_bedrocks_own_counts_fill_only_what_the_model_left_out() -> None:
    counted = metrics(inputTokenCount=37, outputTokenCount=8, cacheReadInputTokenCount=2)
    assert invoke(message_delta("end_turn"), counted).end.usage == Usage(
        input_tokens=37, output_tokens=8, cache_read_tokens=2
    )
    told_before = (
        message_start(input_tokens=30, output_tokens=1),
        message_delta("end_turn", usage={"output_tokens": 7}),
    )
    end = invoke(*told_before, counted).end
    assert end.usage == Usage(input_tokens=30, output_tokens=7, cache_read_tokens=2)
    assert invoke(*told_before, metrics()).end.usage == Usage(input_tokens=30, output_tokens=7)


def test_an_answer_in_one_piece_is_a_message() -> None:
    found = whole({"type": "message", "content": [{"type": "text", "text": "Hi"}], "stop_reason": "max_tokens"})
    assert (found.said(), found.end.finish_reason) == ("Hi", "max_tokens")


def test_an_exception_frame_fails_the_call_and_keeps_what_came() -> None:
    body = frames.chunk(block_delta(0, "text_delta", text="Hel")) + frames.exception("modelTimeoutException", b"{}")
    found = told("bedrock-invoke", body)
    assert (found.said(), found.end.outcome) == ("Hel", "failed")
    assert found.end.error is not None
    assert found.end.error.code == "modelTimeoutException"


def test_an_error_event_of_the_model_inside_a_chunk_fails_the_call() -> None:
    end = invoke({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}).end
    assert end.error is not None
    assert (end.error.code, end.error.message) == ("overloaded_error", "busy")


def test_an_error_that_came_with_a_good_status_fails_the_call() -> None:
    assert whole({"message": "no access"}).end.outcome == "failed"


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        ({"bytes": "???"}, "a chunk that is no base64 of UTF-8"),
        ({"bytes": "größer"}, "a chunk that is no base64 of UTF-8"),
        ({"bytes": "/w=="}, "a chunk that is no base64 of UTF-8"),
        ({"bytes": "WzFd"}, "a chunk that holds no JSON object"),
        ({"bytes": "ew=="}, "not JSON: Expecting property name enclosed in double quotes"),
        ({"bytes": 7}, "an object without a type"),
    ],
)
def test_a_chunk_that_cannot_be_read_is_counted_and_the_rest_goes_on(payload: Json, why: str) -> None:
    found = told(
        "bedrock-invoke", frames.event("chunk", payload) + frames.chunk(block_delta(0, "text_delta", text="Hi"))
    )
    assert (found.said(), found.faults) == ("Hi", [why])


def test_chunks_inside_chunks_are_not_followed() -> None:
    assert invoke({"bytes": "WzFd"}).faults == ["a chunk that holds no JSON object"]


def test_a_completion_of_the_older_api_keeps_its_finish_word_and_counts_its_text() -> None:
    found = whole({"completion": " Hi", "stop_reason": "stop_sequence", "stop": "\n\nHuman:"})
    assert (found.end.finish_reason, found.said()) == ("stop_sequence", "")
    assert found.faults == ["the text of a completion of the older API"]
