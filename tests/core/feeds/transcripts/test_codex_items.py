from __future__ import annotations

from typing import Any

import pytest
from roundwatch.core.feeds.transcripts.codex_items import Result, asked, ended, is_prompt, result_of


@pytest.mark.parametrize(
    ("output", "ok", "why"),
    [
        ('{"output":"a","metadata":{"exit_code":0,"duration_seconds":0.5}}', True, None),
        ('{"output":"a","metadata":{"exit_code":1}}', False, None),
        ('{"output":"a"}', None, None),
        ("{no json", None, None),
        ("Exit code: 1\nWall time: 0.2 seconds\nOutput:\nrejected: no", False, None),
        ("Chunk ID: 1\nWall time: 0.2 seconds\nProcess exited with code 0\nOutput:\n", True, None),
        ("exec command rejected by user", False, "permission"),
        ("patch rejected by user", False, "permission"),
        ("user rejected MCP tool call", False, "permission"),
        ("patch rejected: writing outside of the project; rejected by user approval settings", False, "policy"),
        ("failed in sandbox X with execution error: sandbox denied exec error, exit code: 1", False, "policy"),
        ('exec_command failed for `rm`: CreateProcess { message: "rejected: blocked by policy" }', False, "policy"),
        ("aborted by user after 3.2s", False, "interrupted"),
        ("aborted", False, "interrupted"),
        ("unsupported call: fly", False, "unknown_tool"),
        ("tool call error: broken", False, None),
        ("The offer was not rejected by user", None, None),
        ({"content": "a", "success": False}, False, None),
        ({"content": [{"type": "text", "text": "a"}], "success": True}, True, None),
        ([{"type": "input_text", "text": "a"}], None, None),
        (None, None, None),
        (17, None, None),
    ],
)
def test_the_output_of_a_tool_tells_how_it_came_out(output: Any, ok: bool | None, why: str | None) -> None:
    found = result_of(output)
    assert (found.ok, found.why) == (ok, why)


def test_outputs_tell_how_long_a_tool_ran() -> None:
    assert result_of('{"output":"a","metadata":{"exit_code":0,"duration_seconds":0.5}}').duration_ms == 500
    assert result_of("Wall time: 1.25 seconds\nProcess exited with code 0").duration_ms == 1250


@pytest.mark.parametrize(
    ("payload", "result"),
    [
        (
            {"exit_code": 0, "aggregated_output": "a", "duration": {"secs": 1, "nanos": 0}},
            Result("a", True, None, 1000),
        ),
        ({"exit_code": 1, "stderr": "no", "duration": "1s"}, Result("no", False)),
        ({"status": "declined"}, Result("declined", False, "permission")),  # type: ignore[arg-type]
        ({"success": True, "stdout": "done"}, Result("done", True)),
        ({"status": "failed"}, Result("", False)),
        ({"result": {"Ok": {"content": [{"text": "a"}], "is_error": True}}}, Result("a", False)),
        ({"result": {"Ok": {"content": [{"text": "a"}]}}}, Result("a", True)),
        ({"result": {"Err": "gone"}}, Result("gone", False)),
        ({}, Result("")),
    ],
)
def test_the_event_at_the_end_of_a_tool_tells_how_it_came_out(payload: dict[str, Any], result: Result) -> None:
    assert ended(payload) == result


def test_what_the_harness_writes_is_no_prompt() -> None:
    assert is_prompt("Mend the roof")
    assert not is_prompt("  \n")
    assert not is_prompt("\n<environment_context>\n<cwd>/w</cwd>")
    assert not is_prompt("# AGENTS.md instructions for /w")


def test_what_an_editor_adds_is_no_part_of_the_title() -> None:
    assert asked("# Context from my IDE setup:\n## My request for Codex:\nMend it").strip() == "Mend it"
    assert asked("Mend it") == "Mend it"
