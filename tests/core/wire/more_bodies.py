"""One body with everything in it for each format beside Chat Completions and Messages."""

from __future__ import annotations

import json

from tests.core.wire import frames
from tests.core.wire.bodies import (  # fmt: skip
    BODIES,
    STOP,
    Json,
    block_delta,
    block_start,
    block_stop,
    message_delta,
    message_start,
    named,
    sse,
)


def lines(*objects: Json) -> bytes:
    """Return one object a line."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in objects)


def candidate(*parts: Json, finish: str | int | None = None, index: int = 0, **more: object) -> Json:
    """Return a Gemini candidate."""
    found: Json = {"index": index, "content": {"role": "model", "parts": list(parts)}, **more}
    return found | ({} if finish is None else {"finishReason": finish})


def gemini(*candidates: Json, **more: object) -> Json:
    """Return a Gemini chunk."""
    return {"candidates": list(candidates), **more}


GEMINI_CHUNKS: tuple[Json, ...] = (
    gemini(candidate({"text": "Hm, größer?", "thought": True}), usageMetadata={"promptTokenCount": 9}),
    gemini(candidate({"text": "Straße 🚲"})),
    gemini(candidate({"functionCall": {"id": "f1", "name": "ls", "args": {"dir": "ä"}}})),
    gemini(candidate({"functionCall": {"name": "cat", "willContinue": True}})),
    gemini(candidate({"functionCall": {"partialArgs": [{"jsonPath": "$.f", "stringValue": "b"}]}})),
    gemini(
        candidate(finish="STOP"),
        usageMetadata={"promptTokenCount": 9, "candidatesTokenCount": 5, "thoughtsTokenCount": 3},
    ),
)
GEMINI_ARRAY = b"[" + b"\n,\r\n".join(json.dumps(one, indent=2).encode() for one in GEMINI_CHUNKS) + b"\n]\n"

OLLAMA_BODY = lines(
    {"model": "m", "message": {"role": "assistant", "content": "", "thinking": "Hm, größer?"}, "done": False},
    {"model": "m", "message": {"role": "assistant", "content": "Straße 🚲"}, "done": False},
    {"message": {"content": "", "tool_calls": [{"function": {"name": "ls", "arguments": {"dir": "ä"}}}]}},
    {"message": {"content": ""}, "done": True, "done_reason": "stop", "prompt_eval_count": 9, "eval_count": 5},
)


def cohere(kind: str, index: int | None = None, **message: object) -> Json:
    """Return a Cohere event about a piece of the message."""
    place = {} if index is None else {"index": index}
    return {"type": kind, **place, "delta": {"message": message}}


def over(finish: str | None, **more: object) -> Json:
    """Return Cohere's end of the message."""
    return {"type": "message-end", "delta": {"finish_reason": finish, **more}}


COHERE_BODY = named(
    cohere("message-start", role="assistant", content=[]),
    cohere("tool-plan-delta", tool_plan="Hm, größer?"),
    cohere("content-start", 0, content={"type": "text", "text": ""}),
    cohere("content-delta", 0, content={"text": "Straße 🚲"}),
    {"type": "content-end", "index": 0},
    cohere("tool-call-start", 0, tool_calls={"id": "t1", "function": {"name": "ls", "arguments": ""}}),
    cohere("tool-call-delta", 0, tool_calls={"function": {"arguments": '{"dir":"ä"}'}}),
    {"type": "tool-call-end", "index": 0},
    over("TOOL_CALL", usage={"billed_units": {"output_tokens": 1}, "tokens": {"input_tokens": 9, "output_tokens": 5}}),
)


def item(name: str, index: int, /, **fields: object) -> Json:
    """Return a Responses event about an output item as a whole."""
    return {"type": f"response.output_item.{name}", "output_index": index, "item": fields}


def said(name: str, index: int, delta: str, /, **more: object) -> Json:
    """Return a Responses event with a piece of an output item."""
    place = {"item_id": f"i{index}", "output_index": index}
    return {"type": f"response.{name}.delta", **place, "content_index": 0, "delta": delta, **more}


