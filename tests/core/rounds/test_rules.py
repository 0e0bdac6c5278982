from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from roundwatch.core.rounds import Verdict, classify
from roundwatch.core.rounds.rules import RULES

from tests.rounds import Lines, asks, call, end, event, fold, refuses, result, start

# The expected table, written out again: row, verdict, status, completion reason, success, parent.
TABLE: tuple[tuple[str, str, str | None, str | None, bool, str | None], ...] = (
    ("R0", "suspended", None, "suspended", False, None),
    ("R1", "cancelled", "cancelled", "interrupted", False, "failed"),
    ("R2", "selection_unresolved", "error", "error", False, "failed"),
    ("R3", "no_usable_model", "error", "error", False, "failed"),
    ("R4a", "provider_stalled", "error", "error", False, "failed"),
    ("R4b", "response_body_cut", "error", "error", False, "failed"),
    ("R4c", "provider_error", "error", "error", False, "failed"),
    ("R4d", "round_timed_out", "error", "wall_clock_exceeded", False, "failed"),
    ("R4e", "faulted", "error", "error", False, "failed"),
    ("R4f", "supervisor_gave_up", "error", "error", False, "failed"),
    ("R5a", "stalled_iterations", "error", "error", False, "failed"),
    ("R5b", "max_iterations", "error", "max_iterations", False, "failed"),
    ("R5c", "token_budget", "error", "token_budget_exceeded", False, "failed"),
    ("R5c", "cost_budget", "error", "cost_budget_exceeded", False, "failed"),
    ("R5c", "wall_clock", "error", "wall_clock_exceeded", False, "failed"),
    ("R6", "unfinished_tool_call", "error", "error", False, "failed"),
    ("R7", "output_cap_reached", "error", "error", False, "failed"),
    ("R7b", "context_window_exceeded", "error", "error", False, "failed"),
    ("R8", "content_filtered", "error", "error", False, "failed"),
    ("R8b", "turn_paused", "error", "error", False, "failed"),
    ("R9", "stream_ended_without_finish", "error", "error", False, "failed"),
    ("R10", "no_output", "error", "error", False, "failed"),
    ("R11", "no_final_answer", "error", "error", False, "failed"),
    ("R12", "completed", "completed", "completed", True, "answered"),
)


@dataclass(frozen=True)
class Cause:
    """What has to be in a round for one row to hold: fields of its last call's end, and events of its own."""

    last: Mapping[str, Any] | None = None
    tool: str | None = None
    after: Lines = field(default_factory=Lines)
    text: str | None = None
    calls: bool = True


CAUSES: Mapping[str, Cause] = {
    "suspended": Cause(after=event("round.suspended", why="approval")),
    "cancelled": Cause(after=event("round.cancel_requested", by="user")),
    "selection_unresolved": Cause(
        after=event("round.selection_unresolved", requested="ghost", available=["worker"], sentence="not found")
    ),
    "no_usable_model": Cause(after=event("round.no_usable_model", requested="big-model"), calls=False),
    "provider_stalled": Cause(last={"outcome": "stalled", "finish": None, "silent_ms": 60_000}),
    "response_body_cut": Cause(last={"outcome": "body_cut", "finish": None}),
    "provider_error": Cause(
        last={"outcome": "failed", "finish": None, "error": {"kind": "provider_error", "http_status": 403}}
    ),
    "round_timed_out": Cause(after=event("round.cancel_requested", by="limit", limit_s=900)),
    "faulted": Cause(after=event("round.stopped", why="exception", error="boom")),
    "supervisor_gave_up": Cause(after=event("thread.supervised", thread="th", state="executing", verdict="gave_up")),
    "stalled_iterations": Cause(after=event("round.stopped", why="stalled_iterations", used=3)),
    "max_iterations": Cause(after=event("round.stopped", why="iterations", limit=12)),
    "token_budget": Cause(after=event("round.stopped", why="tokens", limit=1000)),
    "cost_budget": Cause(after=event("round.stopped", why="cost", limit=2)),
    "wall_clock": Cause(after=event("round.stopped", why="wall_clock", limit=60)),
    "unfinished_tool_call": Cause(tool="open"),
    "output_cap_reached": Cause(last={"finish": "length"}),
    "context_window_exceeded": Cause(last={"finish": "model_context_window_exceeded"}),
    "content_filtered": Cause(last={"finish": "content_filter"}),
    "turn_paused": Cause(last={"finish": "pause_turn"}),
    "stream_ended_without_finish": Cause(last={"finish": None}),
    "no_output": Cause(text=""),
    "no_final_answer": Cause(tool="done", text=""),
    "completed": Cause(text="All done."),
}
ONE_STOP_ONLY = {"faulted", "stalled_iterations", "max_iterations", "token_budget", "cost_budget", "wall_clock"}
IMPOSSIBLE = {frozenset(("no_output", name)) for name in ("unfinished_tool_call", "no_final_answer")} | {
    frozenset(("stream_ended_without_finish", "completed"))  # text without proof: test_stream_end walks these
}
ENDS_A_SUSPENSION = ONE_STOP_ONLY | {"cancelled", "round_timed_out", "supervisor_gave_up"}


