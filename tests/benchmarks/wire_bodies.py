"""Streamed bodies of every wire as providers write them, and the JSON texts in them."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable
from typing import Any

PIECES = 600
PIECE = " a few words of"

Values = list[dict[str, Any]]


def _chat() -> Values:
    head = {
        "id": "chatcmpl-CsXq3v8vRkD0yU2Nn5tWbE1mAzQ", "object": "chat.completion.chunk", "created": 1764500000,
        "model": "gpt-5-2026-08-07", "service_tier": "default", "system_fingerprint": "fp_1a2b3c4d5e",
    }  # fmt: skip
    said = {"index": 0, "delta": {"content": PIECE}, "logprobs": None, "finish_reason": None}
    end: dict[str, Any] = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": "stop"}
    return [{**head, "choices": [choice], "obfuscation": "aB3dE6gH"} for choice in (*[said] * PIECES, end)]


def _responses() -> Values:
    delta: dict[str, Any] = {
        "type": "response.output_text.delta", "item_id": "msg_68a1b2c3d4e5f60718293a4b5c6d7e8f", "output_index": 0,
        "content_index": 0, "delta": PIECE, "logprobs": [], "obfuscation": "aB3dE6gH",
    }  # fmt: skip
    item = {"type": "message", "content": [{"type": "output_text", "text": PIECE * PIECES}]}
    end = {"type": "response.completed", "response": {"status": "completed", "output": [item]}}
    return [*({**delta, "sequence_number": n} for n in range(PIECES)), end]


def _anthropic() -> Values:
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": PIECE}}
    usage = {"input_tokens": 25, "output_tokens": 900}
    return [
        {"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "content": [], "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *[delta] * PIECES,
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]


def _gemini() -> Values:
    usage = {
        "promptTokenCount": 12, "candidatesTokenCount": 40, "totalTokenCount": 52,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 12}],
    }  # fmt: skip
    candidate = {"content": {"parts": [{"text": PIECE * 4}], "role": "model"}, "index": 0}
    said: dict[str, Any] = {
        "candidates": [candidate],
        "usageMetadata": usage, "modelVersion": "gemini-3-flash", "responseId": "x1Yz2Ab3Cd4Ef5Gh6",
    }  # fmt: skip
    rising = [{**said, "usageMetadata": {**usage, "candidatesTokenCount": 4 * n}} for n in range(PIECES)]
    end = {**said, "candidates": [{**candidate, "finishReason": "STOP"}]}
    return [*rising, end]


def _ollama() -> Values:
    head = {"model": "qwen3:8b", "created_at": "2026-11-30T22:15:30.123456789Z"}
    said = {**head, "message": {"role": "assistant", "content": PIECE}, "done": False}
    end = {**said, "done": True, "done_reason": "stop", "total_duration": 4_883_583_458, "eval_count": 298}
    return [*[said] * PIECES, end]


def _cohere() -> Values:
    said = {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": PIECE}}}}
    usage = {"billed_units": {"input_tokens": 5, "output_tokens": 418}, "tokens": {"output_tokens": 418}}
    return [*[said] * PIECES, {"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": usage}}]


def _sse(values: Values) -> bytes:
    return b"".join(b"data: " + _json(value) + b"\n\n" for value in values) + b"data: [DONE]\n\n"


def _named(values: Values) -> bytes:
    lines = (b"event: %b\ndata: %b\n\n" % (value["type"].encode(), _json(value)) for value in values)
    return b"".join(lines)


def _lines(values: Values) -> bytes:
    return b"".join(_json(value) + b"\n" for value in values)


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _frame(kind: str, payload: bytes) -> bytes:
    headers = b"".join(
        bytes((len(name),)) + name.encode() + b"\x07" + struct.pack(">H", len(text)) + text.encode()
        for name, text in ((":event-type", kind), (":content-type", "application/json"), (":message-type", "event"))
    )
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    message = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + payload
    return message + struct.pack(">I", zlib.crc32(message))


def _converse() -> tuple[bytes, list[bytes]]:
    said = _json({"contentBlockIndex": 0, "delta": {"text": PIECE}, "p": "abcdefghijklmnopqrstuvw"})
    stop = _json({"stopReason": "end_turn", "p": "abcdefgh"})
    frames = [_frame("contentBlockDelta", said)] * PIECES + [_frame("messageStop", stop)]
    return b"".join(frames), [said] * PIECES + [stop]


def _invoke() -> tuple[bytes, list[bytes]]:
    """An event of the model stands in base64 in a JSON object of its own: both have to be read."""
    inner = [_json(value) for value in _anthropic()]
    outer = [_json({"bytes": base64.b64encode(text).decode(), "p": "abcdefghij"}) for text in inner]
    return b"".join(_frame("chunk", text) for text in outer), [*inner, *outer]


def _text(make: Callable[[], Values], frame: Callable[[Values], bytes]) -> tuple[bytes, list[bytes]]:
    values = make()
    return frame(values), [_json(value) for value in values]


def bodies() -> dict[str, tuple[bytes, list[bytes]]]:
    """Return by wire a body and the JSON texts in it."""
    return {
        "openai-chat": _text(_chat, _sse),
        "openai-responses": _text(_responses, _named),
        "anthropic": _text(_anthropic, _named),
        "gemini": _text(_gemini, _sse),
        "ollama": _text(_ollama, _lines),
        "cohere": _text(_cohere, _named),
        "bedrock-converse": _converse(),
        "bedrock-invoke": _invoke(),
    }
