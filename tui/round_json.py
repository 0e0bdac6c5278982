"""A round as JSON: what was received, verbatim, beside what was made of it; what is not known is null."""

from __future__ import annotations

import json
from datetime import datetime

from ..core.prices import Pricing
from ..core.rounds import Call, Event, Outcome, Round, ToolCall, Unrecognised, Usage
from ..core.rounds.base import USAGE_FIELDS

Json = dict[str, object]


def round_json(round_: Round, outcome: Outcome, pricing: Pricing | None = None) -> str:
    """Return everything that is known of a round, as one JSON object; with prices also what it cost."""
    tree: Json = {
        "round": round_.id,
        "agent": round_.agent,
        "thread": round_.thread,
        "title": round_.title,
        "model": round_.model,
        "parent": round_.parent.model_dump() if round_.parent is not None else None,
        "started_at": _moment(round_.started_at),
        "ended_at": _moment(round_.ended_at),
        "total_ms": round_.total_ms,
        "outcome": outcome.as_json(),
        "sub_rounds": list(round_.children),
        "entries": [_entry(entry, pricing) for entry in round_.entries],
        "output": round_.output.text or None,
    }
    if pricing is not None:
        tree["cost"] = pricing.round(round_).as_json()
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def _entry(entry: Call | ToolCall | Event, pricing: Pricing | None) -> Json:
    match entry:
        case Call():
            cost = {} if pricing is None else {"cost": pricing.call(entry).as_json()}
            return {"entry": "call", **call_json(entry), **cost}
        case ToolCall():
            return {"entry": "tool_call", **tool_json(entry)}
        case Unrecognised():
            return {"entry": "event", "raw": entry.raw}
        case _:
            return {"entry": "event", **entry.model_dump(mode="json", exclude_none=True)}


def call_json(call: Call) -> Json:
    """Return a call as JSON-ready values, its texts as received."""
    return {
        "call": call.id,
        "model": call.model,
        "provider": call.provider,
        "wire": call.wire,
        "started_at": _moment(call.started_at),
        "finished_at": _moment(call.finished_at),
        "outcome": str(call.outcome) if call.outcome is not None else None,
        "finish_reason": call.finish_reason,
        "finish_detail": call.finish_detail,
        "native_finish_reason": call.native_finish_reason,
        "finish_repeated": list(call.finish_repeated),
        "stop_reason": str(call.stop_reason) if call.stop_reason is not None else None,
        "error": call.error.model_dump(exclude_none=True) if call.error is not None else None,
        "first_output_ms": call.first_output_ms,
        "total_ms": call.total_ms,
        "derived": sorted(call.derived),
        "max_output_tokens": call.max_output_tokens,
        "usage_as_reported": _usage(call.usage_as_reported),
        "usage": _usage(call.usage),
        "usage_implausible": call.usage_implausible,
        "text": call.text,
        "text_chars": call.text_chars,
        "reasoning": call.reasoning.text,
        "reasoning_chars": call.reasoning_chars,
        "refusal": call.refusal.text or None,
        "tool_calls": [tool_json(tool) for tool in call.tool_calls],
    }


def tool_json(tool: ToolCall) -> Json:
    """Return a tool call as JSON-ready values, its arguments as received."""
    return {
        "id": tool.id,
        "id_given": tool.id_given,
        "call": tool.call,
        "name": tool.name,
        "arguments": tool.arguments,
        "state": str(tool.state),
        "server": tool.server,
        "early": tool.early,
        "why": str(tool.why) if tool.why is not None else None,
        "message": tool.message,
        "result_preview": tool.preview,
        "error": tool.error,
        "duration_ms": tool.duration_ms,
    }


def _usage(usage: Usage) -> Json:
    return {name: getattr(usage, name) for name in USAGE_FIELDS}


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None