def may_meet(one: str, other: str) -> bool:
    """Two causes contradict each other when both set the last call, the text or the stop, or one forbids calls."""
    a, b = CAUSES[one], CAUSES[other]
    both_last = a.last is not None and b.last is not None
    both_text = a.text is not None and b.text is not None and a.text != b.text
    both_tools = a.tool is not None and b.tool is not None and a.tool != b.tool
    stops = {one, other} <= ONE_STOP_ONLY
    needs_call = any(cause.last is not None or cause.tool is not None for cause in (a, b))
    no_call = not (a.calls and b.calls)
    impossible = frozenset((one, other)) in IMPOSSIBLE
    return not (both_last or both_text or both_tools or stops or (needs_call and no_call) or impossible)


def events_of(*names: str) -> Lines:
    causes = [CAUSES[name] for name in names]
    lines = start(thread="th")
    tool = next((cause.tool for cause in causes if cause.tool), None)
    text = next((cause.text for cause in causes if cause.text is not None), "")
    if tool:
        lines += call("c1", "tool_calls") + asks("c1")
        lines += result() if tool == "done" else []
    if all(cause.calls for cause in causes):
        last = next((dict(cause.last) for cause in causes if cause.last is not None), dict[str, Any]())
        lines += call("c9", text=text, **last)
    for cause in causes:
        lines += cause.after
    waits = "suspended" in names and not ENDS_A_SUSPENSION & set(names)
    return lines if waits else lines + end()


def judged(*names: str) -> Any:
    return classify(fold(events_of(*names)).rounds["r"])


ROWS = [row[1] for row in TABLE]


def test_the_rows_stand_in_the_documented_order() -> None:
    assert [(rule.name, str(rule.verdict)) for rule in RULES] == [(row[0], row[1]) for row in TABLE]


def test_every_verdict_but_running_has_a_row() -> None:
    assert {rule.verdict for rule in RULES} == set(Verdict) - {Verdict.RUNNING}


@pytest.mark.parametrize("row", TABLE, ids=ROWS)
def test_each_row_decides_alone_and_sets_what_follows_from_it(row: tuple[Any, ...]) -> None:
    rule, verdict, status, reason, success, parent = row
    outcome = judged(verdict)
    assert (outcome.rule, outcome.verdict, outcome.status, outcome.completion_reason) == (rule, verdict, status, reason)
    assert (outcome.is_success, outcome.parent_outcome) == (success, parent)
    assert outcome.is_complete is (verdict == "completed")


@pytest.mark.parametrize(("first", "second"), [(a, b) for i, a in enumerate(ROWS) for b in ROWS[i + 1 :]])
def test_of_two_causes_the_earlier_row_decides(first: str, second: str) -> None:
    if first == "suspended" and second in ENDS_A_SUSPENSION:
        assert judged(first, second).verdict == second
    elif may_meet(first, second):
        assert judged(first, second).verdict == first
    else:
        assert {judged(first).verdict, judged(second).verdict} == {first, second}


@pytest.mark.parametrize("verdict", [name for name in ROWS if name != "completed"])
def test_nothing_but_completed_is_ever_called_an_answer(verdict: str) -> None:
    outcome = judged(verdict)
    assert not outcome.is_answer
    assert outcome.evidence is None


@pytest.mark.parametrize("finish", ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"])
@pytest.mark.parametrize(("text", "reason", "parent"), [("half", "truncated", "partial"), (" \n", "error", "failed")])
def test_a_cut_hands_over_a_partial_only_where_text_can_be_seen(
    finish: str, text: str, reason: str, parent: str
) -> None:
    outcome = classify(fold(start(), call("c1", finish, text), end()).rounds["r"])
    assert (outcome.verdict, outcome.completion_reason, outcome.parent_outcome) == (
        "output_cap_reached", reason, parent,
    )  # fmt: skip
    assert outcome.is_success is (parent == "partial")
    assert not outcome.is_complete


def test_text_before_the_last_tool_result_is_no_partial() -> None:
    lines = call("c1", "tool_calls", "Let me look.") + asks("c1") + result() + call("c2", "length")
    outcome = classify(fold(start(), lines, end()).rounds["r"])
    assert (outcome.verdict, outcome.is_success) == ("output_cap_reached", False)


def test_a_refused_tool_call_has_its_answer_and_is_not_unfinished() -> None:
    lines = call("c1", "length") + asks("c1") + refuses() + call("c2", "stop", "Done differently.")
    assert classify(fold(start(), lines, end()).rounds["r"]).verdict == "completed"
