from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from roundwatch.core.rounds import Doubt, Ledger, Round, ToolState, classify, parse_event
from roundwatch.core.rounds.events import EVENT_TYPES, KnownEvent
from roundwatch.core.rounds.fold import HANDLERS

from tests.rounds import Lines, asks, call, end, event, fold, folded, judge, refuses, result, start


def test_every_event_type_has_a_handler_or_is_the_ledgers_own() -> None:
    handled = {cls.model_fields["type"].default for cls in HANDLERS if cls.__name__ != "Unrecognised"}
    assert handled | {"thread.supervised"} == EVENT_TYPES


def test_the_list_of_type_names_is_the_union() -> None:
    schema = TypeAdapter[object](KnownEvent).json_schema()
    assert set(schema["discriminator"]["mapping"]) == EVENT_TYPES


def test_a_round_is_made_by_the_first_event_that_names_it_and_says_that_its_start_was_not_seen() -> None:
    outcome = judge(call("c1", "stop", "text"), end())
    assert [note.code for note in outcome.notes] == ["start_not_seen"]


def test_tool_call_ids_may_repeat_across_calls_and_a_bare_id_means_the_newest() -> None:
    round_ = folded(call("c1", "tool_use"), asks("c1", "t"), call("c2", "tool_use"), asks("c2", "t"), result("t"))
    assert round_.tool_calls["c1", "t"].state is ToolState.PENDING
    assert round_.tool_calls["c2", "t"].state is ToolState.OK


@pytest.mark.parametrize("first", [refuses(), result()])
def test_a_refusal_wins_over_a_result_in_either_order(first: Lines) -> None:
    second = result() if first[0]["type"] == "tool.refused" else refuses()
    round_ = folded(call("c1", "length"), asks("c1"), first, second)
    assert round_.tool_calls["c1", "t1"].state is ToolState.REFUSED
    assert (round_.tally["discarded"], round_.tally["tool_failed"]) == (1, 0)


def test_server_tools_never_count_as_tools_of_the_round() -> None:
    searched = asks("c1", "srv", "web_search", server=True)
    assert judge(start(), call("c1", "end_turn"), searched, end()).verdict == "no_output"
    assert judge(start(), call("c1", "end_turn", "Found."), searched, end()).is_answer


def test_a_nameless_call_without_arguments_is_a_placeholder_until_it_is_named_or_run() -> None:
    empty = asks("c1", "t1", "", arguments="")
    assert judge(start(), call("c1", "stop", "Plain answer."), empty, end()).is_answer
    assert judge(start(), call("c1", "stop", "x"), empty, asks("c1", "t1", "grep"), end()).verdict == (
        "unfinished_tool_call"
    )
    assert folded(call("c1", "stop"), empty, result()).tally["tools"] == 1


def test_running_usage_is_never_added_up_and_a_null_wipes_nothing() -> None:
    reports = [{"output_tokens": n, "input_tokens": 50 if n == 1 else None} for n in (1, 2, 3)]
    lines = event("call.started", call="c1")
    for report in reports:
        lines += event("call.usage", call="c1", usage=report)
    usage = folded(lines).calls[0].usage
    assert (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens) == (50, 3, None)


def test_anthropics_placeholder_count_stands_on_the_event_and_not_on_the_call() -> None:
    lines = event("call.started", call="c1", wire="anthropic")
    lines += event("call.usage", call="c1", usage={"input_tokens": 7, "output_tokens": 1, "cache_read_tokens": 90})
    cut = folded(lines, event("call.finished", call="c1", outcome="completed", usage={"output_tokens": 1}))
    whole = folded(lines, event("call.usage", call="c1", usage={"output_tokens": 15}))
    assert (cut.calls[0].usage.input_tokens, cut.calls[0].usage.output_tokens) == (97, None)
    assert whole.calls[0].usage.output_tokens == 15


def test_an_unknown_event_is_kept_counted_and_shown_in_its_round() -> None:
    ledger = Ledger()
    ledger.apply(parse_event('{"type":"round.sneezed","round":"r","loud":true}'))
    ledger.apply(parse_event('{"type":"feed.confused"}'))
    assert ledger.unknown_events == 2
    assert [note.code for note in classify(ledger.rounds["r"]).notes] == ["start_not_seen", "unknown_events"]


def test_a_late_event_reclassifies_an_ended_round() -> None:
    ledger = fold(start(), call("c1", "stop", "text"), end())
    assert classify(ledger.rounds["r"]).is_answer
    fold(asks("c1"), ledger=ledger)
    assert classify(ledger.rounds["r"]).verdict == "unfinished_tool_call"


