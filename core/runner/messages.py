"""What the loop says to a model, and the two request bodies that carry it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from .agents import Model
from .tools import Tool

NO_ARGUMENTS = "{}"
"""What a call is replayed with whose arguments were refused or did not parse: never half JSON."""
DEFAULT_CAP = 4096  # tokens; the Anthropic wire demands a cap
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


@dataclass(frozen=True)
class ToolResult:
    """The answer to one tool call."""

    id: str
    text: str
    is_error: bool = False


Message = User | Assistant | ToolResult


def request_body(model: Model, instructions: str, messages: Sequence[Message], tools: Sequence[Tool]) -> Json:
    """Return the body of one streamed request on the model's wire."""
    if model.wire == "anthropic":
        return _anthropic(model, instructions, messages, tools)
    return _openai_chat(model, instructions, messages, tools)


def _openai_chat(model: Model, instructions: str, messages: Sequence[Message], tools: Sequence[Tool]) -> Json:
    body: Json = {"model": model.name, "stream": True, "stream_options": {"include_usage": True}}
    system: list[Json] = [{"role": "system", "content": instructions}] if instructions else []
    body["messages"] = system + [_openai_message(message) for message in messages]
    if model.max_output_tokens is not None:
        body["max_completion_tokens"] = model.max_output_tokens
    if tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
            }
            for tool in tools
        ]
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
    if model.wire == "anthropic" and model.max_output_tokens is None:
        return DEFAULT_CAP
    return model.max_output_tokens


def _anthropic(model: Model, instructions: str, messages: Sequence[Message], tools: Sequence[Tool]) -> Json:
    body: Json = {"model": model.name, "stream": True, "max_tokens": sent_cap(model)}
    if instructions:
        body["system"] = instructions
    turns: list[Json] = []
    for message in messages:
        role = "assistant" if isinstance(message, Assistant) else "user"
        blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:  # this wire wants the roles to alternate
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    body["messages"] = turns
    if tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}
            for tool in tools
        ]
    return body


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
