"""The Gemini wire of the scripted provider: steps in, bytes and pauses out; no socket in here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, assert_never, cast

from .script import (
    BodyError,
    Counts,
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

PATH = r"/v1(?:beta|alpha)?/models/(?P<model>[^/:]+):(?P<verb>streamGenerateContent|generateContent)"
MEDIA = "text/event-stream"
ARRAY_MEDIA = "application/json; charset=UTF-8"
Json = dict[str, Any]


def asked(body: Json, path: Mapping[str, str], query: str) -> Json:
    """Return the request with what this wire says in its address: the model, and whether and how it streams."""
    said = {"model": path["model"], "stream": path["verb"].startswith("stream")}
    return {**body, **said, "sse": "alt=sse" in query.split("&")}


def media(request: Mapping[str, Any]) -> str:
    """Return the media type of a streamed body: without ``alt=sse`` it is one JSON array."""
    return MEDIA if request.get("sse") else ARRAY_MEDIA


def stream(reply: Reply, request: Mapping[str, Any], *, id: str, created: int) -> Iterator[bytes | float]:
    """Yield the streamed body: bytes to send, and numbers for pauses in seconds at speed 1.

    The wire has no end marker, so the ways a script may end differ in the last bracket of an array only.
    """
    sse, begun = request.get("sse") is True, False
    for step in reply.steps:
        for part in _step(_head(request, id), step, reply.counts):
            if isinstance(part, float | int):
                yield part
            elif "error" in part:  # Google puts it behind the events as it is, without a field name
                yield json.dumps(part, indent=2).encode()
            else:
                yield _frame(part) if sse else (b"\n,\r\n" if begun else b"[") + json.dumps(part, indent=2).encode()
                begun = True
    if begun and not sse and reply.ending == "done":
        yield b"\n]\n"


def _head(request: Mapping[str, Any], id: str) -> Json:
    return {"modelVersion": request.get("model"), "responseId": f"resp-{id}"}


def _frame(value: Json) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\r\n\r\n"


def _step(head: Json, step: Step, counts: Counts | None) -> Iterator[Json | float]:
    match step:
        case Wait() | KeepAlives():  # nothing is sent while the model is silent
            yield step.seconds
        case Text() | RefusalText() | Reasoning():
            for piece in words(step.text):
                yield _content(head, counts, {"text": piece} | _thought(step))
                yield 1 / step.rate
        case ToolUse():
            if (part := _call(step)) is not None:
                yield _content(head, counts, part)
        case Finish():
            yield _last(head, step, counts)
        case BodyError():
            yield _error(step.code or "499", step.kind, step.message)
        case _:
            assert_never(step)


def _thought(step: Step) -> Json:
    return {"thought": True} if isinstance(step, Reasoning) else {}


def _call(step: ToolUse) -> Json | None:
    """Return a whole call: this wire drops one that was cut."""
    try:
        arguments = json.loads(step.arguments or "{}")
    except json.JSONDecodeError:
        return None
    if not step.whole:
        return None
    return {"functionCall": {"name": step.name, "args": arguments} | ({"id": step.id} if step.id else {})}


def _content(head: Json, counts: Counts | None, *parts: Json) -> Json:
    candidate = {"content": {"parts": list(parts), "role": "model"}, "index": 0}
    early = {} if counts is None else {"usageMetadata": {"promptTokenCount": counts.input}}
    return {"candidates": [candidate], **early, **head}


def _last(head: Json, step: Finish, counts: Counts | None) -> Json:
    usage = {} if counts is None else {"usageMetadata": _usage(counts)}
    if step.blocked:
        return {"promptFeedback": {"blockReason": step.reason}, **usage, **head}
    candidate: Json = {"content": {"parts": [{"text": ""}], "role": "model"}, "finishReason": step.reason, "index": 0}
    if step.detail is not None:
        candidate["finishMessage"] = step.detail
    return {"candidates": [candidate], **usage, **head}


def whole(reply: Reply, request: Mapping[str, Any], *, id: str, created: int) -> tuple[int, Json]:
    """Return HTTP status and body of the same reply when no stream was asked for."""
    body: Json = _head(request, id)
    parts: list[Json] = []
    for step in reply.steps:
        match step:
            case Text() | RefusalText() | Reasoning():
                parts.append({"text": step.text} | _thought(step))
            case ToolUse():
                parts += [part for part in (_call(step),) if part is not None]
            case Finish():
                body = _last(_head(request, id), step, reply.counts)
            case BodyError():
                return 500, _error(step.code or "500", step.kind, step.message)
            case Wait() | KeepAlives():
                pass
    if "promptFeedback" not in body:
        candidate = cast(Json, body.get("candidates", [{"index": 0}])[0])
        candidate["content"] = {"parts": parts, "role": "model"} if parts else {}
        body["candidates"] = [candidate]
    return 200, body


def error_body(error: HttpError) -> Json:
    """Return the body of an HTTP error in this wire's shape."""
    return _error(str(error.status), error.kind, error.message)


def _error(code: str, status: str, message: str) -> Json:
    return {"error": {"code": int(code), "message": message, "status": status}}


def _usage(counts: Counts) -> Json:
    """The wire's own split: thoughts stand beside the candidates' tokens, not inside them."""
    usage = {"promptTokenCount": counts.input, "candidatesTokenCount": counts.output}
    usage["totalTokenCount"] = counts.input + counts.output + (counts.reasoning or 0)
    if counts.reasoning is not None:
        usage["thoughtsTokenCount"] = counts.reasoning
    if counts.cache_read is not None:
        usage["cachedContentTokenCount"] = counts.cache_read
    return usage
