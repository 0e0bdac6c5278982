"""Ollama's own wire of the scripted provider: steps in, bytes and pauses out; no socket in here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, assert_never

from .script import (
    BodyError,
    Counts,
    Ending,
    Finish,
    HttpError,
    KeepAlives,
    Reasoning,
    RefusalText,
    Reply,
    Step,
    Text,
    ToolUse,
    Wait,
    words,
)

PATH = "/api/chat"
MEDIA = "application/x-ndjson"
LOAD_NS = 57_000_000  # a model that is in memory already
NS = 1_000_000_000
Json = dict[str, Any]


def asked(body: Json, path: Mapping[str, str], query: str) -> Json:
    """Return the request with what goes without saying: this wire streams unless it is told not to."""
    return {**body, "stream": body.get("stream") is not False}


def media(request: Mapping[str, Any]) -> str:
    """Return the media type of a streamed body."""
    return MEDIA


def stream(reply: Reply, request: Mapping[str, Any], *, id: str, created: int) -> Iterator[bytes | float]:
    """Yield the streamed body: bytes to send, and numbers for pauses in seconds at speed 1."""
    head = _head(request, created)
    for step in reply.steps:
        yield from _step(head, step, reply.counts)
    if reply.ending is Ending.DONE and not any(isinstance(step, Finish) for step in reply.steps):
        yield _line(_last(head, "", reply.counts))  # the runner went away: done, and no reason


def _head(request: Mapping[str, Any], created: int) -> Json:
    at = datetime.fromtimestamp(created, UTC).isoformat().replace("+00:00", "Z")
    return {"model": request.get("model"), "created_at": at}


def _line(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def _step(head: Json, step: Step, counts: Counts | None) -> Iterator[bytes | float]:
    match step:
        case Wait() | KeepAlives():  # nothing is sent while the model is loaded or silent
            yield step.seconds
        case Text() | RefusalText():
            yield from _pieces(head, "content", step.text, step.rate)
        case Reasoning():
            yield from _pieces(head, "thinking", step.text, step.rate)
        case ToolUse():
            if (call := _call(step)) is not None:
                yield _line(_said(head, tool_calls=[call]))
        case Finish():
            yield _line(_last(head, step.reason, counts))
        case BodyError():
            yield _line({"error": step.message})
        case _:
            assert_never(step)


def _pieces(head: Json, field: str, text: str, rate: float) -> Iterator[bytes | float]:
    for piece in words(text):
        yield _line(_said(head, **{field: piece}))
        yield 1 / rate


def _said(head: Json, **message: Any) -> Json:
    return {**head, "message": {"role": "assistant", "content": "", **message}, "done": False}


def _call(step: ToolUse) -> Json | None:
    """Return a whole call: this wire never tells of one that was cut."""
    try:
        arguments = json.loads(step.arguments or "{}")
    except json.JSONDecodeError:
        return None
    if not step.whole:
        return None
    function = {"name": step.name, "arguments": arguments}
    return {"function": function} if step.id is None else {"id": step.id, "function": function}


def _last(head: Json, reason: str, counts: Counts | None) -> Json:
    last: Json = {**_said(head), "done": True}
    if reason:
        last["done_reason"] = reason
    last |= {"total_duration": NS, "load_duration": LOAD_NS}
    if counts is not None:
        last |= {"prompt_eval_count": counts.input, "prompt_eval_duration": NS // 10}
        last |= {"eval_count": counts.output, "eval_duration": NS // 2}
    return last


def whole(reply: Reply, request: Mapping[str, Any], *, id: str, created: int) -> tuple[int, Json]:
    """Return HTTP status and body of the same reply when no stream was asked for."""
    message: Json = {"role": "assistant", "content": ""}
    reason = ""
    for step in reply.steps:
        match step:
            case Text() | RefusalText():
                message["content"] += step.text
            case Reasoning():
                message["thinking"] = message.get("thinking", "") + step.text
            case ToolUse():
                if (call := _call(step)) is not None:
                    message.setdefault("tool_calls", []).append(call)
            case Finish():
                reason = step.reason
            case BodyError():
                return 500, {"error": step.message}
            case Wait() | KeepAlives():
                pass
    return 200, {**_last(_head(request, created), reason, reply.counts), "message": message}


def error_body(error: HttpError) -> Json:
    """Return the body of an HTTP error in this wire's shape."""
    return {"error": error.message}
