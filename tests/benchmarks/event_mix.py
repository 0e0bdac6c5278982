"""The events that the benchmarks read: whole rounds of an agent, as a hub sends them on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

CALLS = 3
REASONING, TEXT, ARGUMENTS = 6, 14, 3
"""Pieces a call: a response of two seconds, coalesced to ten pieces a second, as a publisher does."""
STEP = timedelta(milliseconds=103)

Fields = dict[str, Any]


def lines(rounds: int) -> list[bytes]:
    """Return the events of that many rounds, one after the other, each with ``seq``, ``at`` and ``id``.

    A round asks for two tools and answers; three of four events are pieces of output.
    """
    begin = datetime(2026, 3, 1, 12, tzinfo=UTC)
    bodies = ((f"round-{number:06d}", fields) for number in range(rounds) for fields in _round(number))
    return [
        json.dumps(
            {
                "seq": seq,
                "v": 1,
                "type": fields["type"],
                "round": name,
                "at": (begin + seq * STEP).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "id": f"runner.8f3a61:{seq}",
                **fields,
            },
            separators=(",", ":"),
        ).encode()
        for seq, (name, fields) in enumerate(bodies, start=1)
    ]


def arrays(events: list[bytes], size: int = 100) -> list[bytes]:
    """Return the same events as frames of ``size`` of them."""
    return [b"[" + b",".join(events[start : start + size]) + b"]" for start in range(0, len(events), size)]


def _round(number: int) -> Iterator[Fields]:
    yield _event(
        "round.started", thread=f"thread-{number % 50}", agent="worker", title="Find the slow query",
        model="m-large", harness="api", limits={"iterations": 50, "tokens": 200_000},
    )  # fmt: skip
    for call in range(1, CALLS + 1):
        yield from _call(f"c{call}", call)
    yield _event("round.finished", claimed={"status": "completed"})


def _call(name: str, iteration: int) -> Iterator[Fields]:
    is_last = iteration == CALLS
    tokens = {"input_tokens": 1200, "output_tokens": 310, "cache_read_tokens": 900}
    yield _event(
        "call.started", call=name, model="m-large", provider="acme", wire="anthropic", max_output_tokens=8192,
        context_window=200_000, iteration=iteration, attempt=1,
    )  # fmt: skip
    for n in range(REASONING):
        yield _piece(name, "reasoning", text=f"thinking about part {n} of it, which is ")
    for n in range(TEXT):
        yield _piece(name, "text", text=f"piece {n} of an answer with a few words in it, ")
    if not is_last:
        yield from (_piece(name, "tool_arguments", tool_call=f"t{iteration}", chars=11) for _ in range(ARGUMENTS))
        yield _event(
            "tool.requested", call=name, tool_call=f"t{iteration}", name="read_file",
            arguments='{"path":"src/app.py","limit":200}', complete=True, id_given=True,
        )  # fmt: skip
    yield _event("call.usage", call=name, usage=tokens)
    yield _event(
        "call.finished", call=name, outcome="completed", finish_reason="end_turn" if is_last else "tool_use",
        usage=tokens, first_output_ms=412.5, first_answer_ms=900.25, total_ms=2600.0, done_marker=True,
    )  # fmt: skip
    if not is_last:
        yield _event("tool.started", call=name, tool_call=f"t{iteration}")
        yield _event(
            "tool.finished", call=name, tool_call=f"t{iteration}", ok=True, duration_ms=31.5, preview="def main(): ..."
        )
    yield _event("iteration.completed", iteration=iteration, will_continue=not is_last)


def _piece(call: str, kind: str, **fields: Any) -> Fields:
    return _event("call.output", call=call, kind=kind, **fields)


def _event(type_: str, **fields: Any) -> Fields:
    return {"type": type_, **fields}
