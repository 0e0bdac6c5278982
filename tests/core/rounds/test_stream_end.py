"""R9: when a missing finish reason makes a cut, and when it makes only a doubt."""

from __future__ import annotations

import pytest
from roundwatch.core.rounds import classify

from tests.rounds import asks, call, end, event, fold, folded, judge, result, start


def test_text_without_any_report_stays_completed_but_unconfirmed() -> None:
    outcome = judge(start(), call("c1", None, "A whole answer."), end())
    assert (outcome.verdict, outcome.evidence, outcome.doubts) == (
        "completed", "unconfirmed", ("finish_reason_never_reported",),
    )  # fmt: skip
    assert not outcome.is_answer


@pytest.mark.parametrize("earlier", ["tool_calls", "pause_turn", "something_new"])
def test_an_earlier_report_of_any_kind_proves_the_cut(earlier: str) -> None:
    lines = call("c1", earlier) + asks("c1") + result() + call("c2", None, "The result is")
    assert judge(start(), lines, end()).verdict == "stream_ended_without_finish"


@pytest.mark.parametrize("blank", ["", "  ", None])
def test_a_blank_earlier_reason_proves_nothing(blank: str | None) -> None:
    lines = call("c1", blank) + asks("c1") + result() + call("c2", None, "All good.")
    assert judge(start(), lines, end()).verdict == "completed"


def test_the_closing_call_itself_is_no_proof_and_neither_is_another_round() -> None:
    ledger = fold(start(), call("c1", "stop", "x"), end(), round_="other")
    fold(start(), call("c1", None, "text"), end(), ledger=ledger)
    assert classify(ledger.rounds["r"]).verdict == "completed"


def test_without_text_no_proof_is_needed() -> None:
    assert judge(start(), call("c1", None), end()).verdict == "stream_ended_without_finish"


def test_a_continuation_is_proof_in_itself() -> None:
    sent = {"continuation": {"of": "c1", "kind": "stream_ended"}}
    outcome = judge(start(), call("c1", None, "half "), call("c2", None, "and more", sent=sent), end())
    assert outcome.verdict == "stream_ended_without_finish"
    assert [(note.code, note.facts.get("n")) for note in outcome.notes] == [("continuation_ended_same_way", 1)]


def test_a_call_still_open_at_the_end_is_a_cut_without_proof_and_whatever_the_text() -> None:
    lines = event("call.started", call="c1") + event("call.output", call="c1", kind="text", text="Once upon")
    outcome = judge(start(), lines, end(status="completed"))
    assert outcome.verdict == "stream_ended_without_finish"
    assert outcome.facts["open_call"] is True
    assert outcome.contradicts_claim


def test_inside_a_gap_of_our_own_nothing_is_concluded_from_what_is_missing() -> None:
    ledger = fold(start(), event("call.started", call="c1"), asks("c1"))
    ledger.gap()
    fold(event("call.output", call="c1", kind="text", text="tail"), end(), ledger=ledger)
    outcome = classify(ledger.rounds["r"])
    assert (outcome.verdict, outcome.is_answer) == ("completed", False)
    assert "feed_gap" in outcome.doubts


def test_a_cli_harness_round_without_calls_never_reaches_this_rule() -> None:
    said = event("round.output", kind="text", text="answer")
    assert judge(start(harness="cli"), said, end()).doubts == ("no_calls_recorded",)
    assert judge(start(harness="cli"), end()).verdict == "no_output"


def test_a_done_marker_is_no_finish_reason() -> None:
    lines = call("c1", "tool_calls") + asks("c1") + result() + call("c2", None, "So", done_marker=True)
    outcome = judge(start(), lines, end())
    assert outcome.facts["done_marker"] is True
    assert outcome.verdict == "stream_ended_without_finish"


def test_a_blank_finish_reason_is_kept_as_not_reported() -> None:
    round_ = folded(start(), call("c1", "", "text"))
    assert round_.calls[0].finish_reason is None
    assert round_.calls[0].stop_reason is None
