"""The Anthropic Messages wire of the scripted provider: steps in, bytes and pauses out; no socket in here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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
from .scripted_openai import keep_alives

PATH = "/v1/messages"
PLACEHOLDER_TOKENS = 2  # message_start always carries a small output count that means nothing yet
Json = dict[str, Any]
PING = b'event: ping\ndata: {"type": "ping"}\n\n'


def stream(reply: Reply, request: Mapping[str, Any], *, id: str, created: int) -> Iterator[bytes | float]:
    """Yield the streamed body: bytes to send, and numbers for pauses in seconds at speed 1."""
    message = _message(request, id)
    message["usage"] = _usage(reply.counts, output=PLACEHOLDER_TOKENS)
    yield _frame("message_start", {"message": message})
    blocks = _Blocks(id, reply.counts)
    for step in reply.steps:
        yield from blocks.step(step)
    if reply.ending is Ending.DONE:
        yield _frame("message_stop", {})


@dataclass
class _Blocks:
    """Numbers the content blocks of one message."""

    id: str
    counts: Counts | None
    index: int = field(default=0)

    def step(self, step: Step) -> Iterator[bytes | float]:
        match step:
            case Wait():
                yield step.seconds
            case KeepAlives():
                yield from keep_alives(step, PING)
            case Text() | RefusalText():
                yield from self._text("text", "text_delta", "text", step.text, step.rate)
            case Reasoning():
                yield from self._text("thinking", "thinking_delta", "thinking", step.text, step.rate)
            case ToolUse():
                yield from self._tool(step)
            case Finish():
                delta = {"stop_reason": step.reason, "stop_sequence": None}
                yield _frame("message_delta", {"delta": delta, "usage": _usage(self.counts)})
            case BodyError():
                yield _frame("error", {"error": {"type": step.kind, "message": step.message}})
            case _:
                assert_never(step)

    def _text(self, block: str, delta: str, name: str, text: str, rate: float) -> Iterator[bytes | float]:
        start: Json = {"type": block, name: ""}
        if block == "thinking":
            start["signature"] = ""
        yield _frame("content_block_start", {"index": self.index, "content_block": start})
        for piece in words(text):
            yield self._delta({"type": delta, name: piece})
            yield 1 / rate
        if block == "thinking":
            yield self._delta({"type": "signature_delta", "signature": "c2NyaXB0ZWQ="})
        yield self._stop()

    def _tool(self, step: ToolUse) -> Iterator[bytes | float]:
        start: Json = {
            "type": "tool_use",
            "id": step.id or f"toolu_{self.id}-{self.index}",
            "name": step.name,
            "input": {},
        }
        yield _frame("content_block_start", {"index": self.index, "content_block": start})
        yield self._delta({"type": "input_json_delta", "partial_json": ""})
        for piece in argument_pieces(step.arguments):
            yield 1 / step.rate
            yield self._delta({"type": "input_json_delta", "partial_json": piece})
        if step.whole:
            yield self._stop()

    def _delta(self, delta: Json) -> bytes:
        return _frame("content_block_delta", {"index": self.index, "delta": delta})

    def _stop(self) -> bytes:
        self.index += 1
        return _frame("content_block_stop", {"index": self.index - 1})


def _frame(name: str, value: Json) -> bytes:
    data = json.dumps({"type": name, **value}, ensure_ascii=False)
    return f"event: {name}\ndata: {data}\n\n".encode()


def _message(request: Mapping[str, Any], id: str) -> Json:
    return {
        "id": f"msg_{id}",
        "type": "message",
        "role": "assistant",
        "model": request.get("model"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def whole(reply: Reply, request: Mapping[str, Any], *, id: str, created: int) -> tuple[int, Json]:
    """Return HTTP status and body of the same reply when no stream was asked for."""
    message = _message(request, id)
    content: list[Json] = []
    for step in reply.steps:
        match step:
            case Text() | RefusalText():
                content.append({"type": "text", "text": step.text})
            case Reasoning():
                content.append({"type": "thinking", "thinking": step.text, "signature": "c2NyaXB0ZWQ="})
            case ToolUse():
                tool_id = step.id or f"toolu_{id}-{len(content)}"
                content.append({"type": "tool_use", "id": tool_id, "name": step.name, "input": _input(step.arguments)})
            case Finish():
                message["stop_reason"] = step.reason
            case BodyError():
                return 500, {"type": "error", "error": {"type": step.kind, "message": step.message}}
            case Wait() | KeepAlives():
                pass
    message["content"] = content
    message["usage"] = _usage(reply.counts)
    return 200, message


def _input(arguments: str) -> Json:
    try:
        value = json.loads(arguments or "{}")
    except json.JSONDecodeError:
        return {}  # this wire cannot carry half JSON in a whole body
    return cast(Json, value) if isinstance(value, dict) else {}


def error_body(error: HttpError) -> Json:
    """Return the body of an HTTP error in this wire's shape."""
    return {"type": "error", "error": {"type": error.kind, "message": error.message}}


def _usage(counts: Counts | None, output: int | None = None) -> Json:
    """The wire's own split: tokens read from the cache stand beside ``input_tokens``, not inside it."""
    if counts is None:
        return {"input_tokens": 0, "output_tokens": 0}  # both are required on this wire
    usage: Json = {"input_tokens": counts.input, "output_tokens": counts.output if output is None else output}
    if counts.cache_read is not None:
        usage["cache_read_input_tokens"] = counts.cache_read
    if counts.reasoning is not None and output is None:
        usage["output_tokens_details"] = {"thinking_tokens": counts.reasoning}
    return usage
