from __future__ import annotations

import json
from typing import Any

import pytest
from roundwatch.core.feeds.transcripts.codex_exec import CodexExec
from roundwatch.core.rounds import Ledger, Round, Silence, classify
from roundwatch.core.rounds.tool_calls import ToolState

START: list[dict[str, Any]] = [{"type": "thread.started", "thread_id": "th-1"}, {"type": "turn.started"}]
DONE: dict[str, Any] = {"type": "turn.completed", "usage": {"input_tokens": 60, "cached_input_tokens": 20}}


def item(kind: str, state: str = "completed", id_: str | None = "item_1", **fields: Any) -> dict[str, Any]:
    return {"type": f"item.{state}", "item": {"id": id_, "type": kind, **fields}}


def rounds(*records: dict[str, Any], whole: bool = True) -> list[Round]:
    transcript, ledger = CodexExec("run.jsonl"), Ledger()
    ledger.apply_all(transcript.feed(b"".join(json.dumps(record).encode() + b"\n" for record in records)))
    if whole:
        ledger.apply_all(transcript.close())
    return list(ledger.rounds.values())


def test_a_turn_is_a_round_with_one_call_that_carries_its_usage() -> None:
    spoken = item("agent_message", text="Done.", id_="item_2")
    (found,) = rounds(*START, item("reasoning", text="Hm."), spoken, DONE, whole=False)
    (call,) = found.calls
    assert (found.id, found.source, found.text, call.reasoning.text) == ("th-1", "codex-exec-json", "Done.", "Hm.")
    assert (call.usage.input_tokens, call.usage.cache_read_tokens, call.usage.output_tokens) == (60, 20, None)
    assert (found.started_at, found.total_ms) == (None, None)
    assert Silence.CALLS in found.silent
    assert (classify(found).verdict, classify(found).doubts) == ("completed", ("inferred",))


def test_the_next_turn_is_the_next_round() -> None:
    assert [found.id for found in rounds(*START, DONE, {"type": "turn.started"}, DONE)] == ["th-1", "th-1#2"]


def test_a_turn_that_failed_is_a_failed_call() -> None:
    failed = {"type": "turn.failed", "error": {"message": "Your access token could not be refreshed"}}
    (found,) = rounds(*START, {"type": "error", "message": "Reconnecting 1/5"}, failed)
    assert classify(found).verdict == "provider_error"
    assert found.calls[0].error is not None
    assert found.calls[0].error.message == "Your access token could not be refreshed"


def test_a_run_that_was_broken_off_is_a_cut() -> None:
    (found,) = rounds(*START, item("agent_message", text="Hal"))
    assert classify(found).verdict == "stream_ended_without_finish"


@pytest.mark.parametrize(
    ("kind", "fields", "name", "state"),
    [
        ("command_execution", {"command": "ls", "exit_code": 0, "status": "completed"}, "command_execution", "ok"),
        ("command_execution", {"command": "ls", "exit_code": 2, "status": "failed"}, "command_execution", "failed"),
        ("command_execution", {"command": "rm", "status": "declined"}, "command_execution", "refused"),
        ("file_change", {"changes": [{"path": "a"}], "status": "completed"}, "file_change", "ok"),
        (
            "mcp_tool_call",
            {"server": "s", "tool": "t", "status": "failed", "error": {"message": "no"}},
            "s.t",
            "failed",
        ),
        (
            "mcp_tool_call",
            {"tool": "t", "status": "failed", "error": {"message": "user rejected MCP tool call"}},
            "t",
            "refused",
        ),
    ],
)
def test_items_are_tools(kind: str, fields: dict[str, Any], name: str, state: str) -> None:
    (found,) = rounds(*START, item(kind, **fields), DONE)
    (call,) = found.tool_calls.values()
    assert (call.name, call.state) == (name, state)


def test_a_tool_runs_between_its_start_and_its_end() -> None:
    begun = item("command_execution", "started", command="ls", status="in_progress")
    (found,) = rounds(*START, begun, whole=False)
    (call,) = found.tool_calls.values()
    assert (call.state, call.arguments) == (ToolState.RUNNING, '{"command":"ls"}')
    done = item("command_execution", command="ls", exit_code=0, aggregated_output="a.txt")
    (found,) = rounds(*START, begun, done, whole=False)
    assert [(one.state, one.preview) for one in found.tool_calls.values()] == [(ToolState.OK, "a.txt")]


def test_a_search_is_the_providers_own_tool() -> None:
    (found,) = rounds(*START, item("web_search", query="roofs", id_=None), DONE)
    (call,) = found.tool_calls.values()
    assert (call.server, call.id_given, call.arguments) == (True, False, '{"query":"roofs"}')


def test_a_run_without_its_beginning_is_named_after_its_file() -> None:
    (found,) = rounds(item("agent_message", text="Done."), item("todo_list", items=[]), DONE)
    assert found.id == "run"
