from __future__ import annotations

import pytest
from roundwatch.core.rounds import CancelledBy, Verdict, classify
from roundwatch.core.rounds.events import IterationCompleted, RoundFinished, ToolFinished, ToolRefused
from roundwatch.core.runner import (
    SCRIPT_HEADER,
    Agent,
    Cancellation,
    Permission,
    Runner,
    Settings,
    Task,
    Tool,
    ToolContext,
    subagent_tool,
)
from roundwatch.core.runner.script import Counts, Finish, Reply, Script, Text, ToolUse, Wait
from roundwatch.core.runner.tools import Arguments

from tests.core.runner.stand import Stand

ASKS = Reply(
    (ToolUse("look", "{}", id="t1"), ToolUse("fly", "{}", id="t2"), ToolUse("send", "{}", id="t3"), Wait(5.0),
     Finish("tool_calls")), Counts(1, 1),
)  # fmt: skip
ANSWER = Reply((Text("Done."), Finish("stop")), Counts(1, 1))


class Office:
    """A runner whose approvals nobody decides at once, and what its tools did."""

    def __init__(self, stand: Stand) -> None:
        self.ran: list[str] = []
        self.cancel = Cancellation()
        stand.provider.scripts["s"] = Script((ASKS, ANSWER))
        tools = (self._tool("look", concurrent=True), self._tool("send", permission=Permission.ASK))
        settings = Settings(approver=self._undecided)
        self.agents = [Agent("clerk", model="gpt", tools=tools)]
        self.runner = Runner(stand.publish, agents=self.agents, models=stand.models, settings=settings)
        self.task = Task("Go.", "clerk", round="r", headers={SCRIPT_HEADER: "s"}, cancel=self.cancel)

    def _tool(self, name: str, *, concurrent: bool = False, permission: Permission = Permission.ALLOW) -> Tool:
        async def run(arguments: Arguments, context: ToolContext) -> str:
            self.ran.append(name)
            return f"result of {name}"

        return Tool(name, run, permission=permission, concurrent=concurrent)

    async def _undecided(self, name: str, arguments: Arguments) -> bool | None:
        return None


async def test_a_round_whose_approval_stays_open_has_no_end(stand: Stand) -> None:
    office = Office(stand)
    async with office.runner as runner:
        result = await runner.run(office.task)
    assert result.outcome.verdict is classify(stand.round).verdict is Verdict.SUSPENDED
    assert result.resume is not None
    assert stand.only(RoundFinished) == stand.only(IterationCompleted) == stand.only(ToolFinished) == []
    assert office.ran == ["look"]  # it had started early; nothing else has run


@pytest.mark.parametrize("answer", [True, False])
async def test_it_goes_on_with_the_answer_and_runs_nothing_twice(stand: Stand, answer: bool) -> None:
    office = Office(stand)
    async with office.runner as runner:
        waiting = await runner.run(office.task)
        assert waiting.resume is not None
        result = await waiting.resume(answer)
    assert result.resume is None
    assert result.outcome.is_answer
    assert result.text == "Done."
    assert office.ran == ["look", "send"] if answer else ["look"]
    assert [(event.tool_call, event.ok) for event in stand.only(ToolFinished)] == (
        [("t1", True), ("t3", True)] if answer else [("t1", True)]
    )
    assert [event.tool_call for event in stand.only(ToolRefused)] == (["t2"] if answer else ["t2", "t3"])
    kinds = [kind for kind in stand.types() if kind in ("round.suspended", "round.resumed", "round.finished")]
    assert kinds == ["round.suspended", "round.resumed", "round.finished"]


async def test_it_cannot_go_on_twice(stand: Stand) -> None:
    office = Office(stand)
    async with office.runner as runner:
        waiting = await runner.run(office.task)
        assert waiting.resume is not None
        await waiting.resume(True)
        with pytest.raises(RuntimeError, match="does not wait for an approval"):
            await waiting.resume(True)


async def test_a_round_cancelled_while_it_waits_ends_cancelled(stand: Stand) -> None:
    office = Office(stand)
    async with office.runner as runner:
        waiting = await runner.run(office.task)
        office.cancel.request(CancelledBy.USER)
        assert waiting.resume is not None
        result = await waiting.resume(True)
    assert result.outcome.verdict is Verdict.CANCELLED
    assert "send" not in office.ran


async def test_a_sub_agent_takes_an_undecided_approval_as_a_no(stand: Stand) -> None:
    office = Office(stand)
    stand.provider.scripts["boss"] = Script((
        Reply((ToolUse("ask", '{"task": "Send it."}'), Finish("tool_calls")), Counts(1, 1)), ANSWER,
    ))  # fmt: skip
    ask = subagent_tool("clerk", name="ask", base=office.task)
    office.runner.catalogue.add(Agent("boss", model="gpt", tools=(ask,)))
    async with office.runner as runner:
        result = await runner.run(Task("Go.", "boss", round="top", headers={SCRIPT_HEADER: "boss"}))
    assert result.outcome.is_answer
    below = stand.ledger.rounds["top.1"]
    assert classify(below).is_answer
    assert office.ran == ["look"]
