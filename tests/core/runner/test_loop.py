from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace

import pytest
from roundwatch.core.rounds import CancelledBy, Claim, Event, Outcome, StoppedWhy, Verdict
from roundwatch.core.rounds.base import Limits
from roundwatch.core.rounds.events import (
    CallFinished,
    CallOutput,
    CallStarted,
    CancelRequested,
    IterationCompleted,
    NoModelCause,
    NoUsableModel,
    RoundFinished,
    RoundStarted,
    RoundStopped,
    RoundWarning,
    SelectionUnresolved,
)
from roundwatch.core.runner import SCRIPT_HEADER, Agent, Cancellation, Runner, Task, run_round
from roundwatch.core.runner.messages import Message
from roundwatch.core.runner.script import (
    BodyError,
    Counts,
    Ending,
    Finish,
    HttpError,
    KeepAlives,
    Reasoning,
    Reply,
    Script,
    Text,
    ToolUse,
    Wait,
)
from roundwatch.core.runner.tools import Arguments, Tool, ToolContext, ToolFailed

from tests.core.runner.stand import Stand

ANSWER = Reply((Text("It lies east."), Finish("stop")), Counts(10, 4))
ASKS = Reply((ToolUse("look", "{}"), Finish("tool_calls")), Counts(10, 4))


async def _look(arguments: Arguments, context: ToolContext) -> str:
    return "seen"


async def _fail(arguments: Arguments, context: ToolContext) -> str:
    raise ToolFailed("no")


def _says_completed(outcome: Outcome) -> Claim:
    return Claim(status="completed")


def _says_nothing(outcome: Outcome) -> None:
    return None


LOOK = Tool("look", _look)
BAD_LOOK = Tool("look", _fail)


async def test_an_answer_is_told_in_order_and_claimed_as_what_it_is(stand: Stand) -> None:
    outcome = await stand.run([ANSWER], thread="t", title="Harbour")
    assert outcome.is_answer
    assert stand.text == "It lies east."
    assert stand.types() == [
        "round.started", "call.started", "call.finished", "iteration.completed", "round.finished",
    ]  # fmt: skip
    started = stand.only(CallStarted)[0]
    assert (started.model, started.provider, started.wire) == ("gpt", "openai", "openai-chat")
    assert (started.max_output_tokens, started.iteration, started.attempt) == (50, 1, 1)
    assert stand.only(RoundFinished)[0].claimed == Claim(status="completed")
    assert "".join(event.text for event in stand.only(CallOutput)) == "It lies east."


@pytest.mark.parametrize("model", ["gpt", "claude"])
async def test_times_come_from_the_monotonic_clock(stand: Stand, model: str) -> None:
    await stand.run([Reply((Wait(5.0), Text("a b c d"), Finish("stop")), Counts(1, 1))], model=model)
    finished = stand.only(CallFinished)[0]
    assert 5.0 / 50 * 1000 <= finished.first_output_ms <= finished.total_ms


async def test_a_tool_round_goes_on_until_the_model_answers(stand: Stand) -> None:
    outcome = await stand.run([ASKS, ASKS, ANSWER], [LOOK])
    assert outcome.is_answer
    assert [call.iteration for call in stand.round.calls] == [1, 2, 3]
    assert stand.types().count("tool.finished") == 2


async def test_the_claim_is_the_hosts_own_word_whatever_happened(stand: Stand) -> None:
    cut = Reply((Text("It lies"), Finish("length")), Counts(10, 50))
    outcome = await stand.run([cut], claim=_says_completed)
    assert outcome.verdict is Verdict.OUTPUT_CAP_REACHED
    assert outcome.contradicts_claim
    silent = await stand.run([cut], round="r2", claim=_says_nothing)
    assert silent.verdict is Verdict.OUTPUT_CAP_REACHED
    assert stand.only(RoundFinished)[1].claimed is None
    assert not silent.contradicts_claim


async def test_an_unknown_agent_is_told_with_those_there_are(stand: Stand) -> None:
    outcome = await stand.run([], agent="translator")
    assert outcome.verdict is Verdict.SELECTION_UNRESOLVED
    event = stand.only(SelectionUnresolved)[0]
    assert (event.requested, event.available) == ("translator", ("clerk",))
    assert "translator" in event.sentence
    assert stand.provider.requests == 0


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"name": "other"}, NoModelCause.NO_MODEL),
        ({"wire": "carrier-pigeon"}, NoModelCause.NO_FACTORY),
        ({"api_key": None}, NoModelCause.NO_CREDENTIAL),
    ],
)
async def test_a_model_that_cannot_serve_is_told_with_the_cause(
    stand: Stand, change: dict[str, str], cause: NoModelCause
) -> None:
    stand.models = [replace(stand.models[0], **change)]  # type: ignore[arg-type]  # a few string fields
    outcome = await stand.run([])
    assert outcome.verdict is Verdict.NO_USABLE_MODEL
    assert stand.only(NoUsableModel)[0].cause is cause
    assert stand.provider.requests == 0


