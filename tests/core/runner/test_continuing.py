from __future__ import annotations

from dataclasses import replace

import pytest
from roundwatch.core.rounds import CancelledBy, Usage, Verdict
from roundwatch.core.rounds.events import CallFinished, RoundWarning
from roundwatch.core.runner import Cancellation, Piece, Rules
from roundwatch.core.runner.script import Counts, Ending, Finish, HttpError, Reasoning, RefusalText, Reply, Text

from tests.core.runner.stand import Stand

CUT = Reply((Text("It li"), Finish("length")), Counts(10, 50, 30))
REST = Reply((Text("es east."), Finish("stop")), Counts(64, 4))
SILENT = Reply((Text("It li"),), None)


async def test_the_counts_of_both_calls_are_added_up_for_whoever_stands_above(stand: Stand) -> None:
    pieces: list[Piece] = []
    stand.settings = replace(stand.settings, rules=Rules())
    await stand.run([CUT, REST], listen=pieces.append)
    last = pieces[-1]
    assert last.finish_reason == "stop"
    assert last.usage == Usage(input_tokens=74, output_tokens=54, reasoning_tokens=30)
    assert [call.usage.output_tokens for call in stand.round.calls] == [50, 4]


async def test_a_budget_of_two_continues_twice(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=Rules(continuations=2))
    more = Reply((Text("es "), Finish("length")), Counts(60, 50))
    outcome = await stand.run([CUT, more, Reply((Text("east."), Finish("stop")), Counts(70, 2))])
    assert outcome.is_answer
    assert stand.text == "It lies east."
    assert [call.continuation and call.continuation.of for call in stand.round.calls] == [None, "c1", "c2"]


async def test_each_call_of_the_loop_has_a_budget_of_its_own(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=Rules())
    await stand.run([CUT, REST])
    assert (await stand.run([CUT, REST], round="r2")).is_answer


async def test_a_continuation_is_retried_like_any_call(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=Rules())
    broken = Reply((Text("es we"),), ending=Ending.RESET)
    outcome = await stand.run([CUT, broken, REST])
    assert outcome.is_answer
    assert stand.text == "It lies east."
    assert [(call.attempt, call.continuation is not None) for call in stand.round.calls] == [
        (1, False), (1, True), (2, True),
    ]  # fmt: skip


async def test_a_continuation_that_fails_for_good_is_what_ended_the_round(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=Rules())
    outcome = await stand.run([CUT, Reply(error=HttpError(403, "permission_error", "No."))])
    assert outcome.verdict is Verdict.PROVIDER_ERROR
    assert stand.text == ""


async def test_a_refusal_on_its_own_channel_is_nothing_to_carry_on(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=Rules())
    cut = Reply((Text("It li"), RefusalText("I cannot"), Finish("length")), Counts(10, 50))
    await stand.run([cut, REST])
    assert len(stand.round.calls) == 1
    assert stand.only(RoundWarning)[0].facts == {"reason": "unsafe_content"}


async def test_a_full_window_is_never_continued(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=Rules())
    full = Reply((Text("It li"), Finish("model_context_window_exceeded")), Counts(10, 50))
    outcome = await stand.run([full, REST], model="claude")
    assert outcome.verdict is Verdict.CONTEXT_WINDOW_EXCEEDED
    assert len(stand.round.calls) == 1


async def test_the_window_is_estimated_where_no_count_was_reported(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=Rules())
    stand.models = [replace(model, context_window=90) for model in stand.models]
    silent = Reply((Text("It li"), Finish("length")), None)
    await stand.run([silent, REST], prompt="word " * 100)
    assert len(stand.round.calls) == 1


@pytest.mark.parametrize("cut", [CUT, Reply((Reasoning("Let me"), Finish("length")), Counts(10, 50, 50))])
async def test_a_stop_that_comes_before_the_continuation_ends_the_round_cancelled(stand: Stand, cut: Reply) -> None:
    cancel = Cancellation()
    stand.settings = replace(stand.settings, rules=Rules())
    stand.on_event = lambda event: cancel.request(CancelledBy.USER) if event.type == "call.finished" else None
    outcome = await stand.run([cut, REST], cancel=cancel)
    assert outcome.verdict is Verdict.CANCELLED
    assert len(stand.round.calls) == 1
    assert stand.only(RoundWarning) == []


async def test_a_model_that_never_reports_is_left_alone_and_that_is_told_rarely(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=Rules())
    outcome = await stand.run([SILENT])
    assert outcome.verdict is Verdict.COMPLETED
    assert [event.code for event in stand.only(RoundWarning)] == ["continuation_skipped"]


async def test_a_stop_while_the_continuation_waits_for_another_attempt_ends_it_too(stand: Stand) -> None:
    cancel = Cancellation()
    stand.settings = replace(stand.settings, rules=Rules(), retry_first_s=3600, retry_cap_s=3600)
    stand.on_event = lambda event: (
        cancel.request(CancelledBy.USER) if isinstance(event, CallFinished) and event.call == "c2" else None
    )
    busy = Reply(error=HttpError(503, "server_error", "Down."))
    outcome = await stand.run([CUT, busy, REST], cancel=cancel)
    assert outcome.verdict is Verdict.CANCELLED
    assert len(stand.round.calls) == 2
    assert stand.round.text == "It li"