def test_a_new_call_after_the_end_reopens_the_round_and_a_late_told_one_does_not() -> None:
    ended = "2026-03-01T10:00:09Z"
    ledger = fold(start(), call("c1", "stop", "text"), event("round.finished", at=ended))
    fold(event("call.started", call="early", at="2026-03-01T10:00:01Z"), ledger=ledger)
    assert ledger.rounds["r"].is_over
    fold(event("call.started", call="late", at="2026-03-01T10:05:00Z"), ledger=ledger)
    assert classify(ledger.rounds["r"]).verdict == "running"


def test_a_relaunch_lifts_the_marks_of_the_cut_before_it() -> None:
    ledger = fold(start(thread="th"), event("round.cancel_requested", by="host"), end())
    relaunched = event("thread.supervised", thread="th", state="executing", verdict="relaunched")
    fold(relaunched, ledger=ledger)
    assert classify(ledger.rounds["r"]).verdict == "running"
    assert [type(entry).__name__ for entry in ledger.rounds["r"].entries] == ["CancelRequested", "ThreadSupervised"]


def test_closing_from_outside_is_a_doubt_until_the_real_end_arrives() -> None:
    ledger = fold(start(), call("c1", "stop", "text"))
    ledger.close("r", "end of file")
    assert classify(ledger.rounds["r"]).doubts == (Doubt.END_NOT_RECORDED,)
    fold(end(), ledger=ledger)
    assert classify(ledger.rounds["r"]).is_answer


def test_a_gap_marks_only_rounds_that_are_not_over() -> None:
    ledger = fold(start(), call("c1", "stop", "text"), end(), round_="over")
    fold(start(), ledger=ledger, round_="open")
    ledger.gap()
    assert (ledger.rounds["over"].has_gap, ledger.rounds["open"].has_gap) == (False, True)


def test_a_sub_round_that_comes_before_its_parent_is_an_orphan_until_then() -> None:
    ledger = fold(start(parent={"round": "top"}), round_="sub")
    assert ledger.rounds["sub"].is_orphan
    fold(start(), ledger=ledger, round_="top")
    assert not ledger.rounds["sub"].is_orphan
    assert list(ledger.rounds["top"].children) == ["sub"]


@pytest.mark.parametrize("exact_first", [True, False])
def test_the_tool_call_that_started_a_sub_round_is_kept_whichever_of_two_feeds_tells_first(exact_first: bool) -> None:
    exact, vague = {"round": "top#2", "tool_call": "t1"}, {"round": "top"}
    ledger = fold(start(), round_="top")
    fold(start(), ledger=ledger, round_="top#2")
    for parent in (exact, vague) if exact_first else (vague, exact):
        fold(start(parent=parent), ledger=ledger, round_="sub")
    sub = ledger.rounds["sub"]
    assert sub.parent is not None
    assert (sub.parent.round, sub.parent.tool_call, sub.is_orphan) == ("top#2", "t1", False)
    assert [list(ledger.rounds[name].children) for name in ("top", "top#2")] == [[], ["sub"]]


@pytest.mark.parametrize("ring", [("a",), ("a", "b"), ("a", "b", "c")])
def test_rounds_that_name_each_other_as_parents_never_hang(ring: tuple[str, ...]) -> None:
    ledger = Ledger()
    for name, parent in zip(ring, (*ring[1:], ring[0]), strict=True):
        fold(start(parent={"round": parent}), ledger=ledger, round_=name)
    for name in ring:
        fold(call("c1", "stop", "x"), end(), ledger=ledger, round_=name)
    assert any(round_.is_orphan for round_ in ledger.rounds.values())
    assert all(classify(round_).verdict == "completed" for round_ in ledger.rounds.values())


def test_a_change_of_a_sub_round_is_a_change_of_its_ancestors() -> None:
    ledger = fold(start(), round_="top")
    fold(start(parent={"round": "top"}), ledger=ledger, round_="mid")
    fold(start(parent={"round": "mid"}), ledger=ledger, round_="low")
    before = ledger.rounds["top"].revision
    fold(end(), ledger=ledger, round_="low")
    assert ledger.rounds["top"].revision > before


def test_a_late_event_of_a_retired_round_asks_for_its_history() -> None:
    ledger = fold(start(agent="worker"), call("c1", "length", "half", usage={"output_tokens": 9}), end())
    summary = ledger.retire("r")
    assert (summary.agent, summary.calls, summary.output_tokens, summary.outcome.verdict) == (
        "worker", 1, 9, "output_cap_reached",
    )  # fmt: skip
    late = parse_event({"type": "round.warning", "round": "r", "code": "late"})
    assert ledger.apply(late).needs_history
    ledger.recall("r")
    assert not ledger.apply(late).needs_history


def test_a_supervisor_speaking_of_a_round_that_is_recalled_and_not_refolded_asks_for_its_history() -> None:
    ledger = fold(start(thread="th"), call("c1"), end())
    ledger.retire("r")
    ledger.recall("r")
    word = parse_event({"type": "thread.supervised", "thread": "th", "state": "idle", "verdict": "parked"})
    assert ledger.apply(word).needs_history