async def test_a_busy_provider_is_asked_again_as_a_new_call(stand: Stand) -> None:
    busy = Reply(error=HttpError(429, "rate_limit_error", "Slow down."))
    overloaded = Reply((BodyError("overloaded_error", "Overloaded"),), ending=Ending.EOF)
    outcome = await stand.run([busy, overloaded, ANSWER])
    assert outcome.is_answer
    assert [(call.id, call.iteration, call.attempt) for call in stand.round.calls] == [
        ("c1", 1, 1), ("c2", 1, 2), ("c3", 1, 3),
    ]  # fmt: skip


async def test_a_busy_provider_is_not_asked_for_ever(stand: Stand) -> None:
    busy = Reply(error=HttpError(503, "server_error", "Down."))
    outcome = await stand.run([busy] * 9)
    assert outcome.verdict is Verdict.PROVIDER_ERROR
    assert len(stand.round.calls) == stand.settings.attempts


@pytest.mark.parametrize(
    "reply",
    [
        Reply(error=HttpError(403, "permission_error", "No.")),
        Reply((Text("Half an"), BodyError("overloaded_error", "Overloaded")), ending=Ending.EOF),
        Reply((Text("Half an"),), ending=Ending.RESET),
    ],
)
async def test_what_will_not_pass_or_showed_output_is_not_sent_again(stand: Stand, reply: Reply) -> None:
    outcome = await stand.run([reply, ANSWER])
    assert not outcome.is_complete
    assert len(stand.round.calls) == 1


async def test_a_provider_that_asks_for_a_wait_gets_it_up_to_the_cap(stand: Stand) -> None:
    busy = Reply(error=HttpError(429, "rate_limit_error", "Slow down.", headers={"retry-after": "3600"}))
    stand.settings = replace(stand.settings, retry_cap_s=0.01)
    assert (await stand.run([busy, ANSWER])).is_answer


async def test_nobody_listening_is_a_fault_that_says_so(stand: Stand) -> None:
    stand.models = [replace(stand.models[0], base_url="http://127.0.0.1:1")]
    outcome = await stand.run([])
    assert outcome.verdict is Verdict.FAULTED
    errors = [event.error for event in stand.only(CallFinished)]
    assert [error.kind for error in errors] == ["unreachable"] * 3
    assert "ConnectError" in errors[0].message


async def test_three_iterations_without_progress_end_the_round(stand: Stand) -> None:
    outcome = await stand.run([ASKS] * 9, [BAD_LOOK])
    assert outcome.verdict is Verdict.STALLED_ITERATIONS
    stop = stand.only(RoundStopped)[0]
    assert (stop.why, stop.used, stop.all_refused) == (StoppedWhy.STALLED_ITERATIONS, 3, False)
    assert stand.types()[-3:] == ["iteration.completed", "round.stopped", "round.finished"]


async def test_a_success_in_between_starts_the_count_anew(stand: Stand) -> None:
    asks_both = Reply((ToolUse("look", "{}"), ToolUse("gone", "{}"), Finish("tool_calls")), Counts(1, 1))
    asks_gone = Reply((ToolUse("gone", "{}"), Finish("tool_calls")), Counts(1, 1))
    outcome = await stand.run([asks_gone, asks_gone, asks_both, asks_gone, asks_gone, ANSWER], [LOOK])
    assert outcome.is_answer


@pytest.mark.parametrize(
    ("limits", "why"),
    [(Limits(iterations=2), StoppedWhy.ITERATIONS), (Limits(tokens=28), StoppedWhy.TOKENS)],
)
async def test_a_limit_ends_the_round_before_the_next_call(stand: Stand, limits: Limits, why: StoppedWhy) -> None:
    await stand.run([ASKS] * 9, [LOOK], limits=limits)
    assert stand.only(RoundStopped)[0].why is why
    assert len(stand.round.calls) == 2
    assert [event.will_continue for event in stand.only(IterationCompleted)] == [True, False]


async def test_an_answer_at_the_last_allowed_iteration_is_an_answer(stand: Stand) -> None:
    assert (await stand.run([ASKS, ANSWER], [LOOK], limits=Limits(iterations=2))).is_answer


