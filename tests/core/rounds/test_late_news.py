"""Events that come late, twice or not at all: none of them may make an answer of what was none."""

from __future__ import annotations

import pytest
from roundwatch.core.rounds import Doubt, EventError, Ledger, RoundSummary, ToolState, classify, parse_event
from roundwatch.core.rounds.ledger import DEEPEST_NESTING

from tests.rounds import Lines, asks, call, end, event, fold, folded, judge, result, start


def at(second: int) -> str:
    return f"2026-03-01T10:00:{second:02}Z"


@pytest.mark.parametrize("ended", [False, True])
def test_an_earlier_call_that_is_told_late_is_not_the_last_one(ended: bool) -> None:
    cut = call("c2", "length", "half", sent={"at": at(5)})
    earlier = call("c1", "stop", "part one", sent={"at": at(1)})
    finished = [{**fields, "at": at(9)} for fields in end()]
    round_ = folded(start(), cut, finished if ended else [], earlier, finished)
    assert [known.id for known in round_.calls] == ["c1", "c2"]
    assert classify(round_).verdict == "output_cap_reached"


def test_calls_told_in_any_order_stand_in_the_order_of_their_starts() -> None:
    late = [fields for n in (5, 3, 9, 1, 7) for fields in call(f"c{n}", "stop", sent={"at": at(n)})]
    round_ = folded(start(), late)
    assert [known.id for known in round_.calls] == ["c1", "c3", "c5", "c7", "c9"]
    assert round_.tally["reported"] == 5


@pytest.mark.parametrize("broken", ["failed", "stalled", "body_cut", "cancelled"])
def test_a_repeated_end_never_turns_a_broken_call_into_a_completed_one(broken: str) -> None:
    first = call("c1", None, "half", outcome=broken)
    again = event("call.finished", call="c1", outcome="completed", finish_reason="stop")
    assert judge(start(), first, again, end()).verdict == judge(start(), first, end()).verdict


@pytest.mark.parametrize(
    ("finish", "outcome"), [(None, "failed"), (None, "body_cut"), ("length", "completed"), ("refusal", "completed")]
)
def test_text_of_a_broken_call_is_no_answer_of_an_empty_one_after_it(finish: str | None, outcome: str) -> None:
    broken = call("c1", finish, "Half of an", outcome=outcome)
    found = judge(start(), broken, call("c2", "stop"), end())
    assert (found.verdict, found.doubts) == ("completed", (Doubt.REASON_CONTRADICTS_CONTENT,))
    assert judge(start(), broken, call("c2", "stop", "All of it."), end()).is_answer


def test_a_continuation_that_adds_nothing_leaves_a_whole_answer() -> None:
    more = call("c2", "stop", sent={"continuation": {"of": "c1", "kind": "output_cap"}})
    assert judge(start(), call("c1", "length", "All of it."), more, end()).is_answer


def test_a_round_that_waits_for_an_approval_still_waits_when_its_record_ends() -> None:
    ledger = fold(start(), call("c1", "stop", "May I?"), event("round.suspended", why="rm -r"))
    ledger.close("r", "end of file")
    found = classify(ledger.rounds["r"])
    assert (found.verdict, found.status, found.facts) == ("suspended", None, {"why": "rm -r"})


def test_a_relaunch_that_is_told_after_the_end_it_preceded_reopens_nothing() -> None:
    ended = [{**fields, "at": at(9)} for fields in end(status="completed")]
    relaunched = {"thread": "T", "state": "executing", "verdict": "relaunched"}
    late = event("thread.supervised", at=at(5), **relaunched)
    new = event("thread.supervised", at=at(10), **relaunched)
    assert folded(start(thread="T"), ended, late).is_over
    assert not folded(start(thread="T"), ended, new).is_over


def test_a_repeated_start_of_an_old_round_does_not_make_it_the_newest_of_its_thread() -> None:
    again = [{**fields, "round": "old"} for fields in start(thread="T")]
    gave_up = event("thread.supervised", thread="T", state="executing", verdict="gave_up")
    ledger = fold(again, start(thread="T"), again, gave_up)
    assert (ledger.rounds["old"].gave_up, ledger.rounds["r"].is_over) == (None, True)


def test_a_round_that_is_folded_again_does_not_become_the_newest_of_its_thread() -> None:
    ledger = fold(start(thread="T"), end())
    fold(start(thread="T"), ledger=ledger, round_="new")
    assert isinstance(ledger.retire("r"), RoundSummary)
    ledger.recall("r")
    fold(start(thread="T"), ledger=ledger)
    assert ledger.threads == {"T": "new"}


