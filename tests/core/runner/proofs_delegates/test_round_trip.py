"""From a delegate's blocks through the real accumulator to its parent's model, the hub and the ledger."""

from __future__ import annotations

import pytest
from roundwatch.core.policies import HEAD_LABEL, TAIL_LABEL
from roundwatch.core.rounds import Verdict, classify
from roundwatch.core.runner.script import Reasoning, Reply, Text

from tests.core.runner.proofs_delegates.stack import HANGS, NEVER, NOTE, SHORT_S, claude, real_stack, tool

THOUGHT = "First the list of the south quay, then the strength class of each bollard."
LONG_THOUGHT = "and-then-the-next-bollard," * 950  # one piece of 24,700 characters


@pytest.mark.parametrize(
    ("below", "segments", "reasoning", "tools", "truncated"),
    [
        (claude(Reasoning(THOUGHT, rate=1e6), HANGS), 2, 1, 1, False),
        (claude(HANGS), 1, 0, 1, False),
        (claude(Reasoning(LONG_THOUGHT, rate=1e6), HANGS), 2, 1, 1, True),
    ],
    ids=["reasoning and a tool", "a tool alone", "more than a parent is given"],
)
async def test_work_without_any_text_arrives_labelled(
    below: Reply, segments: int, reasoning: int, tools: int, truncated: bool
) -> None:
    async with real_stack() as stack:
        await stack.delegated(below)
        ledger = await stack.folded()
        report = stack.report
    assert (report["status"], report["completed"], report["partial_source"]) == (
        "timeout", False, "spawn-accumulator:reasoning",
    )  # fmt: skip
    assert "response" not in report
    assert report["guidance"].count("reasoning") == 1
    assert "unfinished work" not in report["guidance"]
    assert stack.told["t1"].is_error
    text = report["partial_response"]
    assert text.endswith(TAIL_LABEL)
    assert text.startswith(HEAD_LABEL) is not truncated
    assert report["partial_truncated"] is truncated
    assert len(text) == min(report["partial_chars_total"], 20_000)
    assert ("1. hang(for=ever, lines=3)" in text) is not truncated

    [stored] = stack.of_type("round.partial")
    assert (stored["round"], stored["text"], stored["kept_chars"]) == ("r.1", text, len(text))
    assert stored["total_chars"] == report["partial_chars_total"]
    assert (stored["segments"], stored["reasoning_segments"], stored["tool_calls"]) == (segments, reasoning, tools)
    assert 0 <= stored["first_evidence_ms"] <= stored["elapsed_ms"]
    assert (stored["timeout_ms"], stored["resumable"]) == (1500, False)

    child = ledger.rounds["r.1"]
    assert [partial.text for partial in child.partials] == [text]
    assert classify(child).verdict in (Verdict.ROUND_TIMED_OUT, Verdict.WALL_CLOCK)
    assert classify(ledger.rounds["r"]).is_answer


async def test_text_goes_alone_and_the_siblings_of_the_batch_survive() -> None:
    async with real_stack() as stack:
        await stack.delegated(claude(Reasoning("private", rate=1e6), Text("Two so far."), HANGS))
        ledger = await stack.folded()
    assert stack.report["partial_response"] == "Two so far."
    assert stack.report["partial_source"] == "spawn-accumulator"
    assert "private" not in stack.told["t1"].text
    assert (stack.told["t2"].text, stack.told["t2"].is_error) == (NOTE, False)
    assert (tool(ledger, "ask").state, tool(ledger, "note").state) == ("failed", "ok")


async def test_the_waiting_time_is_told_on_the_parent_as_a_condition_of_its_own() -> None:
    async with real_stack() as stack:
        await stack.delegated(NEVER, limit_s=SHORT_S)
        ledger = await stack.folded()
    [warning] = stack.of_type("round.warning")
    assert (warning["round"], warning["code"]) == ("r", "delegation_timeout")
    assert warning["facts"] == {"timeout_ms": 300, "child": "r.1", "child_state": "executing"}
    assert classify(ledger.rounds["r.1"]).verdict is Verdict.ROUND_TIMED_OUT


async def test_a_delegate_that_left_nothing_is_told_as_nothing() -> None:
    async with real_stack() as stack:
        await stack.delegated(NEVER, limit_s=SHORT_S)
        await stack.folded()
    assert (stack.report["partial_available"], stack.report["partial_response"]) == (False, None)
    assert "nothing recovered" in stack.report["guidance"]
    [stored] = stack.of_type("round.partial")
    assert (stored["kept_chars"], stored["source"]) == (0, "none")
    assert stored.get("text") is None
    assert stored.get("first_evidence_ms") is None