async def test_a_time_limit_during_a_call_cancels_it(stand: Stand) -> None:
    slow = Reply((Text("a "), Wait(1e6)), Counts(1, 1))
    outcome = await stand.run([slow], limits=Limits(seconds=0.2))
    assert outcome.verdict is Verdict.ROUND_TIMED_OUT
    assert [(event.by, event.limit_s) for event in stand.only(CancelRequested)] == [(CancelledBy.LIMIT, 0.2)]
    assert stand.only(RoundStopped) == []


async def test_a_time_limit_between_calls_stops_the_round(stand: Stand) -> None:
    async def long(arguments: Arguments, context: ToolContext) -> str:
        await asyncio.sleep(3600)
        return ""

    outcome = await stand.run([ASKS], [Tool("look", long)], limits=Limits(seconds=0.5))
    assert outcome.verdict is Verdict.WALL_CLOCK
    stop = stand.only(RoundStopped)[0]
    assert stop.limit == 0.5
    assert stop.used >= 0.5
    assert stand.only(CancelRequested) == []


async def test_a_cancel_while_streaming_keeps_the_text(stand: Stand) -> None:
    cancel = Cancellation()
    stand.on_event = lambda event: cancel.request(CancelledBy.USER) if event.type == "call.output" else None
    outcome = await stand.run([Reply((Text("It lies"), Wait(1e6)))], cancel=cancel)
    assert outcome.verdict is Verdict.CANCELLED
    assert stand.types()[-3:] == ["round.cancel_requested", "call.finished", "round.finished"]
    assert stand.round.text
    assert stand.text == ""


async def test_a_cancel_between_two_attempts_is_honoured(stand: Stand) -> None:
    cancel = Cancellation()
    stand.settings = replace(stand.settings, retry_first_s=3600, retry_cap_s=3600)
    stand.on_event = lambda event: cancel.request(CancelledBy.USER) if event.type == "call.finished" else None
    busy = Reply(error=HttpError(503, "server_error", "Down."))
    outcome = await stand.run([busy, ANSWER], cancel=cancel)
    assert outcome.verdict is Verdict.CANCELLED
    assert len(stand.round.calls) == 1


async def test_a_cancel_while_refusing_waits_until_every_call_is_answered(stand: Stand) -> None:
    cancel = Cancellation()
    stand.on_event = lambda event: cancel.request(CancelledBy.USER) if event.type == "tool.refused" else None
    cut = Reply((ToolUse("look", "{}"), ToolUse("look", '{"a', whole=False), Finish("length")), Counts(1, 50))
    outcome = await stand.run([cut, ANSWER], [LOOK], cancel=cancel)
    assert outcome.verdict is Verdict.CANCELLED
    assert stand.types()[-5:] == [
        "tool.refused", "tool.refused", "iteration.completed", "round.cancel_requested", "round.finished",
    ]  # fmt: skip


async def test_a_host_that_shuts_down_is_recorded_before_it_goes(stand: Stand) -> None:
    streaming = asyncio.Event()
    stand.on_event = lambda event: streaming.set() if event.type == "call.output" else None
    task = asyncio.create_task(stand.run([Reply((Text("It lies"), Wait(1e6)))]))
    await streaming.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stand.types()[-3:] == ["round.cancel_requested", "call.finished", "round.finished"]
    assert stand.only(CancelRequested)[0].by is CancelledBy.HOST
    assert stand.only(RoundFinished)[0].claimed.status == "cancelled"


async def test_an_error_of_the_loop_itself_ends_the_round_and_not_the_caller(stand: Stand) -> None:
    async def broken(messages: list[Message]) -> list[Message]:
        raise KeyError("template")

    agent = Agent("clerk", model="gpt", prepare=broken)
    result = await run_round(stand.publish, Task("Go.", "clerk", round="r"), agents=[agent], models=stand.models)
    assert result.outcome.verdict is Verdict.FAULTED
    assert stand.only(RoundStopped)[0].error == "KeyError: 'template'"


async def test_keep_alives_do_not_hide_a_stall(stand: Stand) -> None:
    stand.settings = replace(stand.settings, stall_s=0.3)
    for model in ("gpt", "claude"):
        outcome = await stand.run([Reply((Text("It lies"), KeepAlives(1e6)))], round=model, model=model)
        assert outcome.verdict is Verdict.PROVIDER_STALLED
    for finished in stand.only(CallFinished):
        assert finished.silent_ms >= 300
        assert finished.total_ms >= finished.silent_ms


