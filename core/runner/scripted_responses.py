"""The OpenAI Responses wire of the scripted provider: steps in, bytes and pauses out; no socket in here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, assert_never

from .responses_parts import Part, part_of
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
    argument_pieces,
    words,
)
from .scripted_openai import error_body as error_body_of_chat
from .scripted_openai import keep_alives

PATH = "/v1/responses"
Json = dict[str, Any]


def stream(reply: Reply, request: Mapping[str, Any], *, id: str, created: int) -> Iterator[bytes | float]:
    """Yield the streamed body: bytes to send, and numbers for pauses in seconds at speed 1.

    The wire has no end marker beside the event that carries the status, so a script's ``Finish`` is both.
    """
    events = _Events(_response(request, id, created), reply.counts)
    yield events.frame("response.created", response=events.response)
    yield events.frame("response.in_progress", response=events.response)
    for step in reply.steps:
        yield from events.step(step)


def _response(request: Mapping[str, Any], id: str, created: int) -> Json:
    echoed = ("max_output_tokens", "previous_response_id", "instructions")
    return {
        "id": f"resp_{id}",
        "object": "response",
        "created_at": created,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "model": request.get("model"),
        "output": [],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": None,
        **{name: request.get(name) for name in echoed},
    }


@dataclass
class _Events:
    """Numbers the events and the output items of one response."""

    response: Json
    counts: Counts | None
    number: int = 0
    output: list[Json] = field(default_factory=list[Json])

    def frame(self, type_: str, **fields: Any) -> bytes:
        data = {"type": type_, "sequence_number": self.number, **fields}
        self.number += 1
        return f"event: {type_}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()

    def step(self, step: Step) -> Iterator[bytes | float]:
        match step:
            case Wait():
                yield step.seconds
            case KeepAlives():
                yield from keep_alives(step, b": keep-alive\n\n")
            case Text() | RefusalText() | Reasoning():
                yield from self._spoken(
                    part_of(step, self._item_id("msg" if not isinstance(step, Reasoning) else "rs"))
                )
            case ToolUse():
                yield from self._call(step)
            case Finish():
                name = f"response.{step.reason}" if step.reason in _ENDS else "response.completed"
                yield self.frame(name, response=_ended(self.response, self.output, step, self.counts))
            case BodyError():
                error = {"type": step.kind, "code": step.code, "message": step.message, "param": None}
                yield self.frame("error", error=error)
                failed = {**self.response, "status": "failed", "error": _error(step.code or step.kind, step.message)}
                yield self.frame("response.failed", response=failed)
            case _:
                assert_never(step)

    def _item_id(self, kind: str) -> str:
        return f"{kind}_{self.response['id'].removeprefix('resp_')}_{len(self.output)}"

    def _spoken(self, part: Part) -> Iterator[bytes | float]:
        at = {"item_id": part.item["id"], "output_index": len(self.output), part.index: 0}
        yield self._item("added", part.begun)
        yield self.frame(f"response.{part.holder}.added", **at, part=part.empty)
        for piece in words(part.text):
            yield self.frame(f"response.{part.event}.delta", **at, delta=piece)
            yield 1 / part.rate
        yield self.frame(f"response.{part.event}.done", **at, **{part.field: part.text})
        yield self.frame(f"response.{part.holder}.done", **at, part=part.full)
        yield self._item("done", part.item)
        self.output.append(part.item)

    def _call(self, step: ToolUse) -> Iterator[bytes | float]:
        item = _call_item(step, self._item_id("fc"))
        at = {"item_id": item["id"], "output_index": len(self.output)}
        yield self._item("added", {**item, "arguments": "", "status": "in_progress"})
        for piece in argument_pieces(step.arguments):
            yield self.frame("response.function_call_arguments.delta", **at, delta=piece)
            yield 1 / step.rate
        # a call that was cut is marked done all the same, with half its arguments
        yield self.frame("response.function_call_arguments.done", **at, arguments=step.arguments)
        yield self._item("done", item)
        self.output.append(item)

    def _item(self, what: str, item: Json) -> bytes:
        return self.frame(f"response.output_item.{what}", output_index=len(self.output), item=item)


_ENDS = frozenset(("completed", "incomplete", "failed"))


def _call_item(step: ToolUse, id: str) -> Json:
    status = "completed" if step.whole else "incomplete"
    given = {"name": step.name, "call_id": step.id or f"call_{id}", "arguments": step.arguments}
    return {"id": id, "type": "function_call", "status": status, **given}


def _ended(response: Json, output: list[Json], step: Finish, counts: Counts | None) -> Json:
    ended = {**response, "status": step.reason, "output": output}
    if step.reason == "incomplete":
        ended["incomplete_details"] = {"reason": step.detail}
    elif step.reason == "failed":
        ended["error"] = _error("server_error", step.detail or "")
    if counts is not None:
        ended["usage"] = _usage(counts)
    return ended


def whole(reply: Reply, request: Mapping[str, Any], *, id: str, created: int) -> tuple[int, Json]:
    """Return HTTP status and body of the same reply when no stream was asked for."""
    response = _response(request, id, created)
    output: list[Json] = []
    for step in reply.steps:
        match step:
            case Text() | RefusalText() | Reasoning():
                output.append(part_of(step, f"item_{id}_{len(output)}").item)
            case ToolUse():
                output.append(_call_item(step, f"fc_{id}_{len(output)}"))
            case Finish():
                response = _ended(response, output, step, reply.counts)
            case BodyError():
                return 200, {**response, "status": "failed", "error": _error(step.code or step.kind, step.message)}
            case Wait() | KeepAlives():
                pass
    return 200, {**response, "output": output}


def error_body(error: HttpError) -> Json:
    """Return the body of an HTTP error in this wire's shape, which is that of chat completions."""
    return error_body_of_chat(error)


def _error(code: str, message: str) -> Json:
    return {"code": code, "message": message}


def _usage(counts: Counts) -> Json:
    return {
        "input_tokens": counts.input,
        "input_tokens_details": {"cached_tokens": counts.cache_read or 0},
        "output_tokens": counts.output,
        "output_tokens_details": {"reasoning_tokens": counts.reasoning or 0},
        "total_tokens": counts.input + counts.output,
    }
