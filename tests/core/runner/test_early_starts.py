from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from roundwatch.core.rounds import CancelledBy, Event, OutputKind, RefusedWhy, ToolState, Verdict
from roundwatch.core.rounds.events import CallOutput, ToolFinished, ToolRefused, ToolRequested, ToolStarted
from roundwatch.core.runner import Cancellation, Permission, Tool, ToolContext
from roundwatch.core.runner.early_starts import EarlyRun, EarlyStarts
from roundwatch.core.runner.script import Counts, Ending, Finish, Reply, Text, ToolUse, Wait
from roundwatch.core.runner.tool_run import Ran
from roundwatch.core.runner.tools import Arguments

from tests.core.runner.stand import Stand


async def _see(arguments: Arguments, context: ToolContext) -> str:
    return "seen"


def requested(id: str, name: str = "look", *, complete: bool = True, arguments: str = "{}") -> ToolRequested:
    return ToolRequested(round="r", call="c", tool_call=id, name=name, arguments=arguments, complete=complete)


def arguments_of(id: str) -> CallOutput:
    return CallOutput(round="r", call="c", kind=OutputKind.TOOL_ARGUMENTS, text="{", tool_call=id)


class Began:
    """What was started, by id."""

    def __init__(self, wire: str, **changes: object) -> None:
        self.ids: list[str] = []
        tool = replace(Tool("look", _see, concurrent=True), **changes)  # type: ignore[arg-type]
        self.starts = EarlyStarts(wire, {"look": tool}, self._start)

    async def _start(self, event: ToolRequested, tool: Tool, run: EarlyRun) -> Ran:
        run.began = True
        self.ids.append(event.tool_call)
        return Ran("seen", True, 1.0)

    async def after(self, *events: Event) -> list[str]:
        for event in events:
            self.starts.take(event)
        await asyncio.sleep(0)
        await self.starts.discard()
        return self.ids


async def test_on_anthropic_a_call_starts_at_the_end_of_its_block() -> None:
    assert await Began("anthropic").after(requested("t1")) == ["t1"]


async def test_on_chat_a_call_starts_when_the_next_one_comes() -> None:
    assert await Began("openai-chat").after(requested("t1")) == []
    assert await Began("openai-chat").after(requested("t1"), arguments_of("t1")) == []
    assert await Began("openai-chat").after(requested("t1"), arguments_of("t2")) == ["t1"]


@pytest.mark.parametrize(
    "event",
    [requested("t1", complete=False), requested("t1", "fly"), requested("t1", arguments="[1]")],
)
async def test_what_is_not_whole_or_not_there_does_not_start(event: ToolRequested) -> None:
    assert await Began("anthropic").after(event) == []


@pytest.mark.parametrize(
    "change", [{"concurrent": False}, {"permission": Permission.ASK}, {"permission": Permission.FORBID}]
)
async def test_what_is_not_safe_or_not_allowed_does_not_start(change: dict[str, object]) -> None:
    assert await Began("anthropic", **change).after(requested("t1")) == []


async def test_nothing_starts_twice() -> None:
    assert await Began("anthropic").after(requested("t1"), requested("t1")) == ["t1"]


async def test_what_was_dropped_before_its_first_step_never_began() -> None:
    began = Began("anthropic")
    began.starts.take(requested("t1"))
    await began.starts.discard()
    run = began.starts.of("c", "t1")
    assert run is not None
    assert not run.began


READS = (ToolUse("look", "{}", id="t1"), Wait(5.0))


async def _hang(arguments: Arguments, context: ToolContext) -> str:
    await asyncio.sleep(3600)
    return ""


HANGS = Tool("look", _hang, concurrent=True)


async def test_a_stop_while_it_streams_ends_what_had_started(stand: Stand) -> None:
    cancel = Cancellation()
    stand.on_event = lambda event: cancel.request(CancelledBy.USER) if event.type == "tool.started" else None
    outcome = await stand.run([Reply((*READS, Wait(1e6)))], [HANGS], model="claude", cancel=cancel)
    assert outcome.verdict is Verdict.CANCELLED
    refused = stand.only(ToolRefused)[0]
    assert (refused.tool_call, refused.why, refused.started_early) == ("t1", RefusedWhy.INTERRUPTED, True)


async def test_a_response_that_breaks_off_takes_its_early_work_with_it(stand: Stand) -> None:
    outcome = await stand.run([Reply(READS, ending=Ending.RESET)], [HANGS], model="claude")
    assert outcome.verdict is Verdict.RESPONSE_BODY_CUT
    assert [tool.state for tool in stand.round.tool_calls.values()] == [ToolState.REFUSED]


async def test_a_host_that_shuts_down_leaves_no_early_work_behind(stand: Stand) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def work(arguments: Arguments, context: ToolContext) -> str:
        begun.set()
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()
        return ""

    tool = Tool("look", work, concurrent=True)
    round_ = asyncio.create_task(stand.run([Reply((*READS, Wait(1e6)))], [tool], model="claude"))
    await begun.wait()
    round_.cancel()
    with pytest.raises(asyncio.CancelledError):
        await round_
    assert ended.is_set()


async def test_an_early_result_counts_as_soon_as_the_response_proves_whole(stand: Stand) -> None:
    first = Reply((*READS, Text("Let me see."), Finish("tool_use")), Counts(1, 1))
    closing = Reply((Finish("end_turn"),), Counts(1, 1))
    outcome = await stand.run([first, closing], [Tool("look", _see, concurrent=True)], model="claude")
    assert stand.only(ToolStarted)[0].early
    assert [event.preview for event in stand.only(ToolFinished)] == ["seen"]
    assert outcome.verdict is Verdict.NO_FINAL_ANSWER  # the text before the result is no answer
