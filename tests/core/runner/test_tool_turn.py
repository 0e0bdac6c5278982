from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from roundwatch.core.policies import TRUNCATED_CALL
from roundwatch.core.rounds import CancelledBy, RefusedWhy, ToolState, Verdict
from roundwatch.core.rounds.events import IterationCompleted, RoundWarning, ToolFinished, ToolRefused, ToolRequested
from roundwatch.core.runner import Cancellation, Permission, Tool, ToolContext, ToolFailed
from roundwatch.core.runner.agents import Model
from roundwatch.core.runner.messages import Message, Request
from roundwatch.core.runner.script import Counts, Finish, Reply, Text, ToolUse
from roundwatch.core.runner.tools import Arguments

from tests.core.runner.stand import Stand

ANSWER = Reply((Text("Done."), Finish("stop")), Counts(10, 4))
HALF = '{"path": "/etc/secret-pla'


def asks(*uses: ToolUse, finish: str = "tool_calls") -> Reply:
    return Reply((*uses, Finish(finish)), Counts(10, 50, 7))


class Recording:
    """A tool that remembers what it was run with."""

    def __init__(self, name: str = "read_file", **more: Any) -> None:
        self.seen: list[Arguments] = []
        self.tool = Tool(name, self._run, **more)

    async def _run(self, arguments: Arguments, context: ToolContext) -> str:
        self.seen.append(arguments)
        return f"text for {context.tool_call}"


async def test_a_result_is_told_with_its_time_and_a_short_preview(stand: Stand) -> None:
    reader = Recording()
    await stand.run([asks(ToolUse("read_file", '{"path": "a"}', id="t1")), ANSWER], [reader.tool])
    assert reader.seen == [{"path": "a"}]
    finished = stand.only(ToolFinished)[0]
    assert (finished.tool_call, finished.call, finished.ok, finished.preview) == ("t1", "c1", True, "text for t1")
    assert finished.duration_ms >= 0


async def test_calls_of_one_response_run_at_the_same_time(stand: Stand) -> None:
    both = asyncio.Barrier(2)

    async def meet(arguments: Arguments, context: ToolContext) -> str:
        async with asyncio.timeout(20):
            await both.wait()
        return "met"

    await stand.run([asks(ToolUse("meet", "{}"), ToolUse("meet", "{}")), ANSWER], [Tool("meet", meet)])
    assert [event.ok for event in stand.only(ToolFinished)] == [True, True]


@pytest.mark.parametrize("error", [ToolFailed("disk is full"), OSError("disk is full")])
async def test_a_tool_that_raises_has_failed_and_the_round_goes_on(stand: Stand, error: Exception) -> None:
    async def fail(arguments: Arguments, context: ToolContext) -> str:
        raise error

    outcome = await stand.run([asks(ToolUse("write", "{}")), ANSWER], [Tool("write", fail)])
    assert outcome.is_answer
    finished = stand.only(ToolFinished)[0]
    assert not finished.ok
    assert "disk is full" in finished.error


async def test_an_unknown_tool_is_refused(stand: Stand) -> None:
    await stand.run([asks(ToolUse("fly", "{}")), ANSWER])
    refused = stand.only(ToolRefused)[0]
    assert (refused.why, refused.started_early) == (RefusedWhy.UNKNOWN_TOOL, False)


async def test_a_forbidden_tool_is_refused_and_nobody_is_asked(stand: Stand) -> None:
    reader = Recording(permission=Permission.FORBID)
    await stand.run([asks(ToolUse("read_file", "{}")), ANSWER], [reader.tool])
    assert stand.only(ToolRefused)[0].why is RefusedWhy.POLICY
    assert reader.seen == []
    assert "round.suspended" not in stand.types()


@pytest.mark.parametrize("answer", [True, False])
async def test_an_approval_suspends_the_round_until_it_is_given_or_not(stand: Stand, answer: bool) -> None:
    async def approve(arguments: Arguments) -> bool:
        assert stand.round.suspended is not None
        return answer

    reader = Recording(permission=Permission.ASK, approve=approve)
    outcome = await stand.run([asks(ToolUse("read_file", "{}")), ANSWER], [reader.tool])
    assert outcome.is_answer
    assert stand.types()[3:6] == ["call.finished", "round.suspended", "round.resumed"]
    assert len(reader.seen) == answer
    assert [event.why for event in stand.only(ToolRefused)] == ([] if answer else [RefusedWhy.PERMISSION])


async def test_nobody_to_ask_means_no(stand: Stand) -> None:
    reader = Recording(permission=Permission.ASK)
    await stand.run([asks(ToolUse("read_file", "{}")), ANSWER], [reader.tool])
    assert stand.only(ToolRefused)[0].why is RefusedWhy.PERMISSION
    assert reader.seen == []


async def test_a_cancel_while_an_approval_is_pending_ends_the_round(stand: Stand) -> None:
    cancel = Cancellation()

    async def approve(arguments: Arguments) -> bool:
        cancel.request(CancelledBy.USER)
        await asyncio.sleep(3600)
        return True

    reader = Recording(permission=Permission.ASK, approve=approve)
    outcome = await stand.run([asks(ToolUse("read_file", "{}")), ANSWER], [reader.tool], cancel=cancel)
    assert outcome.verdict is Verdict.CANCELLED
    assert reader.seen == []
    assert stand.only(ToolRefused)[0].why is RefusedWhy.INTERRUPTED


