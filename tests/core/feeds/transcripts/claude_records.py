"""Records as Claude Code writes them, and what becomes of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from roundwatch.core.feeds.transcripts.claude_code import ClaudeCode
from roundwatch.core.feeds.transcripts.seen import Seen
from roundwatch.core.rounds import Event, Ledger, Round

Record = dict[str, Any]


class Script:
    """Writes one session, a second a record; each record has its own uuid."""

    def __init__(self, session: str = "s1", **common: Any) -> None:
        self.session = session
        self.common = common
        self.records: list[Record] = []

    def add(self, kind: str, **fields: Any) -> Record:
        number = len(self.records)
        record = {
            "uuid": f"{self.session}-u{number}",
            "sessionId": self.session,
            "timestamp": f"2026-10-01T10:{number // 60:02}:{number % 60:02}.000Z",
            **self.common,
            "type": kind,
            **fields,
        }
        self.records.append(record)
        return record

    def user(self, content: Any, **fields: Any) -> Record:
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def answer(
        self, id_: str, *blocks: Mapping[str, Any], stop: str | None = None, output: int | None = 5, **fields: Any
    ) -> Record:
        message: Record = {"id": id_, "model": "claude-z", "role": "assistant", "content": list(blocks)}
        message["stop_reason"] = stop
        if output is not None:
            message["usage"] = {
                "input_tokens": 3,
                "output_tokens": output,
                "cache_read_input_tokens": 20,
                "cache_creation_input_tokens": 7,
            }
        message |= fields.pop("message", {})
        return self.add("assistant", message=message, **{"requestId": f"req-{id_}", **fields})

    def result(self, tool: str, content: Any = "fine", *, is_error: bool | None = None, **fields: Any) -> Record:
        block: Record = {"type": "tool_result", "tool_use_id": tool, "content": content}
        if is_error is not None:
            block["is_error"] = is_error
        return self.user([block], **fields)

    def system(self, subtype: str, **fields: Any) -> Record:
        return self.add("system", subtype=subtype, **fields)

    @property
    def data(self) -> bytes:
        return lines(self.records)


def lines(records: list[Record]) -> bytes:
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


def text(words: str) -> Record:
    return {"type": "text", "text": words}


def tool(id_: str, name: str = "Bash", **arguments: Any) -> Record:
    return {"type": "tool_use", "id": id_, "name": name, "input": arguments}


def told(data: bytes, name: str = "s1.jsonl", seen: Seen | None = None, *, whole: bool = True) -> list[Event]:
    """The events of a file."""
    transcript = ClaudeCode(name, seen)
    events = transcript.feed(data)
    assert not transcript.unreadable.count
    return events + (transcript.close() if whole else [])


def rounds(data: bytes, *, whole: bool = True) -> dict[str, Round]:
    """The rounds that a file tells of, so far or once it is whole."""
    ledger = Ledger()
    ledger.apply_all(told(data, whole=whole))
    return ledger.rounds


def only(data: bytes, *, whole: bool = True) -> Round:
    """The one round of a file."""
    (found,) = rounds(data, whole=whole).values()
    return found
