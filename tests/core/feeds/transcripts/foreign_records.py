"""Small transcripts of our own in the formats of several agents, and what the ledger makes of them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

from roundwatch.core.feeds.transcripts import Transcript
from roundwatch.core.rounds import Event, Ledger, Outcome, Round, classify

Row = dict[str, Any]


def lines(*rows: Row) -> bytes:
    """Return rows as lines of JSON."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def events_of(parser: Transcript, data: bytes) -> list[Event]:
    """Return all events of a whole transcript."""
    return [*parser.feed(data), *parser.close()]


def rounds_of(events: Iterable[Event]) -> list[Round]:
    """Return the rounds that events tell of."""
    ledger = Ledger()
    for event in events:
        ledger.apply(event)
    return list(ledger.rounds.values())


def outcomes(rounds: Sequence[Round]) -> list[Outcome]:
    """Return how they ended."""
    return [classify(round_) for round_ in rounds]


def pi_answer(text: str, stop: str = "stop", at: int = 2000, **more: Any) -> Row:
    """Return an answer in a session of pi, whose request left one second before it was written."""
    message: Row = {
        "role": "assistant",
        "content": [{"type": "text", "text": text}] if text else [],
        "provider": "anthropic",
        "model": "claude-x",
        "usage": {"input": 3, "output": 5, "cacheRead": 70, "cacheWrite": 11},
        "stopReason": stop,
        "timestamp": T0 + at - 1000,
        **more,
    }
    return {"type": "message", "timestamp": stamp(at), "message": message}


def pi_prompt(text: str, at: int = 0) -> Row:
    """Return a prompt in a session of pi."""
    message = {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": T0 + at}
    return {"type": "message", "timestamp": stamp(at), "message": message}


T0 = 1_767_225_600_000
"""2026-01-01T00:00:00Z in milliseconds."""


def stamp(ms: int) -> str:
    """Return a moment of the first minute of 2026."""
    return f"2026-01-01T00:00:{ms // 1000:02}.{ms % 1000:03}Z"


PI_HEAD: Row = {"type": "session", "version": 3, "id": "pi-1", "timestamp": stamp(0), "cwd": "/somewhere"}

PI = lines(
    PI_HEAD,
    pi_prompt("Größe der Datei?"),
    pi_answer(
        "",
        "toolUse",
        content=[
            {"type": "thinking", "thinking": "look first"},
            {"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": "a"}},
        ],
    ),
    {
        "type": "message",
        "timestamp": stamp(2500),
        "message": {
            "role": "toolResult",
            "toolCallId": "t1",
            "content": [{"type": "text", "text": "7 kB"}],
            "isError": False,
        },
    },
    pi_answer("7 kB – fertig.", at=4000),
    pi_prompt("And now?", 9000),
    pi_answer("", "aborted", 9500, errorMessage="Request was aborted."),
)

GEMINI_ROWS: list[Row] = [
    {"sessionId": "g-1", "projectHash": "p", "startTime": stamp(0), "kind": "main"},
    {"id": "m1", "type": "user", "timestamp": stamp(0), "content": "Was ist los?"},
    {"id": "m2", "type": "gemini", "timestamp": stamp(2000), "model": "gemini-x", "content": "Ich sehe nach …"},
    {
        "id": "m2",
        "type": "gemini",
        "timestamp": stamp(2000),
        "model": "gemini-x",
        "content": "Ich sehe nach …",
        "tokens": {"input": 100, "output": 20, "cached": 40, "thoughts": 7, "tool": 2, "total": 129},
        "toolCalls": [{"id": "t1", "name": "ls", "args": {}, "status": "executing"}],
    },
    {"$set": {"lastUpdated": stamp(3000)}},
    {
        "id": "m2",
        "type": "gemini",
        "timestamp": stamp(2000),
        "model": "gemini-x",
        "content": "Ich sehe nach …",
        "tokens": {"input": 100, "output": 21, "cached": 40, "thoughts": 7, "tool": 2, "total": 130},
        "toolCalls": [{"id": "t1", "name": "ls", "args": {}, "status": "success", "timestamp": stamp(2600)}],
    },
    {"id": "m3", "type": "gemini", "timestamp": stamp(4000), "model": "gemini-x", "content": "Nichts."},
    {"id": "m4", "type": "user", "timestamp": stamp(9000), "content": "Sure?"},
    {"id": "m5", "type": "error", "timestamp": stamp(9900), "content": "[API Error: quota]"},
]
GEMINI = lines(*GEMINI_ROWS)


def gemini_document(messages: list[Row]) -> bytes:
    """Return a session of the Gemini CLI in its older form."""
    whole = {"sessionId": "g-1", "projectHash": "p", "startTime": stamp(0), "messages": messages}
    return json.dumps(whole, ensure_ascii=False, indent=2).encode()


GEMINI_DOCUMENT = gemini_document([GEMINI_ROWS[1], *GEMINI_ROWS[5:7], GEMINI_ROWS[7]])


