"""Transcripts of Claude Code and Codex of any size, made from nothing: prompts, tools with long results, answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = "the file holds eleven rows and one of them is longer than the others "
SESSION_BYTES = 4 * 1024 * 1024


def write_claude(home: Path, total_bytes: int, session_bytes: int = SESSION_BYTES) -> int:
    """Write sessions below ``home/projects`` until there are so many bytes, and return how many there are."""
    folder = home / "projects" / "-bench"
    folder.mkdir(parents=True)
    written = number = 0
    while written < total_bytes:
        session = f"00000000-0000-4000-8000-{number:012}"
        with (folder / f"{session}.jsonl").open("wb") as file:
            file.writelines(_claude_lines(session, min(session_bytes, total_bytes - written)))
            written += file.tell()
        number += 1
    return written


def write_codex(home: Path, total_bytes: int) -> int:
    """Write sessions below ``home/sessions`` until there are so many bytes, and return how many there are."""
    folder = home / "sessions" / "2026" / "01" / "01"
    folder.mkdir(parents=True)
    written = number = 0
    while written < total_bytes:
        session = f"00000000-0000-7000-8000-{number:012}"
        data = b"".join(_codex_lines(session, min(SESSION_BYTES, total_bytes - written)))
        (folder / f"rollout-2026-01-01T00-00-00-{session}.jsonl").write_bytes(data)
        written += len(data)
        number += 1
    return written


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def _at(n: int) -> str:
    return f"2026-01-01T{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}.000Z"


def _claude_lines(session: str, size: int) -> Iterator[bytes]:
    n = done = 0

    def row(kind: str, message: dict[str, Any], **more: Any) -> bytes:
        nonlocal n, done
        n += 1
        common = {"parentUuid": f"u{n - 1}", "isSidechain": False, "cwd": "/project", "version": "2.1.30"}
        ids = {"uuid": f"{session}-{n}", "sessionId": session, "timestamp": _at(n)}
        line = _line({**common, **ids, "type": kind, "message": message, **more})
        done += len(line)
        return line

    def answer(content: list[dict[str, Any]]) -> bytes:
        usage = {"input_tokens": 4, "output_tokens": 90, "cache_read_input_tokens": 9000}
        message = {"id": f"msg_{session}_{n}", "model": "claude-x", "role": "assistant", "content": content}
        return row("assistant", {**message, "stop_reason": None, "usage": usage}, requestId=f"req_{n}")

    while done < size:
        yield row("user", {"role": "user", "content": f"step {n}"})
        for _ in range(4):
            tool = f"toolu_{session}_{n}"
            yield answer([{"type": "text", "text": WORDS * 4}])
            yield answer([{"type": "tool_use", "id": tool, "name": "Read", "input": {"file_path": f"/project/{n}"}}])
            result = [{"type": "tool_result", "tool_use_id": tool, "content": WORDS * 60}]
            yield row("user", {"role": "user", "content": result}, toolUseResult={"content": WORDS * 60})
        yield answer([{"type": "text", "text": WORDS * 12}])


def _codex_lines(session: str, size: int) -> Iterator[bytes]:
    n = done = total = 0

    def row(kind: str, payload: dict[str, Any]) -> bytes:
        nonlocal n, done
        n += 1
        line = _line({"timestamp": _at(n), "type": kind, "payload": payload})
        done += len(line)
        return line

    yield row("session_meta", {"id": session, "timestamp": _at(0), "cwd": "/project", "cli_version": "0.90.0"})
    while done < size:
        yield row("turn_context", {"model": "gpt-x", "cwd": "/project"})
        yield row("event_msg", {"type": "task_started"})
        yield row("event_msg", {"type": "user_message", "message": f"step {n}"})
        for _ in range(4):
            call = f"call_{session}_{n}"
            asked = {"name": "shell", "arguments": '{"command":["ls"]}', "call_id": call}
            yield row("response_item", {"type": "function_call", **asked})
            yield row("response_item", {"type": "function_call_output", "call_id": call, "output": WORDS * 60})
            total += 1000
            last = {"input_tokens": 900, "cached_input_tokens": 800, "output_tokens": 100, "total_tokens": 1000}
            sums = {name: value * (total // 1000) for name, value in last.items()}
            info = {"total_token_usage": sums, "last_token_usage": last}
            yield row("event_msg", {"type": "token_count", "info": info})
        content = [{"type": "output_text", "text": WORDS * 12}]
        yield row("response_item", {"type": "message", "role": "assistant", "content": content})
        yield row("event_msg", {"type": "task_complete", "last_agent_message": WORDS})
