from __future__ import annotations

import json
from typing import Any

import pytest
from roundwatch.core.rounds import Usage
from roundwatch.core.rounds.events import CallStarted

from tests.core.wire.bodies import Json, Told, told
from tests.core.wire.more_bodies import OLLAMA_BODY, lines

DONE: Json = {"message": {"content": ""}, "done": True}


def ollama(*objects: Json, **how: Any) -> Told:
    return told("ollama", lines(*objects), **how)


def test_tokens_are_read_from_the_last_object_and_durations_are_none() -> None:
    end = ollama(
        DONE | {"done_reason": "stop", "prompt_eval_count": 31, "eval_count": 24, "eval_duration": 2 * 10**9}
    ).end
    assert end.usage == Usage(input_tokens=31, output_tokens=24)


def test_a_cap_in_the_options_is_the_one_that_was_sent_and_no_limit_is_none() -> None:
    def cap(**options: int) -> int | None:
        start = ollama(request={"model": "m", "options": options}).events[0]
        assert isinstance(start, CallStarted)
        return start.max_output_tokens

    assert (cap(num_predict=24), cap(num_predict=-1), cap()) == (24, None, None)


def test_done_without_a_reason_reports_none() -> None:
    end = ollama({"message": {"content": "Hel"}}, DONE).end
    assert (end.outcome, end.finish_reason, end.done_marker) == ("completed", None, True)


@pytest.mark.parametrize("word", ["length", "load", "unload"])
def test_the_reason_is_kept_verbatim(word: str) -> None:
    assert ollama(DONE | {"done_reason": word}).end.finish_reason == word


def test_a_tool_call_has_an_object_for_arguments_no_id_and_comes_before_the_end() -> None:
    call = {"function": {"name": "get", "arguments": {"city": "Ulm"}}}
    found = ollama({"message": {"content": "", "tool_calls": [call, call]}}, DONE | {"done_reason": "stop"})
    assert [(one.tool_call, one.id_given, one.arguments) for one in found.tools] == [
        ("c:1", False, '{"city":"Ulm"}'),
        ("c:2", False, '{"city":"Ulm"}'),
    ]


def test_an_error_line_in_the_middle_fails_the_call_and_keeps_the_text() -> None:
    found = ollama({"message": {"content": "Hel"}}, {"error": "unexpected EOF"})
    assert (found.said(), found.end.outcome) == ("Hel", "failed")
    assert found.end.error is not None
    assert found.end.error.message == "unexpected EOF"


def test_generate_puts_its_text_elsewhere() -> None:
    found = ollama({"response": "Hel", "thinking": "Hm"}, {"response": "lo", "done": True, "done_reason": "stop"})
    assert (found.said(), found.said("reasoning"), found.end.finish_reason) == ("Hello", "Hm", "stop")
    assert found.faults == []


def test_a_pretty_printed_answer_is_read_like_a_line() -> None:
    body = json.dumps(DONE | {"message": {"content": "Hi"}, "done_reason": "stop"}, indent=2).encode()
    found = told("ollama", body)
    assert (found.said(), found.end.finish_reason, found.faults) == ("Hi", "stop", [])


def test_an_answer_that_was_asked_for_in_one_piece_and_stops_in_the_middle_is_cut() -> None:
    body = json.dumps({"message": {"content": "half an answer"}}).encode()
    found = told("ollama", body[: body.index(b" answer")], request={"stream": False})
    assert (found.said(), found.end.outcome, found.end.done_marker) == ("half an", "body_cut", None)


def test_a_line_that_is_cut_or_no_json_is_counted_and_the_rest_read() -> None:
    at = OLLAMA_BODY.index(b"\n") + 1
    found = told("ollama", OLLAMA_BODY[:at] + b'{"message":{"content":"x\n<p>\n' + OLLAMA_BODY[at:])
    assert (found.said(), found.end.finish_reason, found.translator.unreadable_count) == ("Straße 🚲", "stop", 2)
    assert found.translator.unreadable[0].offset == at


def test_objects_and_tool_calls_of_another_shape_are_counted() -> None:
    found = ollama({"odd": 1}, {"message": {"tool_calls": [7, {"function": 7}]}}, DONE)
    assert found.faults == [
        "an object without message, response or error",
        "a tool call without a function",
        "a tool call without a function",
    ]