def test_times_are_derived_from_moments_where_the_producer_told_none_and_never_negative() -> None:
    lines = event("call.started", call="c1", at="2026-03-01T10:00:00Z")
    lines += event("call.output", call="c1", kind="text", text="x", at="2026-03-01T10:00:02Z")
    lines += event("call.finished", call="c1", outcome="completed", finish_reason="stop", at="2026-03-01T09:00:00Z")
    found = folded(lines).calls[0]
    assert (found.first_output_ms, found.total_ms) == (2000.0, 0.0)
    assert found.derived == {"first_output_ms", "total_ms"}


def test_a_supervised_thread_without_a_known_round_is_kept_and_touches_nothing() -> None:
    ledger = fold(event("thread.supervised", thread="nobody", state="idle", verdict="parked"))
    assert (ledger.rounds, list(ledger.last_supervised)) == ({}, ["nobody"])


SOME_EVENTS: tuple[Lines, ...] = (
    start(thread="th", agent="worker"), call("c1", "tool_use", "Looking."), asks("c1"), asks("c1", "t2"), result(),
    result("t2", ok=False), refuses("t2"), call("c2", "length", "half"), call("c3", None, "rest", outcome="body_cut"),
    event("call.usage", call="c2", usage={"input_tokens": 3, "cache_read_tokens": 9}), event("round.suspended"),
    event("round.resumed"), event("round.warning", code="x"), event("tool.started", tool_call="t1"), end(),
    event("round.stopped", why="iterations"), event("iteration.completed", iteration=1, will_continue=True),
    call("c2", "stop", continuation=None), event("round.partial", source="s", kept_chars=0),
)  # fmt: skip
scripts = st.lists(st.sampled_from(SOME_EVENTS), max_size=12).map(lambda parts: [e for part in parts for e in part])


def state(round_: Round) -> Any:
    calls = [(c.id, c.finish_reason, c.outcome, c.text, c.usage, c.finish_repeated) for c in round_.calls]
    tools = [(key, tool.name, tool.state, tool.arguments) for key, tool in round_.tool_calls.items()]
    return calls, tools, round_.text, round_.is_over, +round_.tally, classify(round_)


@given(one=scripts, other=scripts, seed=st.integers(0, 10_000))
def test_how_independent_rounds_interleave_changes_nothing(one: Lines, other: Lines, seed: int) -> None:
    apart = fold(one, round_="one")
    fold(other, ledger=apart, round_="other")
    queues = {"one": list(one), "other": list(other)}
    mixed, dice = Ledger(), random.Random(seed)
    while any(queues.values()):
        name = dice.choice([name for name, queue in queues.items() if queue])
        fold([queues[name].pop(0)], ledger=mixed, round_=name)
    assert {name: state(found) for name, found in apart.rounds.items()} == {
        name: state(found) for name, found in mixed.rounds.items()
    }


@given(script=scripts)
def test_the_running_tally_equals_a_count_from_scratch(script: Lines) -> None:
    round_ = fold(start(), script).rounds["r"]
    fresh = Counter[str]()
    for marks in (*(c.marks for c in round_.calls), *(t.marks for t in round_.tool_calls.values())):
        fresh.update(marks)
    assert +round_.tally == fresh
    assert list(round_.open_tools) == [k for k, t in round_.tool_calls.items() if not t.answered and t.counts]


@given(script=scripts, pieces=st.lists(st.text(max_size=4), max_size=8))
def test_how_text_is_split_into_pieces_changes_nothing(script: Lines, pieces: list[str]) -> None:
    streamed = [e for piece in pieces for e in event("call.output", call="c9", kind="text", text=piece)]
    whole = event("call.output", call="c9", kind="text", text="".join(pieces))
    opened = event("call.started", call="c9")
    a, b = fold(script, opened, streamed).rounds["r"], fold(script, opened, whole).rounds["r"]
    assert (a.text, a.text_visible, classify(a)) == (b.text, b.text_visible, classify(b))


@given(script=scripts)
def test_any_order_of_events_is_folded_without_fault(script: Lines) -> None:
    shuffled = list(script)
    random.Random(len(script)).shuffle(shuffled)
    for round_ in fold(shuffled).rounds.values():
        outcome = classify(round_, now=datetime(2026, 3, 1, tzinfo=UTC))
        assert outcome.is_complete is (outcome.verdict == "completed")
        assert not outcome.is_answer or not outcome.doubts


def test_a_recalled_round_finds_its_sub_rounds_again() -> None:
    ledger = fold(start(), round_="top")
    fold(start(parent={"round": "top"}), end(), ledger=ledger, round_="sub")
    fold(end(), ledger=ledger, round_="top")
    ledger.retire("top")
    ledger.recall("top")
    fold(start(), end(), ledger=ledger, round_="top")
    assert list(ledger.rounds["top"].children) == ["sub"]
