"""What copying and saving take of an entry: exactly what was received, not what the screen makes of it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..core.rounds import Call, Event, ToolCall, Unrecognised
from .raw_log import RawOf
from .round_json import call_json


@dataclass(frozen=True, slots=True)
class ExactText:
    """A text and what it is."""

    what: str
    """Key of its name, with ``name`` as its one placeholder."""
    name: str
    text: str
    ending: str = "txt"
    withheld: int = 0
    """Characters that were counted but never sent to us: they are not in it."""


def entry_text(entry: Call | ToolCall | Event | RawOf) -> ExactText:
    """Return a call's text, a tool call's arguments, an event, or raw event lines."""
    match entry:
        case RawOf():
            raw = entry.read()
            return ExactText("tui.what.raw", entry.name, raw.text if raw is not None else "", "jsonl")
        case Call():
            return ExactText("tui.what.text", entry.id, entry.text, withheld=entry.output.withheld)
        case ToolCall():
            return ExactText("tui.what.arguments", entry.name or entry.id, entry.arguments or "", "json")
        case Unrecognised():
            return ExactText("tui.what.event", entry.type, entry.raw, "json")
        case _:
            return ExactText("tui.what.event", entry.type, entry.model_dump_json(indent=2, exclude_none=True), "json")


def finish_reason_text(call: Call) -> ExactText | None:
    """Return a call's finish reason as it came; None when none was reported."""
    if call.finish_reason is None:
        return None
    return ExactText("tui.what.reason", call.id, call.finish_reason)


def call_text(call: Call) -> ExactText:
    """Return a call as JSON."""
    return ExactText("tui.what.call", call.id, json.dumps(call_json(call), indent=2, ensure_ascii=False), "json")