def opencode_rows() -> list[Row]:
    """Return a session of opencode: a retried request with a tool, then an answer; a second turn that was aborted."""

    def message(id_: str, role: str, created: int, **more: Any) -> Row:
        time = {"created": T0 + created, **more.pop("time", {})}
        return {"message": {"id": id_, "sessionID": "o-1", "role": role, "time": time, **more}}

    def part(id_: str, of: str, kind: str, **more: Any) -> Row:
        return {"part": {"id": id_, "messageID": of, "sessionID": "o-1", "type": kind, **more}}

    named = {"providerID": "openai", "modelID": "gpt-x"}
    tokens = {"input": 10, "output": 4, "reasoning": 2, "cache": {"read": 30, "write": 0}}
    return [
        {"session": {"id": "o-1", "title": "t", "version": "1.0.0", "time": {"created": T0}}},
        message("m1", "user", 0, agent="build"),
        part("p1", "m1", "text", text="Count the files"),
        message("m2", "assistant", 1000, time={"completed": T0 + 6000}, finish="stop", **named),
        part(
            "p1", "m2", "retry", attempt=1, error={"name": "APIError", "data": {"message": "busy", "statusCode": 529}}
        ),
        part("p2", "m2", "step-start"),
        part("p3", "m2", "reasoning", text="hm", time={"start": T0 + 1800, "end": T0 + 1900}),
        part(
            "p4",
            "m2",
            "tool",
            tool="bash",
            callID="t1",
            state={
                "status": "completed",
                "input": {"command": "ls"},
                "output": "a b",
                "time": {"start": T0 + 2000, "end": T0 + 2250},
            },
        ),
        part("p5", "m2", "step-finish", reason="tool-calls", tokens=tokens),
        part("p6", "m2", "step-start"),
        part("p7", "m2", "text", text="Two files.", time={"start": T0 + 4000, "end": T0 + 5000}),
        part("p8", "m2", "step-finish", reason="stop", tokens=tokens),
        message("m3", "user", 20000),
        part("p1", "m3", "text", text="More"),
        message(
            "m4", "assistant", 21000, error={"name": "MessageAbortedError", "data": {"message": "aborted"}}, **named
        ),
    ]


OPENCODE = lines(*opencode_rows())


def inspect_log(*samples: Row) -> bytes:
    """Return a log of inspect with these samples."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        start = {"version": 2, "eval": {"run_id": "run", "task": "counting", "model": "openai/gpt-x"}}
        archive.writestr("_journal/start.json", json.dumps(start))
        for sample in samples:
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
        archive.writestr("header.json", json.dumps(start))
    return buffer.getvalue()


def inspect_model(text: str, stop: str, **more: Any) -> Row:
    """Return a model event of an inspect log."""
    message: Row = {"role": "assistant", "content": text, **more.pop("message", {})}
    output = {
        "model": "gpt-x",
        "choices": [{"message": message, "stop_reason": stop}],
        "usage": {"input_tokens": 9, "output_tokens": 3, "input_tokens_cache_read": 5},
        "time": 1.5,
    }
    times = {"timestamp": stamp(1000), "completed": stamp(3000)}
    return {"event": "model", "model": "openai/gpt-x", "config": {"max_tokens": 64}, "output": output, **times, **more}


def inspect_sample(id_: int, *events: Row, **more: Any) -> Row:
    """Return a sample of an inspect log."""
    return {"id": id_, "epoch": 1, "input": f"question {id_}", "events": list(events), **more}


INSPECT = inspect_log(
    inspect_sample(
        1,
        inspect_model(
            "",
            "tool_calls",
            message={"tool_calls": [{"id": "t1", "function": "bash", "arguments": {"cmd": "ls"}}]},
        ),
        {
            "event": "tool",
            "id": "t1",
            "function": "bash",
            "result": "ok",
            "timestamp": stamp(3100),
            "working_time": 0.25,
        },
        inspect_model("done", "stop"),
    )
)


def amplifier_row(event: str, ms: int, **data: Any) -> Row:
    """Return an entry of Amplifier's log."""
    head = {"ts": stamp(ms).replace("Z", "+00:00"), "lvl": "INFO", "schema": {"name": "amplifier.log", "ver": "1.0.0"}}
    return {**head, "event": event, "session_id": "a-1", "data": data}


AMPLIFIER = lines(
    amplifier_row("session:start", 0),
    amplifier_row("prompt:submit", 1000, prompt="Räume auf"),
    amplifier_row("llm:request", 2000, provider="anthropic", model="claude-x", max_tokens=500),
    amplifier_row("llm:stream_block_start", 2400, request_id="q", block_index=0, block_type="text"),
    amplifier_row(
        "llm:response", 3000, status="ok", usage={"input": 3, "output": 4, "cache_read": 100}, duration_ms=990
    ),
    amplifier_row("content_block:end", 3000, block={"type": "text", "text": "Moment."}),
    amplifier_row("tool:pre", 3100, tool_name="bash", tool_call_id="t1", tool_input={"command": "rm x"}),
    amplifier_row("approval:required", 3150, tool_name="bash"),
    amplifier_row("approval:denied", 3900, tool_name="bash", reason="not that one"),
    amplifier_row("llm:request", 4000, provider="anthropic", model="claude-x"),
    amplifier_row("llm:response", 5000, status="ok", usage={"input": 5, "output": 6}, finish_reason="end_turn"),
    amplifier_row("content_block:end", 5000, block={"type": "text", "text": "Fertig."}),
    amplifier_row("orchestrator:complete", 5100, status="success"),
    amplifier_row("prompt:complete", 5200, response_preview="Fertig."),
)
