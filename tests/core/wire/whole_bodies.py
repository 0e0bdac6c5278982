"""One unstreamed body for each format, once as it is sent and once with what ends it in front of what it ends."""

from __future__ import annotations

import json

from tests.core.wire.bodies import Json

FUNCTION: Json = {"name": "ls", "arguments": '{"dir":"ä"}'}
SPOKEN: Json = {
    "role": "assistant",
    "reasoning_content": "Hm, größer?",
    "content": "Straße 🚲",
    "tool_calls": [{"id": "call_1", "type": "function", "function": FUNCTION}],
}
BLOCKS: list[Json] = [
    {"type": "thinking", "thinking": "Hm, größer?", "signature": "c2ln"},
    {"type": "text", "text": "Straße 🚲"},
    {"type": "tool_use", "id": "toolu_1", "name": "ls", "input": {"dir": "ä"}},
]
ITEMS: list[Json] = [
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm, größer?"}]},
    {"type": "message", "status": "completed", "content": [{"type": "output_text", "text": "Straße 🚲"}]},
    {"type": "function_call", "call_id": "call_1", "status": "completed", **FUNCTION},
]
PARTS: list[Json] = [
    {"text": "Hm, größer?", "thought": True},
    {"text": "Straße 🚲"},
    {"functionCall": {"name": "ls", "args": {"dir": "ä"}}},
]
CONVERSED: list[Json] = [
    {"reasoningContent": {"reasoningText": {"text": "Hm, größer?"}}},
    {"text": "Straße 🚲"},
    {"toolUse": {"toolUseId": "t1", "name": "ls", "input": {"dir": "ä"}}},
]
OLLAMA_SAID: Json = {
    "thinking": "Hm, größer?",
    "content": "Straße 🚲",
    "tool_calls": [{"function": {"name": "ls", "arguments": {"dir": "ä"}}}],
}
COHERE_SAID: Json = {
    "tool_plan": "Hm, größer?",
    "content": [{"type": "text", "text": "Straße 🚲"}],
    "tool_calls": [{"id": "t1", "function": FUNCTION}],
}
_MESSAGES: Json = {"type": "message", "content": BLOCKS, "stop_reason": "tool_use", "usage": {"output_tokens": 5}}
_BODIES: dict[str, Json] = {
    "openai-chat": {
        "choices": [{"index": 0, "message": SPOKEN, "finish_reason": "tool_calls"}],
        "usage": {"completion_tokens": 5},
    },
    "anthropic": _MESSAGES,
    "bedrock-invoke": _MESSAGES,
    "openai-responses": {
        "output": ITEMS,
        "object": "response",
        "status": "completed",
        "usage": {"output_tokens": 5},
    },
    "gemini": {
        "candidates": [{"content": {"parts": PARTS}, "finishReason": "STOP"}],
        "usageMetadata": {"candidatesTokenCount": 5},
    },
    "ollama": {"message": OLLAMA_SAID, "done_reason": "stop", "done": True, "eval_count": 5},
    "cohere": {"message": COHERE_SAID, "finish_reason": "TOOL_CALL", "usage": {"tokens": {"output_tokens": 5}}},
    "bedrock-converse": {
        "output": {"message": {"content": CONVERSED}},
        "stopReason": "tool_use",
        "usage": {"outputTokens": 5},
    },
}


def _turned(value: Json) -> Json:
    """Return an object with its members in the opposite order, and those of choices and candidates too."""
    return {
        name: [_turned(one) for one in inner] if name in ("choices", "candidates") else inner
        for name, inner in reversed(value.items())
    }


def _pretty(value: Json) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode()


WHOLE: dict[str, tuple[str, bytes]] = {
    **{wire: (wire, json.dumps(body).encode()) for wire, body in _BODIES.items()},
    **{f"{wire}, end in front": (wire, json.dumps(_turned(body)).encode()) for wire, body in _BODIES.items()},
    **{f"{wire}, pretty": (wire, _pretty(body)) for wire, body in _BODIES.items()},
}
"""Format and body by a name of their own."""
REQUEST: Json = {"stream": False}
