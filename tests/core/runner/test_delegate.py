from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from roundwatch.core.rounds import CallOutcome, CancelledBy, Event, Ledger, OutputKind, Verdict, classify
from roundwatch.core.rounds.events import (
    CallFinished,
    CallOutput,
    CallStarted,
    RoundFinished,
    RoundPartial,
    RoundStarted,
    RoundWarning,
)
from roundwatch.core.runner import SCRIPT_HEADER, Agent, Cancellation, Permission, Runner, Task, Tool, subagent_tool
from roundwatch.core.runner import delegate as module
from roundwatch.core.runner.agents import NO_LIMITS, RoundResult, Settings
from roundwatch.core.runner.delegate import Delegates
from roundwatch.core.runner.recorder import Recorder
from roundwatch.core.runner.recovery import Recover
from roundwatch.core.runner.script import Counts, Finish, Reply, Script, Text, ToolUse, Wait
from roundwatch.core.runner.tools import Arguments, ToolContext

from tests.core.runner.stand import Stand

ASKS = Reply((ToolUse("ask", '{"task": "Count."}', id="t1"), Finish("tool_calls")), Counts(1, 1))
SAYS_DONE = Reply((Text("Done."), Finish("stop")), Counts(1, 1))
SILENT = Reply((Wait(1e6),))
SHORT_S = 0.2


async def run(stand: Stand, below: Reply, *tools: Tool, limit_s: float | None = SHORT_S, **task: object) -> None:
    stand.provider.scripts |= {"boss": Script((ASKS, SAYS_DONE)), "scout": Script((below, SAYS_DONE))}
    limits = NO_LIMITS if limit_s is None else NO_LIMITS.model_copy(update={"seconds": limit_s})
    base = Task("", "scout", headers={SCRIPT_HEADER: "scout"}, limits=limits)
    agents = [
        Agent("boss", model="gpt", tools=(subagent_tool("scout", name="ask", base=base),)),
        Agent("scout", model="gpt", tools=tools),
    ]
    async with Runner(stand.publish, agents=agents, models=stand.models, settings=stand.settings) as runner:
        given = Task("Go.", "boss", round="r", headers={SCRIPT_HEADER: "boss"})
        await runner.run(replace(given, **task))  # type: ignore[arg-type]
        assert len(runner.delegates.registry) == 0


async def test_its_limit_stops_a_delegate_and_not_its_parent(stand: Stand) -> None:
    async with asyncio.timeout(30):
        await run(stand, SILENT)
    assert classify(stand.ledger.rounds["r.1"]).verdict is Verdict.ROUND_TIMED_OUT
    assert classify(stand.round).is_answer
    types = [event.type for event in stand.events if event.type in ("round.warning", "round.partial")]
    assert types == ["round.warning", "round.partial"]


async def test_a_delegate_without_a_limit_of_its_own_has_that_of_the_settings(stand: Stand) -> None:
    stand.settings = replace(stand.settings, delegation_s=SHORT_S)
    async with asyncio.timeout(30):
        await run(stand, SILENT, limit_s=None)
    assert stand.only(RoundStarted)[1].limits.seconds == SHORT_S
    assert stand.only(RoundWarning)[0].facts["timeout_ms"] == 200


async def test_a_text_that_was_still_streaming_is_not_told_as_recovered(stand: Stand) -> None:
    async with asyncio.timeout(30):
        await run(stand, Reply((Text("22 bollards, and", rate=1e6), Wait(1e6))), limit_s=0.5)
    assert stand.only(RoundPartial)[0].kept_chars == 0
    assert stand.ledger.rounds["r.1"].text == "22 bollards, and"  # and stands on its own round


async def test_a_block_that_ends_only_because_its_delegate_is_stopped_is_not_recovered(stand: Stand) -> None:
    ledger = Ledger()

    async def play(task: Task) -> RoundResult:
        recorder = Recorder("r.1", stand.publish, ledger, task.observe)
        said = CallOutput(round="r.1", call="c1", kind=OutputKind.TEXT, text="22 bollards, and")
        await recorder.put(RoundStarted(round="r.1"), CallStarted(round="r.1", call="c1"), said)
        await task.cancel.wait()
        await recorder.put(CallFinished(round="r.1", call="c1", outcome=CallOutcome.CANCELLED, finish_reason=None))
        await recorder.tell_cancel(task.cancel)
        await recorder.put(RoundFinished(round="r.1"))
        return RoundResult("r.1", classify(ledger.rounds["r.1"]), "")

    task = Task("Go.", "clerk", round="r.1", limits=NO_LIMITS.model_copy(update={"seconds": 0.05}))
    above = Recorder("r", stand.publish, ledger)
    result = await Delegates(Settings(), stand.publish).run(task, above, play)
    assert result.timed_out is not None
    assert not result.timed_out.partial_available


