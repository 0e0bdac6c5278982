"""What the loop says to a model, and the two request bodies that carry it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from ..policies.continuation import Turn
from ..policies.thinking import Dialect, Thinking, effective_cap
from .agents import Model
from .tools import Tool

Json = dict[str, Any]


@dataclass(frozen=True)
class ToolUse:
    """A tool call as it is replayed."""

    id: str
    name: str
    arguments: str
    """JSON of an object."""


@dataclass(frozen=True)
class User:
    """What the asking side said."""

    text: str


@dataclass(frozen=True)
class Assistant:
    """What the model said."""

    text: str
    tools: tuple[ToolUse, ...] = ()
    id: str | None = None
    """Of the message: the first call it came from."""


@dataclass(frozen=True)
class ToolResult:
    """The answer to one tool call."""

    id: str
    text: str
    is_error: bool = False


Message = User | Assistant | ToolResult


@dataclass(frozen=True)
class Request:
    """One request, before it is put on a wire."""

    messages: tuple[Message, ...]
    instructions: str = ""
    tools: tuple[Tool, ...] = ()
    tools_off: bool = False
    """The tools stay described, a conversation that used them needs that; the model may not call one."""
    thinking: Thinking | None = None
    """None leaves the part out."""
    stream: bool = True

    def followed_by(self, turns: Sequence[Turn]) -> Request:
        """Return the same request with ``turns`` behind its messages."""
        more = tuple(Assistant(turn.text) if turn.role == "assistant" else User(turn.text) for turn in turns)
        return replace(self, messages=(*self.messages, *more))

    def body(self, model: Model) -> Json:
        """Return the body on the model's wire."""
        return _anthropic(self, model) if model.wire == "anthropic" else _openai_chat(self, model)


def _openai_chat(request: Request, model: Model) -> Json:
    body: Json = {"model": model.name, "stream": request.stream}
    if request.stream:
        body["stream_options"] = {"include_usage": True}
    system: list[Json] = [{"role": "system", "content": request.instructions}] if request.instructions else []
    body["messages"] = system + [_openai_message(message) for message in request.messages]
    if model.max_output_tokens is not None:
        body["max_completion_tokens"] = model.max_output_tokens
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
            }
            for tool in request.tools
        ]
        if request.tools_off:
            body["tool_choice"] = "none"
    return body


def _openai_message(message: Message) -> Json:
    match message:
        case User():
            return {"role": "user", "content": message.text}
        case Assistant():
            value: Json = {"role": "assistant", "content": message.text or None}
            if message.tools:
                value["tool_calls"] = [
                    {"id": use.id, "type": "function", "function": {"name": use.name, "arguments": use.arguments}}
                    for use in message.tools
                ]
            return value
        case ToolResult():
            return {"role": "tool", "tool_call_id": message.id, "content": message.text}
        case _:
            assert_never(message)


def sent_cap(model: Model) -> int | None:
    """Return the output cap that a request to ``model`` carries; tokens, None = none is sent."""
    if model.wire == "anthropic":  # this wire demands one
        return effective_cap(model.max_output_tokens, None)
    return model.max_output_tokens


def _anthropic(request: Request, model: Model) -> Json:
    body: Json = {"model": model.name, "stream": request.stream, "max_tokens": sent_cap(model)}
    if request.instructions:
        body["system"] = request.instructions
    turns: list[Json] = []
    for message in request.messages:
        role = "assistant" if isinstance(message, Assistant) else "user"
        blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:  # this wire wants the roles to alternate
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    body["messages"] = turns
    if request.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}
            for tool in request.tools
        ]
        if request.tools_off:
            body["tool_choice"] = {"type": "none"}
    if (thinking := _thinking(request)) is not None:
        body["thinking"] = thinking
    return body


def _thinking(request: Request) -> Json | None:
    """Return the thinking part.

    A budget is left out once a tool call has to be replayed: the wire then demands the signed thinking blocks in
    front of it, which the loop does not keep.
    """
    thinking = request.thinking
    if thinking is None or thinking.sent is Dialect.NONE:
        return None
    if thinking.sent is Dialect.ADAPTIVE:
        return {"type": thinking.type}
    if any(isinstance(message, Assistant) and message.tools for message in request.messages):
        return None
    return {"type": thinking.type, "budget_tokens": thinking.budget}


def _blocks(message: Message) -> list[Json]:
    match message:
        case User():
            return [{"type": "text", "text": message.text}]
        case Assistant():
            text: list[Json] = [{"type": "text", "text": message.text}] if message.text.strip() else []
            return text + [
                {"type": "tool_use", "id": use.id, "name": use.name, "input": json.loads(use.arguments)}
                for use in message.tools
            ]
        case ToolResult():
            return [
                {
                    "type": "tool_result",
                    "tool_use_id": message.id,
                    "content": message.text,
                    "is_error": message.is_error,
                }
            ]
        case _:
            assert_never(message)
