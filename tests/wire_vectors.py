"""Judgement vectors about provider bytes: the named events are written out as a body and read by ``core.wire``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from roundwatch.core.rounds.events import CallFinished, ToolRequested
from roundwatch.core.rounds.reasons import CUT, stop_reason
from roundwatch.core.wire import translator

Json = Mapping[str, Any]

DELTA = {"type": "input_json_delta", "partial_json": '"'}


def _body(names: list[str]) -> Iterator[Json]:
    for name in names:
        kind, _, rest = name.partition("(")
        kind, _, times = kind.partition(" x")
        for _ in range(int(times or 1)):
            yield {"type": kind, **_fields(kind, rest)}


def _fields(kind: str, rest: str) -> Json:
    match kind:
        case "message_start":
            return {"message": {"id": "m", "role": "assistant", "content": [], "usage": {"input_tokens": 1}}}
        case "content_block_start":
            return {"index": 0, "content_block": {"type": "tool_use", "id": "t", "name": "Write", "input": {}}}
        case "content_block_delta":
            return {"index": 0, "delta": DELTA}
        case "message_delta":
            told = dict(re.findall(r"(\w+)=(\w+)", rest))
            usage = {"output_tokens": int(told["output_tokens"])}
            return {"delta": {"stop_reason": told["stop_reason"]}, "usage": usage}
        case _:
            return {}


def _probe_stream(given: Json) -> Json:
    sent = list(_body(given["events"]))
    request = {"max_tokens": given["max_tokens"]}
    reading = translator("anthropic", round="r", call="c", request=request, http_status=given["http"])
    lines = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in sent)
    events = [*reading.feed(lines.encode()), *reading.close()]
    asked = [event for event in events if isinstance(event, ToolRequested)]
    ready = [event for event in asked if event.complete]
    end = next(event for event in events if isinstance(event, CallFinished))
    return {
        "event_count": len(sent),
        "content_block_stop_seen": any(event["type"] == "content_block_stop" for event in sent),
        "ready_events": len(ready),
        "eager_start_possible": bool(ready),
        "truncated": stop_reason(end.finish_reason) in CUT,
        "tool_calls": len(asked),
    }


WIRE_ANSWERS: Mapping[str, Callable[[Json], Any]] = {"probe_stream": _probe_stream}
