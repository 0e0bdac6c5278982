from __future__ import annotations

import asyncio

import pytest
from roundwatch.core.rounds import CancelledBy, ParentOutcome, Verdict, classify
from roundwatch.core.rounds.events import CallOutput, RoundStarted, ToolFinished
from roundwatch.core.runner import SCRIPT_HEADER, Agent, Cancellation, Runner, Task, subagent_tool
from roundwatch.core.runner.script import Counts, Finish, Reply, Script, Text, ToolUse, Wait

from tests.core.runner.stand import Stand

DELEGATES = Reply((ToolUse("ask", '{"task": "Count the bollards."}', id="t1"), Finish("tool_calls")), Counts(1, 1))
SAYS_DONE = Reply((Text("Done."), Finish("stop")), Counts(1, 1))


async def run(stand: Stand, below: Reply, cancel: Cancellation | None = None) -> None:
    """Run a boss that hands one task to a scout, who is answered with ``below``."""
    stand.provider.scripts |= {"boss": Script((DELEGATES, SAYS_DONE)), "scout": Script((below,))}
    scout = subagent_tool("scout", name="ask", base=Task("", "scout", headers={SCRIPT_HEADER: "scout"}))
    agents = [Agent("boss", model="gpt", tools=(scout,)), Agent("scout", model="claude")]
    async with Runner(stand.publish, agents=agents, models=stand.models, settings=stand.settings) as runner:
        task = Task("Go.", "boss", round="r", headers={SCRIPT_HEADER: "boss"}, cancel=cancel or Cancellation())
        await runner.run(task)


async def test_a_sub_round_names_its_parent_and_the_tool_call(stand: Stand) -> None:
    await run(stand, Reply((Text("22 bollards."), Finish("end_turn")), Counts(1, 1)))
    child = stand.only(RoundStarted)[1]
    assert (child.round, child.parent.round, child.parent.tool_call) == ("r.1", "r", "t1")
    assert child.title == "Count the bollards."
    assert list(stand.round.children) == ["r.1"]
    assert stand.only(ToolFinished)[0].preview == "22 bollards."
    assert classify(stand.round).is_answer


async def test_a_parent_is_told_that_a_cut_answer_is_incomplete(stand: Stand) -> None:
    await run(stand, Reply((Text("22 bol"), Finish("max_tokens")), Counts(1, 1)))
    told = stand.only(ToolFinished)[0]
    assert told.ok
    assert told.preview.startswith("22 bol\n\n[System: response truncated at max_tokens]")
    assert "TRUNCATED" in told.preview
    assert "incomplete" in told.preview
    assert classify(stand.ledger.rounds["r.1"]).parent_outcome is ParentOutcome.PARTIAL


async def test_a_parent_is_told_that_a_sub_agent_failed(stand: Stand) -> None:
    await run(stand, Reply((Text("Let me"), Finish("refusal")), Counts(1, 1)))
    told = stand.only(ToolFinished)[0]
    assert not told.ok
    assert "content_filtered" in told.error
    assert "Let me" not in told.error


async def test_stopping_the_parent_stops_the_sub_round_too(stand: Stand) -> None:
    cancel = Cancellation()
    stand.on_event = lambda event: (
        cancel.request(CancelledBy.USER) if isinstance(event, CallOutput) and event.round == "r.1" else None
    )
    async with asyncio.timeout(30):
        await run(stand, Reply((Text("22 bol"), Wait(1e6))), cancel)
    for name in ("r", "r.1"):
        outcome = classify(stand.ledger.rounds[name])
        assert (outcome.verdict, outcome.facts["by"]) == (Verdict.CANCELLED, "user")


@pytest.mark.parametrize("arguments", ["{}", '{"task": 5}'])
async def test_a_task_of_any_kind_is_taken_as_text(stand: Stand, arguments: str) -> None:
    stand.provider.scripts |= {"scout": Script((SAYS_DONE,), repeat_last=True)}
    scout = subagent_tool("scout", name="ask", base=Task("", "scout", headers={SCRIPT_HEADER: "scout"}))
    await stand.run([Reply((ToolUse("ask", arguments), Finish("tool_calls")), Counts(1, 1)), SAYS_DONE], [scout])
    assert not stand.only(ToolFinished)[0].ok  # the stand has no agent of that name: told, not raised
    assert classify(stand.ledger.rounds["r.1"]).verdict is Verdict.SELECTION_UNRESOLVED
