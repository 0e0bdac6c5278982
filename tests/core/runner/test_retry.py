from __future__ import annotations

from dataclasses import replace

import pytest
from roundwatch.core.rounds import CallOutcome, Event, OutputKind, Usage, Verdict
from roundwatch.core.rounds.events import CallFinished, CallOutput, CallUsage
from roundwatch.core.runner import Piece, Rules
from roundwatch.core.runner.retry import Held
from roundwatch.core.runner.script import BodyError, Counts, Ending, Finish, HttpError, KeepAlives, Reply, Text, ToolUse

from tests.core.runner.stand import NOTHING_REPAIRED, Stand

ANSWER = Reply((Text("It lies east."), Finish("stop")), Counts(10, 4))
RESET = Reply((Text("It li"),), ending=Ending.RESET)
REGENERATES = Rules(continuations=0)


class Above:
    """What stands above: it remembers."""

    def __init__(self) -> None:
        self.seen: list[Event] = []
        self.forgotten = 0

    def take(self, event: Event) -> None:
        self.seen.append(event)

    def forget(self) -> None:
        self.forgotten += 1


def finish(word: str | None) -> CallFinished:
    return CallFinished(round="r", call="c", outcome=CallOutcome.COMPLETED, finish_reason=word)


TEXT = CallOutput(round="r", call="c", kind=OutputKind.TEXT, text="It lies")
EMPTY = CallOutput(round="r", call="c", kind=OutputKind.TEXT, text="")
USAGE = CallUsage(round="r", call="c", usage=Usage(output_tokens=1))


@pytest.mark.parametrize(
    ("events", "passed"),
    [
        ([finish("stop"), USAGE], [finish("stop"), USAGE]),
        ([finish("stop"), EMPTY, USAGE], [finish("stop"), USAGE]),
        ([TEXT, EMPTY, finish(None)], [TEXT, EMPTY, finish(None)]),
        ([EMPTY, finish("length")], [finish("length")]),
        ([EMPTY, finish(None)], []),
    ],
)
def test_a_finish_that_was_held_is_passed_on_in_its_place(events: list[Event], passed: list[Event]) -> None:
    above = Above()
    held = Held(above)
    for event in events:
        held.take(event)
    held.close()
    assert above.seen == passed


def test_of_an_attempt_that_failed_before_any_output_nothing_is_seen_above() -> None:
    above = Above()
    held = Held(above)
    held.take(finish("error"))
    held.drop()
    assert (above.seen, above.forgotten) == ([], 0)


def test_what_was_passed_on_is_taken_back_when_another_attempt_follows() -> None:
    above = Above()
    held = Held(above)
    held.take(TEXT)
    held.drop()
    assert above.forgotten == 1


async def pieces_of(stand: Stand, rules: Rules, *replies: Reply) -> list[Piece]:
    pieces: list[Piece] = []
    stand.settings = replace(stand.settings, rules=rules)
    await stand.run(replies, listen=pieces.append)
    return pieces


@pytest.mark.parametrize("rules", [NOTHING_REPAIRED, replace(NOTHING_REPAIRED, hold_chunks=False)])
async def test_a_failed_attempt_is_not_seen_above_while_chunks_are_held(stand: Stand, rules: Rules) -> None:
    busy = Reply(error=HttpError(503, "server_error", "Down."))
    pieces = await pieces_of(stand, rules, busy, ANSWER)
    assert sum(piece.taken_back for piece in pieces) == (0 if rules.hold_chunks else 1)
    assert [piece.finish_reason for piece in pieces if piece.finish_reason] == ["stop"]


@pytest.mark.parametrize("model", ["gpt", "claude"])
async def test_a_broken_transfer_of_nothing_but_text_is_made_anew(stand: Stand, model: str) -> None:
    pieces: list[Piece] = []
    stand.settings = replace(stand.settings, rules=REGENERATES)
    stop = "stop" if model == "gpt" else "end_turn"
    answer = Reply((Text("It lies east."), Finish(stop)), Counts(10, 4))
    outcome = await stand.run([RESET, answer], model=model, listen=pieces.append)
    assert outcome.is_answer
    assert stand.text == "It lies east."
    assert [call.attempt for call in stand.round.calls] == [1, 2]
    assert sum(piece.taken_back for piece in pieces) == 1
    assert {piece.message for piece in pieces} == {"c1"}


async def test_a_stall_after_nothing_but_text_is_made_anew(stand: Stand) -> None:
    stand.settings = replace(stand.settings, stall_s=0.3, rules=REGENERATES)
    outcome = await stand.run([Reply((Text("It li"), KeepAlives(1e6))), ANSWER])
    assert outcome.is_answer
    assert [call.outcome for call in stand.round.calls] == [CallOutcome.STALLED, CallOutcome.COMPLETED]


async def test_an_error_in_the_middle_of_text_is_made_anew(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=REGENERATES)
    broken = Reply((Text("It li"), BodyError("overloaded_error", "Overloaded")), ending=Ending.EOF)
    assert (await stand.run([broken, ANSWER])).is_answer


async def test_a_call_that_asked_for_a_tool_is_never_made_anew(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=REGENERATES)
    outcome = await stand.run([Reply((ToolUse("look", "{}"),), ending=Ending.RESET), ANSWER])
    assert outcome.verdict is Verdict.RESPONSE_BODY_CUT
    assert len(stand.round.calls) == 1


async def test_what_keeps_breaking_ends_as_what_it_is(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=REGENERATES)
    outcome = await stand.run([RESET] * 9)
    assert outcome.verdict is Verdict.RESPONSE_BODY_CUT
    assert len(stand.round.calls) == stand.settings.attempts


@pytest.mark.parametrize(
    ("finish", "verdict"),
    [
        ("stop", Verdict.NO_OUTPUT),
        ("length", Verdict.OUTPUT_CAP_REACHED),
        (None, Verdict.STREAM_ENDED_WITHOUT_FINISH),
    ],
)
async def test_the_text_of_a_failed_attempt_is_no_answer_of_the_next(
    stand: Stand, finish: str | None, verdict: Verdict
) -> None:
    stand.settings = replace(stand.settings, rules=REGENERATES)
    outcome = await stand.run([RESET, Reply((Finish(finish),) if finish else (), Counts(10, 1))])
    assert outcome.verdict is verdict
    assert not outcome.is_success
    assert stand.text == ""


async def test_a_continuation_made_anew_without_text_keeps_what_it_continued(stand: Stand) -> None:
    stand.settings = replace(stand.settings, rules=Rules())
    cut = Reply((Text("It lies"), Finish("length")), Counts(10, 50))
    broken = Reply((Text(" ea"),), ending=Ending.RESET)
    outcome = await stand.run([cut, broken, Reply((Finish("stop"),), Counts(60, 1))])
    assert outcome.is_answer
    assert stand.text == "It lies"