@pytest.mark.parametrize("lines", [call("c1", "stop", "text"), call("c1", "stop"), asks("c1") + call("c1", "tool_use")])
def test_a_round_that_began_inside_a_gap_is_judged_by_nothing_that_is_missing(lines: Lines) -> None:
    ledger = Ledger()
    ledger.gap()
    found = classify(fold(lines, end(), ledger=ledger).rounds["r"])
    assert (found.verdict, Doubt.FEED_GAP in found.doubts) == ("completed", True)


def test_a_round_that_starts_after_a_gap_has_lost_nothing() -> None:
    ledger = Ledger()
    ledger.gap()
    assert classify(fold(start(), call("c1", "stop", "text"), end(), ledger=ledger).rounds["r"]).is_answer


def test_a_sub_round_that_moved_belongs_to_its_new_parent_alone() -> None:
    ledger = fold(start())
    fold(start(parent={"round": "unseen"}), start(parent={"round": "r"}), ledger=ledger, round_="child")
    fold(start(), ledger=ledger, round_="unseen")
    assert (list(ledger.rounds["r"].children), list(ledger.rounds["unseen"].children)) == (["child"], [])


@pytest.mark.parametrize("order", [1, -1])
def test_a_circle_that_is_longer_than_any_real_nesting_still_has_a_way_in(order: int) -> None:
    size = DEEPEST_NESTING + 500
    ledger = Ledger()
    for n in range(size)[::order]:
        fold(start(parent={"round": f"n{(n + 1) % size}"}), ledger=ledger, round_=f"n{n}")
    waiting = [round_ for round_ in ledger.rounds.values() if round_.is_orphan]
    seen = set[str]()
    while waiting:
        found = waiting.pop()
        assert found.id not in seen
        seen.add(found.id)
        waiting += found.children.values()
    assert len(seen) == size


def test_a_supervisor_who_told_no_numbers_gave_up_after_an_unknown_number() -> None:
    gave_up = {"thread": "T", "state": "executing", "verdict": "gave_up"}
    silent = judge(start(thread="T"), event("thread.supervised", **gave_up))
    counted = judge(start(thread="T"), event("thread.supervised", **gave_up, cuts=[], relaunches=0))
    assert (silent.facts["cuts"], silent.facts["relaunches"]) == (None, None)
    assert (counted.facts["cuts"], counted.facts["relaunches"]) == (0, 0)


def test_a_tool_result_still_stands_between_a_preamble_and_an_answer() -> None:
    lines = call("c1", "tool_use", "Let me look.") + asks("c1") + result() + call("c2", "stop")
    assert judge(start(), lines, end()).verdict == "no_final_answer"


@pytest.mark.parametrize("order", ["before", "after"])
def test_an_event_that_cannot_be_read_is_a_gap_of_the_round_it_names(order: str) -> None:
    with pytest.raises(EventError) as caught:
        parse_event({"type": "round.stopped", "round": "r", "why": "budget"})
    assert caught.value.round == "r"
    ledger = Ledger()
    if order == "before":
        ledger.gap("r")
    fold(start(), call("c1", "stop", "Hello."), end(), ledger=ledger)
    if order == "after":
        ledger.gap("r")
    assert classify(ledger.rounds["r"]).doubts == (Doubt.FEED_GAP,)


def test_a_round_of_which_nothing_could_be_read_is_no_round() -> None:
    ledger = Ledger()
    ledger.gap("r")
    assert ledger.rounds == {}


def test_a_summary_after_a_limit_leaves_the_limit_and_a_second_call_goes_on() -> None:
    limited = (*start(), *call("c1", "tool_use"), *asks("c1"), *result(), *event("round.stopped", why="iterations"))
    summary = (*limited, *call("c2", "end_turn", "So far: half."))
    outcome = judge(summary, end())
    assert (outcome.verdict, outcome.is_answer) == ("max_iterations", False)
    assert "summary_after_limit" in [note.code for note in outcome.notes]
    assert judge(summary, call("c3", "end_turn", "All of it."), end()).is_answer


def test_a_stop_asked_for_after_the_end_explains_nothing_about_it() -> None:
    ended = (*start(), *call("c1", "stop", "x"), *event("round.finished", at="2026-03-01T10:00:00Z"))
    late = event("round.cancel_requested", by="user", at="2026-03-01T10:00:05Z")
    told_late = event("round.cancel_requested", by="user", at="2026-03-01T09:59:59Z")
    assert judge(ended, late).is_answer
    assert judge(ended, told_late).verdict == "cancelled"


def test_a_result_that_comes_before_its_request_belongs_to_the_call_that_asks() -> None:
    round_ = folded(start(), call("c1", "tool_use"), result(), asks("c1"))
    assert list(round_.tool_calls) == [("c1", "t1")]
    assert round_.tool_calls["c1", "t1"].state is ToolState.OK
    assert not round_.open_tools
