"""The OpenAI Chat Completions wire of the scripted provider: steps in, bytes and pauses out; no socket in here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, assert_never, cast

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
    argument_pieces,
    words,
)

PATH = "/v1/chat/completions"
Json = dict[str, Any]


def stream(reply: Reply, request: Mapping[str, Any], *, id: str, created: int) -> Iterator[bytes | float]:
    """Yield the streamed body: bytes to send, and numbers for pauses in seconds at speed 1."""
    head: Json = {
        "id": f"chatcmpl-{id}",
        "object": "chat.completion.chunk",
        "created": created,
        "model": request.get("model"),
    }
    first: Json = {"role": "assistant", "content": ""}
    tools = 0
    for number, step in enumerate(reply.steps):
        if first and not isinstance(step, Wait | KeepAlives | BodyError):
            yield _choice(head, first)
            first = {}
        yield from _step(head, step, tool_index=tools, id=f"{id}-{number}")
        tools += isinstance(step, ToolUse)
    if reply.ending is not Ending.DONE:
        return
    if reply.counts is not None and _wants_usage(request):
        yield _frame({**head, "choices": [], "usage": _usage(reply.counts)})
    yield b"data: [DONE]\n\n"


def _wants_usage(request: Mapping[str, Any]) -> bool:
    options = request.get("stream_options")
    return isinstance(options, dict) and cast(Json, options).get("include_usage") is True


def _step(head: Json, step: Step, *, tool_index: int, id: str) -> Iterator[bytes | float]:
    match step:
        case Wait():
            yield step.seconds
        case KeepAlives():
            yield from keep_alives(step, b": keep-alive\n\n")
        case Text():
            yield from _pieces(head, "content", step.text, step.rate)
        case Reasoning():
            yield from _pieces(head, "reasoning_content", step.text, step.rate)
        case RefusalText():
            yield from _pieces(head, "refusal", step.text, step.rate)
        case ToolUse():
            yield from _tool(head, step, tool_index, id)
        case Finish():
            native = {} if step.native is None else {"native_finish_reason": step.native}
            yield _choice(head, {}, step.reason, native)
        case BodyError():
            yield _frame({"error": _error(step.kind, step.message, step.code)})
        case _:
            assert_never(step)


def keep_alives(step: KeepAlives, sign: bytes) -> Iterator[bytes | float]:
    """Yield one sign of life every ``step.every`` seconds for ``step.seconds``."""
    for _ in range(max(1, round(step.seconds / step.every))):
        yield sign
        yield step.every


def _pieces(head: Json, field: str, text: str, rate: float) -> Iterator[bytes | float]:
    for piece in words(text):
        yield _choice(head, {field: piece})
        yield 1 / rate


def _tool(head: Json, step: ToolUse, index: int, id: str) -> Iterator[bytes | float]:
    start = {
        "index": index,
        "id": step.id or f"call_{id}",
        "type": "function",
        "function": {"name": step.name, "arguments": ""},
    }
    yield _choice(head, {"tool_calls": [start]})
    for piece in argument_pieces(step.arguments):
        yield 1 / step.rate
        yield _choice(head, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]})


def _choice(head: Json, delta: Json, finish: str | None = None, more: Json | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish, **(more or {})}
    return _frame({**head, "choices": [choice]})


def _frame(value: Json) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


def whole(reply: Reply, request: Mapping[str, Any], *, id: str, created: int) -> tuple[int, Json]:
    """Return HTTP status and body of the same reply when no stream was asked for."""
    texts: dict[str, str] = {}
    calls: list[Json] = []
    finish: Finish | None = None
    for number, step in enumerate(reply.steps):
        match step:
            case Text():
                texts["content"] = texts.get("content", "") + step.text
            case Reasoning():
                texts["reasoning_content"] = texts.get("reasoning_content", "") + step.text
            case RefusalText():
                texts["refusal"] = texts.get("refusal", "") + step.text
            case ToolUse():
                function = {"name": step.name, "arguments": step.arguments}
                calls.append({"id": step.id or f"call_{id}-{number}", "type": "function", "function": function})
            case Finish():
                finish = step
            case BodyError():
                return 500, {"error": _error(step.kind, step.message, step.code)}
            case Wait() | KeepAlives():
                pass
    message: Json = {"role": "assistant", "content": None, "refusal": None, **texts}
    if calls:
        message["tool_calls"] = calls
    choice: Json = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish and finish.reason}
    if finish and finish.native is not None:
        choice["native_finish_reason"] = finish.native
    body: Json = {"id": f"chatcmpl-{id}", "object": "chat.completion", "created": created}
    body |= {"model": request.get("model"), "choices": [choice]}
    if reply.counts is not None:
        body["usage"] = _usage(reply.counts)
    return 200, body


def error_body(error: HttpError) -> Json:
    """Return the body of an HTTP error in this wire's shape."""
    return {"error": _error(error.kind, error.message, error.code)}


def _error(kind: str, message: str, code: str | None) -> Json:
    return {"message": message, "type": kind, "param": None, "code": code}


def _usage(counts: Counts) -> Json:
    usage: Json = {"prompt_tokens": counts.input, "completion_tokens": counts.output}
    usage["total_tokens"] = counts.input + counts.output
    if counts.reasoning is not None:
        usage["completion_tokens_details"] = {"reasoning_tokens": counts.reasoning}
    if counts.cache_read is not None:
        usage["prompt_tokens_details"] = {"cached_tokens": counts.cache_read}
    return usage
