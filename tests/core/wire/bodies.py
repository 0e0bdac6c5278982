"""Small provider bodies of our own, and what the translators make of them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from roundwatch.core.rounds import Event
from roundwatch.core.rounds.events import CallFinished, CallOutput, CallUsage, ToolRequested
from roundwatch.core.wire import Translator, translator

Json = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """The events of one body, sorted out."""

    events: list[Event]
    translator: Translator

    @property
    def end(self) -> CallFinished:
        """The last event, which is the end of the call."""
        assert isinstance(self.events[-1], CallFinished)
        return self.events[-1]

    @property
    def tools(self) -> list[ToolRequested]:
        """The tool calls, told again ones last."""
        return [event for event in self.events if isinstance(event, ToolRequested)]

    @property
    def usages(self) -> list[CallUsage]:
        """The running reports."""
        return [event for event in self.events if isinstance(event, CallUsage)]

    def said(self, kind: str = "text", choice: int | None = None) -> str:
        """All output of one kind and choice, joined."""
        outputs = [event for event in self.events if isinstance(event, CallOutput)]
        return "".join(out.text or "" for out in outputs if out.kind == kind and out.choice == choice)

    @property
    def faults(self) -> list[str]:
        """Why something could not be read."""
        return [fault.why for fault in self.translator.unreadable]


def told(
    wire: str,
    body: bytes | Iterable[bytes],
    *,
    http_status: int = 200,
    request: Mapping[str, Any] | None = None,
    broken: str | None = None,
) -> Told:
    """Return what a translator tells of a body, whole or in pieces."""
    made = translator(wire, round="r", call="c", http_status=http_status, request=request)
    events: list[Event] = []
    for piece in [body] if isinstance(body, bytes) else body:
        events += made.feed(piece)
    return Told(events + made.close(broken=broken), made)


def chat(body: bytes | Iterable[bytes], **how: Any) -> Told:
    """Return what the Chat Completions translator tells."""
    return told("openai-chat", body, **how)


def messages(body: bytes | Iterable[bytes], **how: Any) -> Told:
    """Return what the Anthropic translator tells."""
    return told("anthropic", body, **how)


def sse(*data: Json | str) -> bytes:
    """Return events without names."""
    return b"".join(f"data: {one if isinstance(one, str) else json.dumps(one)}\n\n".encode() for one in data)


def named(*data: Json) -> bytes:
    """Return events that carry their type as name, as Anthropic sends them."""
    return b"".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in data)


def chunk(delta: Json | None = None, finish: Any = None, *, index: int = 0, **more: Any) -> Json:
    """Return a chat chunk with one choice; ``more`` stands on the choice."""
    return {"model": "m", "choices": [{"index": index, "delta": delta or {}, "finish_reason": finish, **more}]}


def piece(arguments: str = "", *, index: int | None = 0, id_: str | None = None, name: str | None = None) -> Json:
    """Return a delta with a piece of one tool call."""
    function = {"arguments": arguments} | ({"name": name} if name is not None else {})
    entry: Json = {"function": function}
    if index is not None:
        entry["index"] = index
    if id_ is not None:
        entry["id"] = id_
    return {"tool_calls": [entry]}


def block_start(index: int, **block: Any) -> Json:
    """Return the start of an Anthropic content block."""
    return {"type": "content_block_start", "index": index, "content_block": block}


def block_delta(index: int, kind: str, **fields: Any) -> Json:
    """Return a piece of an Anthropic content block."""
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def block_stop(index: int) -> Json:
    """Return the end of an Anthropic content block."""
    return {"type": "content_block_stop", "index": index}


def message_start(**usage: int) -> Json:
    """Return the start of an Anthropic message."""
    return {"type": "message_start", "message": {"content": [], "stop_reason": None, "usage": usage}}


def message_delta(stop_reason: str | None, *, usage: Json | None = None, **more: Any) -> Json:
    """Return the end words of an Anthropic message."""
    return {"type": "message_delta", "delta": {"stop_reason": stop_reason, **more}, "usage": usage or {}}


STOP: Json = {"type": "message_stop"}

CHAT_BODY = sse(
    chunk({"role": "assistant", "content": ""}),
    chunk({"reasoning_content": "Hm, größer?"}),
    chunk({"content": "Straße "}),
    chunk({"content": "🚲"}, index=1),
    chunk(piece(id_="call_1", name="ls")),
    chunk(piece('{"dir": ')),
    chunk(piece('"ä"}')),
    chunk(piece("{}", index=1, id_="call_2", name="pwd")),
    chunk({}, "tool_calls"),
    {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 5}},
    "[DONE]",
)
MESSAGES_BODY = named(
    message_start(input_tokens=7, output_tokens=1),
    block_start(0, type="thinking", thinking=""),
    block_delta(0, "thinking_delta", thinking="Hm, größer?"),
    block_stop(0),
    {"type": "ping"},
    block_start(1, type="text", text=""),
    block_delta(1, "text_delta", text="Straße 🚲"),
    block_stop(1),
    block_start(2, type="tool_use", id="toolu_1", name="ls", input={}),
    block_delta(2, "input_json_delta", partial_json=""),
    block_delta(2, "input_json_delta", partial_json='{"dir":"ä"}'),
    block_stop(2),
    message_delta("tool_use", usage={"output_tokens": 15}),
    STOP,
)
BODIES = {"openai-chat": CHAT_BODY, "anthropic": MESSAGES_BODY}


def splits(body: bytes) -> st.SearchStrategy[list[bytes]]:
    """Return ways to cut a body into pieces, empty ones too."""

    def pieces(cuts: list[int]) -> list[bytes]:
        edges = [0, *sorted(cuts), len(body)]
        return [body[start:end] for start, end in itertools.pairwise(edges)]

    return st.lists(st.integers(0, len(body)), max_size=12).map(pieces)
