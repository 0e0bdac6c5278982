"""Short hand for round events in tests: each function gives the fields of one or more events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from roundwatch.core.rounds import Ledger, Outcome, Round, classify, parse_event

Fields = Mapping[str, Any]
Lines = list[Fields]


def event(type_: str, **fields: Any) -> Lines:
    """One event; a name ending in "_" stands for a Python keyword."""
    return [{"type": type_, **{name.rstrip("_"): value for name, value in fields.items()}}]


def start(**fields: Any) -> Lines:
    return event("round.started", **fields)


def call(name: str, finish: str | None = "stop", text: str = "", outcome: str = "completed", **finished: Any) -> Lines:
    """A whole call: start, text, end. ``sent`` holds fields of its start."""
    sent = finished.pop("sent", {})
    lines = event("call.started", call=name, **sent)
    if text:
        lines += event("call.output", call=name, kind="text", text=text)
    return lines + event("call.finished", call=name, outcome=outcome, finish_reason=finish, **finished)


def asks(call_: str, tool: str = "t1", name: str = "read_file", **fields: Any) -> Lines:
    return event("tool.requested", call=call_, tool_call=tool, name=name, **{"arguments": "{}", **fields})


def result(tool: str = "t1", ok: bool = True, **fields: Any) -> Lines:
    return event("tool.finished", tool_call=tool, ok=ok, **fields)


def refuses(tool: str = "t1", why: str = "output_cap", **fields: Any) -> Lines:
    return event("tool.refused", tool_call=tool, why=why, message="Discarded: cut at max_tokens.", **fields)


def end(**claimed: Any) -> Lines:
    return event("round.finished", claimed=claimed or None)


def fold(*parts: Iterable[Fields], ledger: Ledger | None = None, round_: str = "r") -> Ledger:
    """Fold the events in order; those that name no round belong to ``round_``."""
    ledger = ledger or Ledger()
    for part in parts:
        for fields in part:
            own = {} if "thread" in fields and fields["type"].startswith("thread.") else {"round": round_}
            ledger.apply(parse_event({**own, **fields}))
    return ledger


def folded(*parts: Iterable[Fields]) -> Round:
    """The one round that the events make."""
    return fold(*parts).rounds["r"]


def judge(*parts: Iterable[Fields]) -> Outcome:
    """How the one round that the events make ended."""
    return classify(folded(*parts))