async def test_a_cancel_ends_running_tools_and_keeps_the_results_there_are(stand: Stand) -> None:
    cancel = Cancellation()
    ended = asyncio.Event()

    async def long(arguments: Arguments, context: ToolContext) -> str:
        cancel.request(CancelledBy.USER)
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()
        return ""

    quick = Recording("quick")
    uses = asks(ToolUse("quick", "{}", id="t1"), ToolUse("long", "{}", id="t2"))
    outcome = await stand.run([uses, ANSWER], [quick.tool, Tool("long", long)], cancel=cancel)
    assert outcome.verdict is Verdict.CANCELLED
    assert ended.is_set()
    assert [tool.state for tool in stand.round.tool_calls.values()] == [ToolState.OK, ToolState.REFUSED]
    refused = stand.only(ToolRefused)[0]
    assert (refused.tool_call, refused.why) == ("t2", RefusedWhy.INTERRUPTED)
    assert refused.started_early is None  # it did run: nobody may say "not run"


@pytest.mark.parametrize("model", ["gpt", "claude"])
async def test_a_cut_response_has_all_its_calls_refused_and_the_round_recovers(
    stand: Stand, model: str, caplog: pytest.LogCaptureFixture
) -> None:
    reader = Recording()
    cut = asks(
        ToolUse("read_file", '{"path": "a"}', id="t1"),
        ToolUse("read_file", HALF, id="t2", whole=False),
        finish="length" if model == "gpt" else "max_tokens",
    )
    outcome = await stand.run([cut, ANSWER], [reader.tool], model=model)
    assert outcome.verdict is Verdict.COMPLETED
    assert reader.seen == []
    after = stand.types()[stand.types().index("call.finished") :]
    assert after[:5] == ["call.finished", "round.warning", "tool.refused", "tool.refused", "iteration.completed"]
    refused = stand.only(ToolRefused)
    assert [(event.tool_call, event.why, event.message) for event in refused] == [
        ("t1", RefusedWhy.OUTPUT_CAP, TRUNCATED_CALL),
        ("t2", RefusedWhy.OUTPUT_CAP, TRUNCATED_CALL),
    ]
    warning = stand.only(RoundWarning)[0]
    assert warning.code == "cut_tool_calls_refused"
    assert warning.facts == {
        "iteration": 1, "tools": ["read_file", "read_file"], "early": False,
        "output_tokens": 50, "reasoning_tokens": 7,
    }  # fmt: skip
    assert stand.only(IterationCompleted)[0].will_continue
    assert sum("max_tokens" in record.getMessage() for record in caplog.records) == 1
    assert "secret-pla" not in caplog.text


async def test_a_context_window_cut_refuses_too_and_says_what_it_was(stand: Stand) -> None:
    reader = Recording()
    cut = asks(ToolUse("read_file", "{}"), finish="model_context_window_exceeded")
    await stand.run([cut, ANSWER], [reader.tool], model="claude")
    assert reader.seen == []
    assert "the context window" in stand.only(RoundWarning)[0].message


async def test_a_router_that_hides_the_cut_is_not_believed(stand: Stand) -> None:
    reader = Recording()
    cut = Reply((ToolUse("read_file", "{}"), Finish("tool_calls", native="max_output_tokens")), Counts(1, 50))
    await stand.run([cut, ANSWER], [reader.tool])
    assert reader.seen == []
    assert stand.only(ToolRefused)[0].why is RefusedWhy.OUTPUT_CAP


async def test_three_cut_responses_in_a_row_end_the_round_and_say_that_all_were_cuts(stand: Stand) -> None:
    cut = asks(ToolUse("read_file", HALF, whole=False), finish="length")
    outcome = await stand.run([cut] * 9, [Recording().tool])
    assert outcome.verdict is Verdict.STALLED_ITERATIONS
    assert outcome.facts["all_refused"] is True


async def test_a_filtered_response_has_its_calls_refused_and_the_round_ends_filtered(stand: Stand) -> None:
    reader = Recording()
    outcome = await stand.run([asks(ToolUse("read_file", "{}"), finish="content_filter"), ANSWER], [reader.tool])
    assert outcome.verdict is Verdict.CONTENT_FILTERED
    assert reader.seen == []
    assert len(stand.round.calls) == 1


async def test_arguments_that_do_not_parse_are_never_run_and_never_logged(
    stand: Stand, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="roundwatch")
    reader = Recording()
    await stand.run([asks(ToolUse("read_file", HALF)), ANSWER], [reader.tool])
    assert reader.seen == []
    warning = stand.only(RoundWarning)[0]
    assert warning.code == "arguments_unparseable"
    assert warning.facts == {"error": "JSONDecodeError", "offset": 9, "length": len(HALF)}
    finished = stand.only(ToolFinished)[0]
    assert not finished.ok
    told = [event for event in stand.events if not isinstance(event, ToolRequested) and event.type != "call.output"]
    assert "secret-pla" not in "".join(event.model_dump_json() for event in told)
    assert "secret-pla" not in caplog.text


@pytest.mark.parametrize("model", ["gpt", "claude"])
async def test_half_arguments_are_replayed_as_none_on_both_wires(stand: Stand, model: str) -> None:
    sent: list[list[Message]] = []

    async def keep(messages: list[Message]) -> list[Message]:
        sent.append(list(messages))
        return messages

    cut = asks(ToolUse("read_file", HALF, id="t1"), finish="length" if model == "gpt" else "max_tokens")
    half = asks(ToolUse("read_file", HALF, id="t2"), finish="tool_calls" if model == "gpt" else "tool_use")
    await stand.run([cut, half, ANSWER], [Recording().tool], model=model, prepare=keep)
    served: Model = next(each for each in stand.models if each.name == model)
    body = json.dumps(Request(tuple(sent[-1])).body(served))
    assert "secret-pla" not in body
    assert body.count("t1") == body.count("t2") == 2  # the call and its answer
