"""Records as Codex writes them, and what becomes of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from roundwatch.core.feeds.transcripts.codex import Codex
from roundwatch.core.feeds.transcripts.seen import Seen
from roundwatch.core.rounds import Event, Ledger, Round

Record = dict[str, Any]
BEGIN = datetime(2026, 10, 1, 9, tzinfo=UTC)


class Rollout:
    """Writes one session; the clock moves on with every record."""

    def __init__(self, session: str = "th-1", step_ms: int = 1000, **meta: Any) -> None:
        self.records: list[Record] = []
        self.now = BEGIN
        self.step = timedelta(milliseconds=step_ms)
        self.total: dict[str, int] = {}
        if session:
            self.meta(session, **meta)

    @property
    def stamp(self) -> str:
        return self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def add(self, kind: str, says: str | None, **payload: Any) -> None:
        told = payload if says is None else {"type": says, **payload}
        self.records.append({"timestamp": self.stamp, "type": kind, "payload": told})
        self.now += self.step

    def meta(self, session: str, **fields: Any) -> None:
        self.add("session_meta", None, id=session, timestamp=self.stamp, cwd="/w", model_provider="openai", **fields)

    def event(self, says: str, **payload: Any) -> None:
        self.add("event_msg", says, **payload)

    def item(self, says: str, **payload: Any) -> None:
        self.add("response_item", says, **payload)

    def began(self, turn: str = "t1", prompt: str | None = None) -> None:
        self.event("task_started", turn_id=turn)
        if prompt is not None:
            self.event("user_message", message=prompt)

    def says(self, words: str) -> None:
        content = [{"type": "output_text", "text": words}]
        self.item("message", role="assistant", content=content)

    def asks(self, id_: str, name: str = "exec_command", **arguments: Any) -> None:
        self.item("function_call", name=name, arguments=json.dumps(arguments), call_id=id_)

    def answers(self, id_: str, output: Any = "Process exited with code 0\nOutput:\nfine") -> None:
        self.item("function_call_output", call_id=id_, output=output)

    def counts(self, taken: int, made: int, cached: int = 0, reasoning: int = 0) -> None:
        last = {
            "input_tokens": taken,
            "cached_input_tokens": cached,
            "output_tokens": made,
            "reasoning_output_tokens": reasoning,
            "total_tokens": taken + made,
        }
        self.total = {name: self.total.get(name, 0) + count for name, count in last.items()}
        self.repeats(last)

    def repeats(self, last: Record | None = None) -> None:
        info = {"total_token_usage": dict(self.total), "last_token_usage": last or {}, "model_context_window": 272000}
        self.event("token_count", info=info, rate_limits=None)

    @property
    def data(self) -> bytes:
        return lines(self.records)


def lines(records: list[Record]) -> bytes:
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


def told(data: bytes, name: str = "", seen: Seen | None = None, *, whole: bool = True) -> list[Event]:
    """The events of a file."""
    transcript = Codex(name, seen)
    events = transcript.feed(data)
    assert not transcript.unreadable.count
    return events + (transcript.close() if whole else [])


def rounds(data: bytes, *, whole: bool = True, name: str = "") -> dict[str, Round]:
    """The rounds that a file tells of, so far or once it is whole."""
    ledger = Ledger()
    ledger.apply_all(told(data, name, whole=whole))
    return ledger.rounds


def only(data: bytes, *, whole: bool = True) -> Round:
    """The one round of a file."""
    (found,) = rounds(data, whole=whole).values()
    return found