async def test_who_does_not_look_says_nothing_about_what_there_was(stand: Stand) -> None:
    stand.settings = replace(stand.settings, recover=Recover.NOTHING)
    await run(stand, SILENT)
    assert (len(stand.only(RoundWarning)), stand.only(RoundPartial)) == (1, [])


async def test_who_answers_in_time_is_not_told_of(stand: Stand) -> None:
    await run(stand, SAYS_DONE, limit_s=60.0)
    assert (stand.only(RoundWarning), stand.only(RoundPartial)) == ([], [])


@pytest.mark.parametrize("by", [CancelledBy.USER, CancelledBy.LIMIT])
async def test_a_delegate_that_is_stopped_with_its_parent_is_not_out_of_time(stand: Stand, by: CancelledBy) -> None:
    cancel = Cancellation()
    stand.on_event = lambda event: (
        cancel.request(by, 60.0) if isinstance(event, CallOutput) and event.round == "r.1" else None
    )
    async with asyncio.timeout(30):
        await run(stand, Reply((Text("22 bol"), Wait(1e6))), limit_s=60.0, cancel=cancel)
    assert (stand.only(RoundWarning), stand.only(RoundPartial)) == ([], [])
    assert all(round_.is_over for round_ in stand.ledger.rounds.values())


async def test_a_delegate_that_waits_for_an_approval_is_told_as_suspended(stand: Stand) -> None:
    async def nobody_answers(arguments: Arguments) -> bool:
        await asyncio.Event().wait()
        return True

    async def send(arguments: Arguments, context: ToolContext) -> str:
        return "sent"

    asks = Reply((ToolUse("send", "{}"), Finish("tool_calls")), Counts(1, 1))
    tool = Tool("send", send, permission=Permission.ASK, approve=nobody_answers)
    async with asyncio.timeout(30):
        await run(stand, asks, tool, limit_s=1.0)
    assert stand.only(RoundWarning)[0].facts["child_state"] == "suspended"


async def test_a_parent_goes_on_while_a_stopped_delegate_still_unwinds(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "UNWIND_S", 0.1)
    let_go = asyncio.Event()

    async def stubborn(arguments: Arguments, context: ToolContext) -> str:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue
        return "at last"

    def release(event: Event) -> None:
        if isinstance(event, RoundFinished) and event.round == "r":
            let_go.set()

    stand.on_event = release
    asks = Reply((ToolUse("dig", "{}"), Finish("tool_calls")), Counts(1, 1))
    async with asyncio.timeout(30):
        await run(stand, asks, Tool("dig", stubborn), limit_s=0.5)
    ends = [event.round for event in stand.only(RoundFinished)]
    assert ends == ["r", "r.1"]  # the parent was not held up, and the runner waited for the rest when it closed
    assert stand.only(RoundPartial)[0].source == "spawn-accumulator:reasoning"


async def test_what_ends_in_the_same_moment_by_itself_is_handed_over_as_it_is(stand: Stand) -> None:
    stand.provider.scripts["clerk"] = Script((SAYS_DONE,))
    ledger = Ledger()
    async with Runner(stand.publish, agents=[Agent("clerk", model="gpt")], models=stand.models) as runner:
        answered = await runner.run(Task("Go.", "clerk", round="r.1", headers={SCRIPT_HEADER: "clerk"}), ledger=ledger)

    async def play(task: Task) -> RoundResult:
        await task.cancel.wait()  # its time is up in the moment in which it answers
        return answered

    delegates = Delegates(Settings(), stand.publish)
    task = Task("Go.", "clerk", round="r.1", limits=NO_LIMITS.model_copy(update={"seconds": 0.0}))
    assert await delegates.run(task, Recorder("r", stand.publish, ledger), play) is answered
    assert stand.only(RoundPartial) == []


async def test_an_error_of_the_delegate_is_raised_and_leaves_no_record(stand: Stand) -> None:
    async def play(task: Task) -> RoundResult:
        raise RuntimeError("the hub is gone")

    delegates = Delegates(Settings(), stand.publish)
    with pytest.raises(RuntimeError, match="the hub is gone"):
        await delegates.run(Task("Go.", "clerk", round="r.1"), Recorder("r", stand.publish, Ledger()), play)
    assert len(delegates.registry) == 0
