from __future__ import annotations

import json
import subprocess
import sys

import pytest
from roundwatch.core.rounds import Outcome, classify
from roundwatch.core.rounds.evidence import claims_completed

from tests.rounds import asks, call, end, event, fold, folded, judge, start


@pytest.mark.parametrize("finish", ["stop", "end_turn", "stop_sequence"])
def test_a_natural_end_with_text_is_a_confirmed_answer(finish: str) -> None:
    outcome = judge(start(), call("c1", finish, "Done."), end())
    assert (outcome.evidence, outcome.is_answer, outcome.doubts) == ("confirmed", True, ())


@pytest.mark.parametrize(
    ("lines", "doubt"),
    [
        (call("c1", None, "x"), "finish_reason_never_reported"),
        (call("c1", "brand_new", "x"), "unrecognised_reason"),
        (call("c1", "tool_calls", "x"), "reason_contradicts_content"),
        (event("round.output", kind="text", text="x"), "no_calls_recorded"),
        (call("c1", "stop", "x", usage={"output_tokens": -5}), "usage_implausible"),
    ],
)
def test_each_doubt_keeps_a_completed_round_from_being_an_answer(lines: list[dict[str, object]], doubt: str) -> None:
    outcome = judge(start(), lines, end())
    assert (outcome.verdict, outcome.evidence, outcome.doubts) == ("completed", "unconfirmed", (doubt,))
    assert outcome.status == "completed"
    assert outcome.parent_outcome == "answered"
    assert not outcome.is_answer


@pytest.mark.parametrize(
    ("word", "means"),
    [
        ("completed", True),
        ("Success", True),
        ("end-turn", True),
        ("error", False),
        ("timed out", False),
        ("blue", None),
    ],
)
def test_a_claimed_word_means_done_not_done_or_nothing_we_know(word: str, means: bool | None) -> None:
    assert claims_completed(word) is means


@pytest.mark.parametrize(
    ("finish", "claimed", "differs"),
    [
        ("length", "completed", True), ("length", "error", False), ("stop", "error", True), ("stop", "done", False),
        ("stop", "blue", False),
    ],
)  # fmt: skip
def test_a_claim_never_changes_the_verdict_and_a_difference_is_told(finish: str, claimed: str, differs: bool) -> None:
    told = judge(start(), call("c1", finish, "text"), end(status=claimed))
    silent = judge(start(), call("c1", finish, "text"), end())
    assert (told.verdict, told.contradicts_claim) == (silent.verdict, differs)
    assert told.claim is not None
    assert told.claim.status == claimed
    assert not silent.contradicts_claim


def test_a_running_round_says_what_it_would_be_if_it_ended_now() -> None:
    opened = folded(start(), event("call.started", call="c1"))
    assert (classify(opened).verdict, classify(opened).provisional) == ("running", "stream_ended_without_finish")
    asking = folded(start(), call("c1", "tool_use"), asks("c1"))
    assert classify(asking).provisional == "unfinished_tool_call"
    answered = classify(folded(start(), call("c1", "stop", "x")))
    assert (answered.provisional, answered.provisional_doubts, answered.is_answer) == ("completed", (), False)
    doubted = classify(folded(start(), call("c1", None, "x")))
    assert (doubted.provisional, doubted.provisional_doubts) == ("completed", ("finish_reason_never_reported",))


def test_figures_are_those_of_the_last_call_and_never_a_sum() -> None:
    lines = call("c1", "tool_use", usage={"output_tokens": 100}) + asks("c1")
    lines += call("c2", "length", usage={"output_tokens": 24, "input_tokens": 9}, first_output_ms=15, total_ms=18)
    figures = judge(start(), lines, end()).figures
    assert figures is not None
    assert (figures.call, figures.output_tokens, figures.input_tokens) == ("c2", 24, 9)
    assert (figures.first_output_ms, figures.total_ms, figures.finish_reason) == (15, 18, "length")


def test_every_unanswered_round_with_a_call_has_figures() -> None:
    for finish in ("length", None, "content_filter", "pause_turn"):
        assert judge(start(), call("c1", finish), end()).figures is not None


def test_the_cap_is_quoted_as_the_limit_only_where_it_was() -> None:
    def cut(output_tokens: int | None, cap: int | None) -> Outcome:
        usage = {"output_tokens": output_tokens}
        return judge(start(), call("c1", "length", "x", sent={"max_output_tokens": cap}, usage=usage), end())

    assert cut(60, 60).facts["below_cap"] is False
    assert cut(47, 50).facts["below_cap"] is True
    assert cut(None, 50).facts["below_cap"] is False
    assert cut(47, None).facts["cap"] is None


def test_the_same_state_gives_the_same_outcome_and_it_is_json() -> None:
    ledger = fold(start(), call("c1", "length", "x"), end(status="done"))
    first, second = classify(ledger.rounds["r"]), classify(ledger.rounds["r"])
    assert first == second
    told = json.loads(json.dumps(first.as_json()))
    assert (told["verdict"], told["completion_reason"], told["evidence"]) == ("output_cap_reached", "truncated", None)
    assert told["figures"]["finish_reason"] == "length"


def test_a_forced_summary_after_a_limit_is_readable_and_no_answer() -> None:
    outcome = judge(
        start(), call("c1", "tool_use"), asks("c1"), event("tool.finished", tool_call="t1", ok=True),
        call("c2", "end_turn", "Summary so far."), event("round.stopped", why="iterations", limit=1),
    )  # fmt: skip
    assert outcome.verdict == "max_iterations"
    assert "summary_after_limit" in [note.code for note in outcome.notes]


def test_a_fallback_model_that_answered_makes_no_model_a_mere_mark() -> None:
    lines = event("round.no_usable_model", requested="big") + call("c1", "stop", "Hi.")
    assert judge(start(), lines, end()).is_answer


def test_the_core_of_rounds_loads_no_event_loop_no_socket_and_no_front_end() -> None:
    heavy = ("asyncio", "websockets", "textual", "rich", "babel")
    code = f"import sys, roundwatch.core.rounds; print([name for name in {heavy!r} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
