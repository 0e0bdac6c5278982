"""Rounds as public bug reports describe them, told in events."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from roundwatch.core.rounds import Doubt, NoteCode, Outcome, ToolState, Verdict, classify

from tests.rounds import asks, call, end, event, fold, folded, judge, refuses, result, start


def noted(outcome: Outcome) -> dict[NoteCode, int | None]:
    return {note.code: note.facts.get("n") for note in outcome.notes}  # type: ignore[misc]


def test_an_iteration_limit_is_named_and_the_preamble_beside_a_tool_call_is_no_answer() -> None:
    lines = (
        *call("c1", "tool_calls", "Opening the page first."), *asks("c1", "t1"), *result("t1"),
        *call("c2", "tool_calls", "Let me check one more."), *asks("c2", "t2"),
    )  # fmt: skip
    assert judge(start(), lines, event("round.stopped", why="iterations", limit=2)).verdict == "max_iterations"
    assert judge(start(), lines, end(status="completed")).verdict == "unfinished_tool_call"


def test_an_unresolved_pick_outranks_the_answer_of_the_agent_that_took_over() -> None:
    pick = event(
        "round.selection_unresolved", requested="reviewer", available=["general-purpose"], sentence="not found"
    )
    outcome = judge(start(agent="general-purpose"), pick, call("c1", "stop", "Looks good."), end(status="complete"))
    assert outcome.verdict == "selection_unresolved"
    assert (outcome.facts["fallback_agent"], outcome.facts["ran"]) == ("general-purpose", True)
    assert outcome.figures is not None
    assert outcome.contradicts_claim


def test_an_unresolved_pick_where_nothing_ran_has_no_figures() -> None:
    pick = event("round.selection_unresolved", requested="ghost", available=["a", "b"], sentence="not found")
    outcome = judge(start(), pick, end())
    assert (outcome.figures, outcome.facts["ran"], outcome.facts["available"]) == (None, False, ("a", "b"))


def test_a_refused_call_followed_by_an_answer_is_completed_with_the_refusal_counted() -> None:
    lines = (*call("c1", "tool_use"), *asks("c1"), *refuses(why="policy"), *call("c2", "end_turn", "I could not."))
    outcome = judge(start(), lines, end(status="complete"))
    assert (outcome.verdict, outcome.is_answer) == ("completed", True)
    assert noted(outcome) == {NoteCode.TOOL_CALLS_REFUSED: 1}


def test_a_refused_call_that_ends_the_round_leaves_no_final_answer_whatever_is_claimed() -> None:
    outcome = judge(start(), call("c1", "tool_use"), asks("c1"), refuses(why="policy"), end(status="success"))
    assert (outcome.verdict, outcome.contradicts_claim) == ("no_final_answer", True)


def test_a_silent_open_call_is_provisionally_stalled_and_reverts_with_output() -> None:
    ledger = fold(
        start(at="2026-03-01T10:00:00Z"),
        event("call.started", call="c1", at="2026-03-01T10:00:00.010Z"),
        event("call.output", call="c1", kind="text", text="Wor", at="2026-03-01T10:00:00.900Z"),
    )
    later = datetime(2026, 3, 1, 10, 6, 40, tzinfo=UTC)
    outcome = classify(ledger.rounds["r"], now=later)
    assert (outcome.verdict, outcome.stalled_ms) == ("running", 399_100.0)
    fold(event("call.output", call="c1", kind="text", text="ld", at="2026-03-01T10:06:39Z"), ledger=ledger)
    assert classify(ledger.rounds["r"], now=later).stalled_ms is None


def test_usage_reports_are_no_output_and_keep_no_stall_away() -> None:
    ledger = fold(
        event("call.started", call="c1", at="2026-03-01T10:00:00Z"),
        event("call.output", call="c1", kind="usage", at="2026-03-01T10:04:00Z"),
    )
    assert classify(ledger.rounds["r"], now=datetime(2026, 3, 1, 10, 5, tzinfo=UTC)).stalled_ms == 300_000.0


def test_a_running_tool_or_a_pending_approval_is_never_a_stall() -> None:
    now = datetime(2026, 3, 1, 11, tzinfo=UTC)
    opened = event("call.started", call="c1", at="2026-03-01T10:00:00Z")
    tool = fold(opened, asks("c1"), event("tool.started", tool_call="t1"))
    waiting = fold(opened, event("round.suspended"))
    assert classify(tool.rounds["r"], now=now).stalled_ms is None
    assert classify(waiting.rounds["r"], now=now).stalled_ms is None


def test_an_abort_closes_the_open_call_with_the_round() -> None:
    round_ = folded(
        start(), event("call.started", call="c1"), event("call.output", call="c1", kind="text", text="Once upon"),
        event("round.cancel_requested", by="user"), end(status="cancelled"),
    )  # fmt: skip
    outcome = classify(round_)
    assert (outcome.verdict, outcome.completion_reason, outcome.contradicts_claim) == (
        "cancelled", "interrupted", False,
    )  # fmt: skip
    assert outcome.facts == {"by": "user", "text_kept": True, "wire": None}
    assert round_.is_over


def test_an_earlier_cut_stays_visible_under_a_completed_round() -> None:
    outcome = judge(start(), call("c1", "length", "part one"), call("c2", "stop", "part two. Done."), end())
    assert outcome.is_answer
    assert noted(outcome) == {NoteCode.EARLIER_CALLS_CUT: 1}


def test_a_running_sub_round_is_noted_under_its_completed_parent() -> None:
    ledger = fold(start())
    fold(start(parent={"round": "r"}), ledger=ledger, round_="r.1")
    fold(call("c1", "stop", "All set."), end(), ledger=ledger)
    outcome = classify(ledger.rounds["r"])
    assert outcome.verdict == "completed"
    assert [(note.code, note.facts["rounds"]) for note in outcome.notes] == [("sub_rounds_running", ("r.1",))]


def test_a_parent_that_was_told_ok_of_a_cut_sub_round_says_so() -> None:
    ledger = fold(start(), call("c1", "tool_use"), asks("c1", "t7", "delegate"))
    fold(
        start(parent={"round": "r", "tool_call": "t7"}), call("k1", "length", "half"), end(),
        ledger=ledger, round_="child",
    )  # fmt: skip
    fold(result("t7", ok=True), call("c2", "end_turn", "Here it is."), end(), ledger=ledger)
    codes = [(note.code, note.facts.get("verdicts")) for note in classify(ledger.rounds["r"]).notes]
    assert codes == [("sub_rounds_not_complete", ("output_cap_reached",)), ("parent_told_ok", None)]


def test_eleven_silent_minutes_after_the_last_tool_are_told_and_the_end_word_is_only_a_claim() -> None:
    outcome = judge(
        start(at="2026-03-01T10:00:00Z"),
        call("c1", "tool_use"), asks("c1"), result(at="2026-03-01T10:00:03.100Z"),
        event("round.finished", at="2026-03-01T10:11:04Z", claimed={"status": "end_turn"}),
    )  # fmt: skip
    assert (outcome.verdict, outcome.contradicts_claim) == ("no_final_answer", True)
    assert [note.facts["ms"] for note in outcome.notes if note.code is NoteCode.SILENT_BEFORE_END] == [660_900.0]


def test_an_empty_round_has_no_output_and_no_figures() -> None:
    outcome = judge(start(), end(status="complete"))
    assert (outcome.verdict, outcome.figures) == ("no_output", None)


def test_arguments_that_are_half_json_make_an_unfinished_call_although_the_word_is_tool_calls() -> None:
    round_ = folded(start(), call("c1", "tool_calls"), asks("c1", arguments='{"path": "a'))
    assert round_.open_tools["c1", "t1"].state is ToolState.UNFINISHED


def test_empty_arguments_are_whole_after_a_normal_end_and_not_after_a_cut() -> None:
    whole = folded(start(), call("c1", "tool_calls"), asks("c1", arguments=""))
    cut = folded(start(), call("c1", "length"), asks("c1", arguments=""))
    assert whole.open_tools["c1", "t1"].state is ToolState.PENDING
    assert cut.open_tools["c1", "t1"].state is ToolState.UNFINISHED


def test_a_router_that_relabels_a_cut_as_tool_calls_is_cut() -> None:
    outcome = judge(start(), call("c1", "stop", "half", native_finish_reason="MAX_TOKENS"), end())
    assert outcome.verdict == "output_cap_reached"
    assert [note.facts for note in outcome.notes] == [{"finish_reason": "stop", "native": "MAX_TOKENS"}]


def test_the_worst_choice_decides() -> None:
    choices = [{"index": 0, "finish_reason": "stop"}, {"index": 1, "finish_reason": "length"}]
    outcome = judge(start(), call("c1", "stop", "left", choices=choices), end())
    assert outcome.verdict == "output_cap_reached"
    assert [note.facts["reasons"] for note in outcome.notes] == [("stop", "length")]


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("error", Verdict.PROVIDER_ERROR),
        ("MALFORMED_RESPONSE", Verdict.PROVIDER_ERROR),
        ("MALFORMED_FUNCTION_CALL", Verdict.UNFINISHED_TOOL_CALL),
        ("abort", Verdict.CANCELLED),
        ("content_filter", Verdict.CONTENT_FILTERED),
        ("pause_turn", Verdict.TURN_PAUSED),
    ],
)
def test_a_bad_word_decides_wherever_it_stands_and_is_the_one_quoted(word: str, verdict: Verdict) -> None:
    choices = [{"index": 0, "finish_reason": "stop"}, {"index": 1, "finish_reason": word}]
    places: tuple[dict[str, Any], ...] = (
        {"choices": choices}, {"finish_repeated": [word]}, {"native_finish_reason": word},
    )  # fmt: skip
    for where in places:
        outcome = judge(start(), call("c1", "stop", "Hello.", **where), end())
        assert outcome.verdict is verdict
        assert word in (outcome.facts.get("wire"), outcome.facts.get("provider_word"))


def test_the_text_of_a_failed_attempt_goes_only_once_a_later_attempt_wrote_its_own() -> None:
    first = (*call("c1", "tool_use", "Look."), *call("c2", None, "Half an ans", outcome="body_cut"))
    second = call("c3", None, outcome="failed", sent={"attempt": 2})
    third = call("c4", "stop", "A whole answer.", sent={"attempt": 3})
    assert folded(start(), first, second, end()).text == "Look.Half an ans"
    assert folded(start(), first, second, third, end()).text == "Look.A whole answer."


def test_text_of_an_attempt_that_was_made_anew_without_text_is_no_partial_answer() -> None:
    lines = (*call("c1", None, "Half an ans", outcome="body_cut"), *call("c2", "length", sent={"attempt": 2}))
    outcome = judge(start(), lines, end())
    assert (outcome.verdict, outcome.completion_reason) == (Verdict.OUTPUT_CAP_REACHED, "error")
    assert outcome.facts["text_kept"] is False


def test_a_refusal_channel_without_text_is_a_refusal_whatever_the_finish_word() -> None:
    refused = event("call.output", call="c1", kind="refusal", text="I cannot help with that.")
    lines = event("call.started", call="c1") + refused
    lines += event("call.finished", call="c1", outcome="completed", finish_reason="stop")
    outcome = judge(start(), lines, end())
    assert (outcome.verdict, outcome.facts["refused"]) == ("content_filtered", True)


def test_an_unknown_future_reason_is_completed_but_never_an_answer() -> None:
    outcome = judge(start(), call("c1", "quota_pause", "text"), end())
    assert (outcome.verdict, outcome.doubts) == ("completed", (Doubt.UNRECOGNISED_REASON,))


def test_reasoning_that_ate_the_cap_is_noted_with_both_counts_as_reported() -> None:
    usage = {"output_tokens": 200, "reasoning_tokens": 199}
    thought = event("call.output", call="c1", kind="reasoning", text="Hmm.")
    ended = event("call.finished", call="c1", outcome="completed", finish_reason="length", usage=usage)
    outcome = judge(start(), event("call.started", call="c1"), thought, ended, end())
    assert outcome.verdict == "output_cap_reached"
    assert [(note.code, dict(note.facts)) for note in outcome.notes] == [(NoteCode.ONLY_REASONING, usage)]


def test_reasoning_only_with_a_natural_end_is_no_output_and_says_so() -> None:
    thought = event("call.output", call="c1", kind="reasoning", text="Hmm.")
    ended = event("call.finished", call="c1", outcome="completed", finish_reason="end_turn")
    outcome = judge(start(), event("call.started", call="c1"), thought, ended, end())
    assert (outcome.verdict, [note.code for note in outcome.notes]) == ("no_output", [NoteCode.REASONING_ONLY])


def test_a_prompt_turned_away_by_a_filter_is_filtered_by_its_code() -> None:
    error = {"kind": "provider_error", "http_status": 400, "code": "content_filter", "message": "blocked"}
    outcome = judge(start(), call("c1", None, outcome="failed", error=error), end())
    assert (outcome.verdict, outcome.facts["prompt"], outcome.facts["wire"]) == (
        "content_filtered", True, "content_filter",
    )  # fmt: skip


def test_a_retry_that_worked_is_a_note_and_no_error() -> None:
    error = {"kind": "provider_error", "http_status": 529, "code": "overloaded_error"}
    outcome = judge(start(), call("c1", None, outcome="failed", error=error), call("c2", "end_turn", "Hi."), end())
    assert outcome.is_answer
    assert noted(outcome) == {NoteCode.RETRIES: 1}


def test_a_malformed_tool_call_is_unfinished_and_quotes_the_provider() -> None:
    outcome = judge(start(), call("c1", "MALFORMED_FUNCTION_CALL", finish_detail="Malformed: print("), end())
    assert outcome.verdict == "unfinished_tool_call"
    assert (outcome.facts["provider_word"], outcome.facts["provider_message"]) == (
        "MALFORMED_FUNCTION_CALL", "Malformed: print(",
    )  # fmt: skip


def test_a_response_malformed_as_a_whole_is_a_provider_error() -> None:
    assert judge(start(), call("c1", "malformed_model_output"), end()).verdict == "provider_error"


def test_a_provider_that_aborts_is_named_as_the_one_who_cancelled() -> None:
    outcome = judge(start(), call("c1", "abort", "half"), end(status="completed"))
    assert (outcome.verdict, outcome.completion_reason) == ("cancelled", "aborted")
    assert outcome.facts == {"by": "provider", "text_kept": True, "wire": "abort"}


def test_a_supervisor_that_gives_up_after_a_host_shutdown_settles_as_error() -> None:
    cuts = [{"at": "2026-03-01T10:00:00Z"}, {"at": "2026-03-01T10:30:00Z"}, {"at": "2026-03-01T11:00:00Z"}]
    ledger = fold(start(thread="th"), event("call.started", call="c1"), event("round.cancel_requested", by="host"))
    for verdict in ("relaunched", "gave_up"):
        supervised = event(
            "thread.supervised", thread="th", state="executing", verdict=verdict, cuts=cuts, relaunch_cap=2,
            relaunches=2, at="2026-03-01T11:05:00Z",
            summary={"round": "older", "at": "2026-03-01T08:05:00Z", "text": "HTTP 403"},
        )  # fmt: skip
        fold(supervised, ledger=ledger)
        fold(event("round.cancel_requested", by="host"), ledger=ledger) if verdict == "relaunched" else None
    outcome = classify(ledger.rounds["r"])
    assert (outcome.verdict, outcome.status) == (Verdict.SUPERVISOR_GAVE_UP, "error")
    assert outcome.facts == {
        "cuts": 3, "relaunches": 2, "cap": 2, "last_error": None, "last_error_is_error": None,
        "earlier_summary": "HTTP 403", "earlier_age_s": 10_800.0,
    }  # fmt: skip


def test_a_call_answered_with_an_error_because_its_arguments_did_not_parse_did_not_run() -> None:
    half = asks("c1", arguments='{"path": "a')
    answered = judge(start(), call("c1", "tool_calls"), half, result(ok=False), call("c2", "stop", "Sorry."), end())
    ran = judge(start(), call("c1", "tool_calls"), half, result(ok=True), call("c2", "stop", "Done."), end())
    assert noted(answered) == {NoteCode.TOOL_CALLS_FAILED: 1}
    assert noted(ran) == {NoteCode.ARGUMENTS_INCOMPLETE_RUN: 1}


def test_a_discarded_call_of_a_cut_response_and_one_refused_by_a_rule_are_told_apart() -> None:
    lines = (*call("c1", "length"), *asks("c1"), *refuses(), *asks("c1", "t2"), *refuses("t2", why="permission"))
    outcome = judge(start(), lines, call("c2", "stop", "Done."), end())
    assert noted(outcome) == {
        NoteCode.EARLIER_CALLS_CUT: 1, NoteCode.TOOL_CALLS_DISCARDED: 1, NoteCode.TOOL_CALLS_REFUSED: 1,
    }  # fmt: skip


def test_a_cut_inside_a_tool_call_is_told_beside_the_unfinished_call() -> None:
    half = asks("c1", arguments='{"path": "a', complete=False)
    outcome = judge(start(), call("c1", "length", usage={"output_tokens": 100}), half, end())
    assert outcome.verdict == "unfinished_tool_call"
    assert [(note.code, dict(note.facts)) for note in outcome.notes] == [
        (NoteCode.LAST_RESPONSE_CUT, {"output_tokens": 100})
    ]


def test_no_output_tells_whether_any_call_was_recorded() -> None:
    assert judge(start(), end()).facts == {"calls_recorded": False}
    assert judge(start(), call("c1", "stop"), end()).facts == {"calls_recorded": True}
