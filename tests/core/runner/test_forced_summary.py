from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from roundwatch.core.rounds import CancelledBy, Event, Verdict
from roundwatch.core.rounds.base import Limits
from roundwatch.core.rounds.events import CallFinished, CallStarted, RoundWarning, ToolRefused, ToolStarted
from roundwatch.core.runner import Cancellation, Rules, Tool, ToolContext
from roundwatch.core.runner.script import Counts, Finish, HttpError, Reply, Text, ToolUse, Wait
from roundwatch.core.runner.tools import Arguments

from tests.core.runner.stand import Stand

ASKS = Reply((ToolUse("look", "{}"), Finish("tool_calls")), Counts(10, 4))
SUMMARY = Reply((Text("So far nothing."), Finish("stop")), Counts(10, 4))
RULES = Rules(continuations=0, summary_after_limit=True)


async def _look(arguments: Arguments, context: ToolContext) -> str:
    return "seen"


LOOK = Tool("look", _look, concurrent=True)


@pytest.mark.parametrize("limits", [Limits(iterations=1), Limits(tokens=14)])
async def test_a_summary_after_a_limit_is_readable_and_no_answer(stand: Stand, limits: Limits) -> None:
    stand.settings = replace(stand.settings, rules=RULES)
    outcome = await stand.run([ASKS, SUMMARY], [LOOK], limits=limits)
    assert outcome.verdict in (Verdict.MAX_ITERATIONS, Verdict.TOKEN_BUDGET)
    assert "summary_after_limit" in [note.code for note in outcome.notes]
    assert stand.round.text == "So far nothing."
    assert stand.types()[-4:] == ["call.started", "call.finished", "round.stopped", "round.finished"]


async def test_without_the_option_there_is_no_further_call(stand: Stand) -> None:
    await stand.run([ASKS, SUMMARY], [LOOK], limits=Limits(iterations=1))
    assert len(stand.only(CallStarted)) == 1


async def test_a_cut_summary_is_warned_of_as_outside_the_loop(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=RULES)
    cut = Reply((Text("So far"), Finish("length")), Counts(10, 50))
    await stand.run([ASKS, cut], [LOOK], limits=Limits(iterations=1))
    assert [(event.code, event.facts) for event in stand.only(RoundWarning)] == [
        ("call_truncated_outside_loop", {"purpose": "forced summary"})
    ]


@pytest.mark.parametrize("finish", ["tool_calls", "length"])
async def test_tools_that_it_asks_for_all_the_same_are_refused(stand: Stand, finish: str) -> None:
    stand.settings = replace(stand.settings, rules=RULES)
    asks_again = Reply((ToolUse("look", "{}"), ToolUse("look", "{}"), Wait(5.0), Finish(finish)), Counts(10, 4))
    outcome = await stand.run([ASKS, asks_again], [LOOK], limits=Limits(iterations=1))
    assert outcome.verdict is Verdict.MAX_ITERATIONS
    assert len(stand.only(ToolRefused)) == 2
    assert len(stand.only(ToolStarted)) == 1  # that of the first response


async def test_a_round_without_progress_has_nothing_to_sum_up(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=RULES)
    outcome = await stand.run([ASKS] * 3)
    assert outcome.verdict is Verdict.STALLED_ITERATIONS
    assert len(stand.only(CallStarted)) == 3


class StopsAt:
    """Asks to stop soon after an event of the summary's call."""

    def __init__(self, kind: type[CallStarted] | type[CallFinished]) -> None:
        self.cancel = Cancellation()
        self._kind = kind

    def __call__(self, event: Event) -> None:
        if isinstance(event, self._kind) and event.call == "c2":
            asyncio.get_running_loop().call_later(0.05, self.cancel.request, CancelledBy.USER)


async def test_a_stop_while_it_streams_ends_it(stand: Stand) -> None:
    stand.on_event = stops = StopsAt(CallStarted)
    stand.settings = replace(stand.settings, rules=RULES)
    slow = Reply((Text("So"), Wait(1e6)))
    outcome = await stand.run([ASKS, slow], [LOOK], limits=Limits(iterations=1), cancel=stops.cancel)
    assert outcome.verdict is Verdict.CANCELLED


async def test_a_stop_while_it_waits_for_another_attempt_ends_it_too(stand: Stand) -> None:
    stand.on_event = stops = StopsAt(CallFinished)
    stand.settings = replace(stand.settings, rules=RULES, retry_first_s=3600, retry_cap_s=3600)
    busy = Reply(error=HttpError(503, "server_error", "Down."))
    outcome = await stand.run([ASKS, busy], [LOOK], limits=Limits(iterations=1), cancel=stops.cancel)
    assert outcome.verdict is Verdict.CANCELLED
    assert len(stand.only(CallStarted)) == 2