async def test_a_stream_that_said_finish_and_then_hung_is_no_stall(stand: Stand) -> None:
    stand.settings = replace(stand.settings, stall_s=0.3)
    outcome = await stand.run([Reply((Text("It lies east."), Finish("stop"), KeepAlives(1e6)))])
    assert outcome.verdict is Verdict.COMPLETED
    assert stand.only(CallFinished)[0].silent_ms is None


async def test_a_provider_that_never_begins_to_answer_is_a_stall_too(stand: Stand) -> None:
    stand.settings = replace(stand.settings, stall_s=0.3, attempts=1)
    slow = Reply((Wait(1e6),), error=HttpError(500, "server_error", "late"))
    outcome = await stand.run([slow])
    assert outcome.verdict is Verdict.PROVIDER_STALLED
    assert stand.only(CallFinished)[0].first_output_ms is None


async def test_a_broken_transfer_says_how_it_broke(stand: Stand) -> None:
    outcome = await stand.run([Reply((Text("It lies"),), ending=Ending.RESET)])
    assert outcome.verdict is Verdict.RESPONSE_BODY_CUT
    assert stand.round.text == "It lies"
    assert stand.only(CallFinished)[0].error.message not in ("", "ReadError")


async def test_a_cut_answer_is_handed_over_flagged_with_one_warning(
    stand: Stand, caplog: pytest.LogCaptureFixture
) -> None:
    cut = Reply((Text("It lies"), Finish("length")), Counts(10, 50, 30))
    outcome = await stand.run([cut])
    assert outcome.is_success
    assert stand.text == "It lies\n\n[System: response truncated at max_tokens]"
    assert [event.code for event in stand.only(RoundWarning)] == ["cut_answer"]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "50 output tokens and 30 reasoning tokens" in caplog.text
    assert not any("[System" in (getattr(event, "text", None) or "") for event in stand.events)


async def test_a_cut_with_reasoning_only_promises_no_partial(stand: Stand) -> None:
    cut = Reply((Reasoning("Let me see"), Finish("max_tokens")), Counts(10, 50, 50))
    outcome = await stand.run([cut], model="claude")
    assert not outcome.is_success
    assert stand.text == ""
    assert "partial" not in stand.only(RoundWarning)[0].message


async def test_a_relaunched_round_keeps_its_calls_apart(stand: Stand) -> None:
    await stand.run([ANSWER])
    assert (await stand.run([ANSWER], call_prefix="again-")).is_answer
    assert [call.id for call in stand.round.calls] == ["c1", "again-1"]


async def test_no_event_and_no_log_line_holds_the_key(stand: Stand, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    stand.models = [replace(model, api_key="sk-secret-1") for model in stand.models]
    for number, model in enumerate(("gpt", "claude")):
        await stand.run([ANSWER], round=f"r{number}", model=model)
        await stand.run([Reply(error=HttpError(403, "permission_error", "No."))], round=f"e{number}", model=model)
    assert "sk-secret-1" not in "".join(event.model_dump_json() for event in stand.events)
    assert "sk-secret-1" not in caplog.text
    assert "sk-secret-1" not in repr(stand.models)


async def test_rounds_that_run_at_once_do_not_mix(stand: Stand) -> None:
    async with Runner(stand.publish, agents=[Agent("clerk", model="gpt")], models=stand.models) as runner:
        names = [f"say-{number}" for number in range(12)]
        for name in names:
            stand.provider.scripts[name] = Script((Reply((Text(name), Finish("stop")), Counts(1, 1)),))
        tasks = [runner.run(Task("Go.", "clerk", round=name, headers={SCRIPT_HEADER: name})) for name in names]
        results = await asyncio.gather(*tasks)
    assert [result.text for result in results] == names
    assert all(stand.ledger.rounds[name].text == name for name in names)


def test_importing_the_runner_loads_no_http_library() -> None:
    code = (
        "import sys, roundwatch.core.runner, roundwatch.core.runner.demo;"
        "print([name for name in ('httpx2', 'h11', 'websockets', 'textual') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_a_missing_client_library_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)

    async def publish(event: Event) -> None:
        pass

    with pytest.raises(ImportError, match=r"httpx2.*pip install 'roundwatch\[demo\]'"):
        Runner(publish, agents=[], models=[])


async def test_a_round_started_event_tells_what_the_task_says(stand: Stand) -> None:
    await stand.run([ANSWER], thread="t", title="Harbour", limits=Limits(tokens=900), locale="de")
    started = stand.only(RoundStarted)[0]
    assert (started.thread, started.title, started.agent, started.model) == ("t", "Harbour", "clerk", "gpt")
    assert (started.limits, started.locale, started.harness) == (Limits(tokens=900), "de", "api")
