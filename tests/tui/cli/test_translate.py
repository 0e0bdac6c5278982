from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tui.cli.command import run

CHUNK: dict[str, Any] = {"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": None}]}
LAST: dict[str, Any] = {"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}


def sse(*values: object) -> bytes:
    return b"".join(f"data: {json.dumps(value)}\n\n".encode() for value in values) + b"data: [DONE]\n\n"


def test_a_body_becomes_events_that_classify_reads() -> None:
    events = run("translate", "--format", "openai-chat", "-", stdin=sse(CHUNK, LAST))
    judged = run("classify", "--json", "-", stdin=events.out.encode())

    assert events.code == 0
    assert [event["type"] for event in events.objects] == ["call.started", "call.output", "call.finished"]
    assert {event["round"] for event in events.objects} == {"r1"}
    assert judged.objects[0]["verdict"] == "output_cap_reached"


def test_ids_status_and_request_are_told(tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"model": "m-1", "max_tokens": 40}))
    body = b'{"error": {"message": "slow down", "type": "rate_limit"}}'

    done = run(
        "translate", "--format", "openai-chat", "--round", "a", "--call", "b", "--http-status", "429",
        "--request", request, "-", stdin=body,
    )  # fmt: skip

    first, last = done.objects
    assert (first["round"], first["call"], first["model"], first["max_output_tokens"]) == ("a", "b", "m-1", 40)
    assert (last["outcome"], last["error"]["http_status"]) == ("failed", 429)


def test_a_response_that_is_all_of_its_round_can_be_an_answer() -> None:
    done: dict[str, Any] = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    events = run("translate", "--format", "openai-chat", "--whole-round", "-", stdin=sse(CHUNK, done))
    judged = run("classify", "-", stdin=events.out.encode())

    assert (events.objects[0]["type"], events.objects[-1]["type"]) == ("round.started", "round.finished")
    assert judged.code == 0


@pytest.mark.parametrize(
    "page",
    [
        b"<html><h1>502 Bad Gateway</h1></html>",
        b"data: <p>\n\n",
        b"\x00\xff\x00",
        b'{"type": "round.started", "round": "r1"}\n{"type": "round.finished", "round": "r1"}\n',
    ],
)
def test_a_body_in_which_nothing_can_be_read_is_an_error(page: bytes) -> None:
    done = run("translate", "--format", "openai-chat", "-", stdin=page)

    assert (done.code, done.out) == (2, "")
    assert "nothing in standard input could be read as openai-chat" in done.err


def test_an_error_page_of_an_error_status_is_a_failed_call() -> None:
    done = run("translate", "--format", "openai-chat", "--http-status", "502", "-", stdin=b"<h1>Bad Gateway</h1>")

    assert (done.code, done.objects[-1]["outcome"]) == (0, "failed")


def test_a_broken_transfer_is_no_end() -> None:
    done = run("translate", "--format", "openai-chat", "--broken", "reset", "-", stdin=sse(CHUNK)[:-14])

    assert done.objects[-1]["outcome"] == "body_cut"


def test_what_cannot_be_read_is_told_with_its_place() -> None:
    done = run("translate", "--format", "openai-chat", "-", stdin=sse(CHUNK) + b"data: {half\n\n")

    assert done.code == 0
    assert "byte" in done.err


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [("missing.json", None, "missing.json"), ("list.json", "[]", "no JSON object"), ("half.json", "{", "half.json")],
)
def test_a_request_that_cannot_be_used_is_named(tmp_path: Path, name: str, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)

    done = run("translate", "--format", "openai-chat", "--request", tmp_path / name, "-", stdin=sse(CHUNK))

    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_an_empty_body_is_said() -> None:
    done = run("translate", "--format", "anthropic", "-")

    assert done.code == 0
    assert "no byte" in done.err
    assert done.objects[-1]["type"] == "call.finished"