def response(status: str | None, *output: Json, name: str | None = None, **fields: object) -> Json:
    """Return a Responses event around the response, by default the one that ends it."""
    body: Json = {"object": "response", "status": status, "output": list(output), "error": None, **fields}
    return {"type": f"response.{name or status}", "response": body}


CALL: Json = {"type": "function_call", "call_id": "call_1", "name": "ls", "status": "completed"}
MESSAGE: Json = {"type": "message", "content": [{"type": "output_text", "text": "Straße 🚲"}], "status": "completed"}
RESPONSES_BODY = named(
    response("in_progress", name="created"),
    item("added", 0, type="reasoning", summary=[]),
    said("reasoning_summary_text", 0, "Hm, größer?"),
    item("done", 0, type="reasoning", summary=[{"type": "summary_text", "text": "Hm, größer?"}]),
    item("added", 1, type="message", content=[]),
    said("output_text", 1, "Straße "),
    said("output_text", 1, "🚲"),
    {"type": "response.output_text.done", "output_index": 1, "content_index": 0, "text": "Straße 🚲"},
    item("done", 1, **MESSAGE),
    item("added", 2, **CALL | {"arguments": "", "status": "in_progress"}),
    said("function_call_arguments", 2, '{"dir":'),
    said("function_call_arguments", 2, '"ä"}'),
    {"type": "response.function_call_arguments.done", "output_index": 2, "arguments": '{"dir":"ä"}'},
    item("done", 2, **CALL, arguments='{"dir":"ä"}'),
    response("completed", MESSAGE, CALL | {"arguments": '{"dir":"ä"}'}, usage={"input_tokens": 9, "output_tokens": 5}),
)


def block(kind: str, index: int, **fields: object) -> bytes:
    """Return a Converse frame about one content block."""
    return frames.event(f"contentBlock{kind}", {"contentBlockIndex": index, **fields})


CONVERSE_BODY = b"".join(
    (
        frames.event("messageStart", {"role": "assistant", "p": "ab"}),
        block("Delta", 0, delta={"reasoningContent": {"text": "Hm, größer?"}}),
        block("Stop", 0),
        block("Delta", 1, delta={"text": "Straße 🚲"}),
        block("Stop", 1),
        block("Start", 2, start={"toolUse": {"toolUseId": "t1", "name": "ls"}}),
        block("Delta", 2, delta={"toolUse": {"input": '{"dir":"ä"}'}}),
        block("Stop", 2),
        frames.event("messageStop", {"stopReason": "tool_use"}),
        frames.event("metadata", {"usage": {"inputTokens": 9, "outputTokens": 5, "totalTokens": 14}}),
    )
)
INVOKE_EVENTS: tuple[Json, ...] = (
    message_start(input_tokens=9, output_tokens=1),
    block_start(0, type="thinking", thinking=""),
    block_delta(0, "thinking_delta", thinking="Hm, größer?"),
    block_stop(0),
    block_start(1, type="text", text=""),
    block_delta(1, "text_delta", text="Straße 🚲"),
    block_stop(1),
    block_start(2, type="tool_use", id="t1", name="ls", input={}),
    block_delta(2, "input_json_delta", partial_json='{"dir":"ä"}'),
    block_stop(2),
    message_delta("tool_use", usage={"output_tokens": 5}),
    STOP | {"amazon-bedrock-invocationMetrics": {"inputTokenCount": 9, "outputTokenCount": 5}},
)
INVOKE_BODY = b"".join(frames.chunk(one) for one in INVOKE_EVENTS)

ALL: dict[str, tuple[str, bytes]] = {
    **{wire: (wire, body) for wire, body in BODIES.items()},
    "gemini": ("gemini", sse(*GEMINI_CHUNKS)),
    "gemini array": ("gemini", GEMINI_ARRAY),
    "ollama": ("ollama", OLLAMA_BODY),
    "cohere": ("cohere", COHERE_BODY),
    "openai-responses": ("openai-responses", RESPONSES_BODY),
    "bedrock-converse": ("bedrock-converse", CONVERSE_BODY),
    "bedrock-invoke": ("bedrock-invoke", INVOKE_BODY),
}
"""Format and body by a name of their own."""
CUT_IN_TEXT = sorted(set(ALL) - {"bedrock-invoke"})
"""Those whose text stands readable in the body."""
