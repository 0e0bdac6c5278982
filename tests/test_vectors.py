"""One judgement of every kind through the vector adapter, so that it cannot drift from the product."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest

from tests.vectors import ANSWERS, answer

DONE: Mapping[str, Any] = {"id": "a", "name": "grep", "answered": True}
AGENT_LINE = "*Error: Selected agent 'x' was not found among the available agents (a)*"
CALLS: Mapping[str, Any] = {"finish_reason": "length", "tool_calls": [{"id": "x", "name": "W", "input": {}}]}

CASES: tuple[tuple[str, Mapping[str, Any], Any], ...] = (
    (
        "classify",
        {
            "calls": [{"finish_reason": "tool_calls"}, {"finish_reason": None}], "tool_calls": [DONE],
            "text": "So far", "text_after_last_tool": "So far",
        },
        {"verdict": "StreamEndedWithoutFinish", "rule": "R9", "completion_reason": "ERROR", "note": None},
    ),
    (
        "classify",
        {"runner_stop": "max_iterations", "calls": [{"finish_reason": "tool_use"}], "tool_calls": [DONE], "text": ""},
        {"verdict": "MaxIterations", "rule": "R5", "completion_reason": "MAX_ITERATIONS"},
    ),
    (
        "classify",
        {"failure": {"kind": "body_cut"}, "calls": [{"finish_reason": None, "outcome": "Failed"}], "text": "ab"},
        {"verdict": "ResponseBodyCut", "rule": "R4", "parent_outcome": "failed"},
    ),
    ("classify", {"no_usable_model": "big", "text": ""}, {"verdict": "NoUsableModel", "rule": "R3"}),
    ("classify", {"suspended": True}, {"verdict": "Suspended", "terminal_status": None, "parent_outcome": None}),
    ("stop_reason", {"wire": "pause_turn"}, {"neutral": "UNKNOWN", "reported": True, "truncated": False}),
    ("stop_reason", {"wire": None}, {"neutral": "UNKNOWN", "reported": False, "truncated": False}),
    ("number", {"n": 1234567}, {"en": "1,234,567", "de": "1.234.567"}),
    (
        "figures_line",
        {"locale": "de", "call": {"total_ms": 999, "output_tokens": 1}},
        "Letzter Modellaufruf: 999 ms insgesamt, 1 Ausgabe-Token, kein Beendigungsgrund gemeldet.",
    ),
    (
        "continuation",
        {"finish_reason": "length", "streamed": ["text"], "budget": 0},
        {"continue_call": False, "reason": "budget_spent"},
    ),
    ("continuation", {"finish_reason": "stop", "streamed": ["text"]}, {"continue_call": False, "reason": "not_cut"}),
    (
        "continuation_request",
        {"partial_text": "ab", "kind": "stream_ended", "message_id": "m", "max_output_tokens": 5},
        {"appended_roles": ["assistant", "user"], "message_ids_above": ["m"], "max_output_tokens": 5},
    ),
    (
        "retry_stream",
        {"chunks": [{"finish": "stop"}, {"role": "assistant"}]},
        {"emitted": [{"finish": "stop"}], "finish_reason": "stop"},
    ),
    ("refusal", {"response": CALLS}, {"executed": 0, "results": [{"id": "x", "is_error": True}], "hooks_fired": 0}),
    ("refusal_text", {}, {"must_contain": ["max_tokens"]}),
    ("reasoning_clause", {"output_tokens": 7, "reasoning_tokens": None}, {"empty": True, "numbers": []}),
    (
        "reasoning_clause_scope",
        {"responses": [{"output_tokens": 7, "reasoning_tokens": 3}]},
        {"warn_numbers": [[7, 3]]},
    ),
    (
        "refusal_warn",
        {
            "executor": "fork", "subagent": "scout", "shape": "answer", "iterations": 3,
            "usage": {"output_tokens": 9, "reasoning_tokens": 4},
        },
        {"level": "WARNING"},
    ),
    (
        "truncated_answer",
        {"text": "half", "tool_calls": [], "finish_reason": "length"},
        {"completion_reason": "TRUNCATED", "is_success": True, "is_complete": False, "text_ends_with_marker": True},
    ),
    ("parse_args", {"fragments": ['{"a": 1', "}"]}, {"valid_json": True, "args": {"a": 1}}),
    ("parse_args", {"fragments": ['{"a": KEY']}, {"valid_json": False, "args": {}, "log_contains_arguments": False}),
    ("stall_guard", {"iterations": [{"results_error": [True]}] * 4}, {"trips_at": 3, "names_max_tokens": False}),
    ("stall_message", {"n": 4, "all_refused": True}, {"clause_names_max_tokens": True}),
    ("stall_calls", {"queue": 5, "all_cut": True}, {"llm_calls": 3, "tool_invocations": 0}),
    (
        "progress_line",
        {"outcome": "truncated", "iterations": 2},
        {"text": "[completed: TRUNCATED at max_tokens after 2 iterations]"},
    ),
    (
        "fork_bound",
        {"max_iterations_default": 50, "all_cut": True, "guard_enabled": False},
        {"max_refused_calls": 50},
    ),
    ("marker", {}, {"starts_with_blank_line": True, "names": "max_tokens"}),
    (
        "probe_stream",
        {
            "events": [
                "message_start", "content_block_start(tool_use,{})", "content_block_delta x2",
                "message_delta(stop_reason=max_tokens,output_tokens=60)", "message_stop",
            ],
            "max_tokens": 60, "http": 200,
        },
        {"event_count": 6, "content_block_stop_seen": False, "truncated": True, "tool_calls": 1},
    ),
    (
        "events",
        {"case": "cut tool response, one call tu-1"},
        {
            "order": [
                "AssistantMessageReceived", "ToolUseStarted(tu-1)",
                "ToolResultReady(tu-1,success=false,refusal text)", "IterationCompleted(will_continue=true)",
            ]
        },
    ),
    ("partial", {"blocks": [{"type": "thinking", "text": "hm"}]}, {"kind": "reasoning", "segments": 1}),
    ("partial", {"blocks": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, {"text": "ab"}),
    ("partial", {"blocks": []}, None),
    ("guidance", {"text": "x", "source": "spawn-accumulator:reasoning"}, {"guidance": "reasoning"}),
    ("guidance", {"text": "x", "source": "spawn-accumulator:reasonings"}, {"guidance": "text"}),
    ("partial_consumer", {"partial": None}, {"status": "timeout", "completed": False, "has_response_key": False}),
    ("partial_registry", {"open_records": 70}, {"max_records": 64, "evicted_oldest": 6}),
    ("partial_share", {"leg_s": 10, "first_evidence_s": 4}, {"dark_share_pct": 40, "recoverable_share_pct": 60}),
    (
        "partial_tool_line",
        {"block": {"type": "tool_call", "id": "c", "name": "write", "input": {"path": "/a", "none": None}}},
        {"shows": ["path"], "omits": ["none"]},
    ),
    ("partial_read", {"reads": 2, "produced": True}, {"first": "record", "second": None}),
    ("partial_window", {"leg": "x", "first_evidence_s": 5.0, "killed_at_s": 4.0}, {"recoverable": False}),
    ("thinking_dialect", {"mode": "AUTO", "row": "BUDGETED", "max_tokens": 4096}, {"sent": "BUDGETED"}),
    ("thinking_budget", {"requested": 2000, "max_tokens": 1500}, {"type": "enabled", "budget": 1499}),
    ("report_register", {"occurrence": 10_000, "kind": "traffic"}, {"reported": True}),
    ("step_cache", {"completion_reason": "TRUNCATED", "is_success": True}, {"cached": False, "resume_reruns": True}),
    (
        "last_error",
        {"status": "Idle", "execution_status": None, "summary": "HTTP 500"},
        {"text": "HTTP 500", "provenance": "last_round_terminal", "earlier_summary": None},
    ),
    (
        "infrastructure",
        {"status": "Error", "text": AGENT_LINE, "model_calls": 0, "tool_calls": 0, "output_tokens": None},
        {"infrastructure": True, "label": "reviewer agent not found"},
    ),
    ("attempt_budget", {"verdicts": ["Completed", "NoOutput"]}, {"attempts_spent": 1, "failed": 1}),
    (
        "supervise",
        {
            "cuts": ["2026-01-01T00:00:00Z"], "cause": "host shutting down", "relaunch_cap": 0,
            "gave_up_at": "2026-01-01T01:00:00Z",
        },
        {"relaunches": 0, "final": "gave_up", "host_interruption_exemption": "not established"},
    ),
    ("terminal_write", {"verdict": "StreamEndedWithoutFinish", "partial": "half"}, {"text": "half", "marker": False}),
    ("delegation_timeout", {"timeout_s": 5, "worker_state": "still working"}, {"not_a_truncation": True}),
    (
        "time_span",
        {"earlier": "2026-01-01T00:00:00Z", "later": "2026-01-02T01:01:00Z"},
        {"seconds": 90060, "human_en": "25 h 1 min earlier"},
    ),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "given", "expected"), CASES, ids=[f"{n}-{case[0]}" for n, case in enumerate(CASES)])
def test_the_product_answers_this_judgement(kind: str, given: Mapping[str, Any], expected: Any) -> None:
    told = answer(kind, given)
    if isinstance(expected, Mapping):
        asked = cast("Mapping[str, Any]", expected)
        assert {name: told[name] for name in asked} == asked
    else:
        assert told == expected


def test_every_kind_of_judgement_is_asked_here() -> None:
    assert {kind for kind, _, _ in CASES} == set(ANSWERS)
