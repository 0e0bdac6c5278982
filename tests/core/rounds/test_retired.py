"""Packed summaries: what comes out is what went in."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import Doubt, Ledger, NoteCode, RoundSummary, Verdict, parse_event
from roundwatch.core.rounds.base import Claim, Parent
from roundwatch.core.rounds.figures import Figures
from roundwatch.core.rounds.notes import Note
from roundwatch.core.rounds.retired import MOST_SHARED, RetiredRounds

from tests.rounds import asks, call, end, fold, refuses, result, start
from tests.scenes import everything

ONE = RoundSummary.of(fold(start(agent="worker"), call("c1", "stop", "Done."), end()).rounds["r"])

texts = st.none() | st.text(max_size=20)
counts = st.none() | st.integers(min_value=-(2**70), max_value=2**70)
times = st.none() | st.floats(allow_nan=False)
moments = st.none() | st.datetimes(
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))]),
    min_value=datetime(1, 1, 2),
    max_value=datetime(9999, 12, 30),
)
values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10)
facts = st.dictionaries(st.text(max_size=10), values | st.lists(st.text(max_size=5)).map(tuple), max_size=4)
figures = st.builds(
    Figures,
    call=st.text(max_size=10),
    first_output_ms=times,
    total_ms=times,
    output_tokens=counts,
    input_tokens=counts,
    reasoning_tokens=counts,
    finish_reason=texts,
    native_finish_reason=texts,
    finish_repeated=st.lists(st.text(max_size=5)).map(tuple),
    output_seen=st.booleans(),
    derived=st.frozensets(st.sampled_from(["first_output_ms", "total_ms"])),
)
outcomes = st.builds(
    replace,
    st.just(ONE.outcome),
    verdict=st.sampled_from(Verdict),
    notes=st.lists(st.builds(Note, st.sampled_from(NoteCode), facts), max_size=3).map(tuple),
    facts=facts,
    figures=st.none() | figures,
    claim=st.none() | st.builds(Claim, status=st.text(max_size=5), reason=texts, summary=texts),
    contradicts_claim=st.booleans(),
    provisional=st.none() | st.sampled_from(Verdict),
    provisional_doubts=st.lists(st.sampled_from(Doubt), max_size=2).map(tuple),
    stalled_ms=times,
)
summaries = st.builds(
    RoundSummary,
    id=st.just("r"),
    thread=texts,
    agent=texts,
    title=texts,
    parent=st.none() | st.builds(Parent, round=st.text(min_size=1, max_size=5), tool_call=texts),
    started_at=moments,
    ended_at=moments,
    total_ms=times,
    calls=st.integers(min_value=0),
    input_tokens=counts,
    output_tokens=counts,
    outcome=outcomes,
    models=st.lists(st.text(max_size=5)).map(tuple),
    tools=st.lists(st.text(max_size=5)).map(tuple),
)


@given(summaries)
def test_every_summary_comes_back_equal(summary: RoundSummary) -> None:
    retired = RetiredRounds()
    retired["r"] = summary
    assert retired["r"] == summary
    assert type(retired["r"].outcome.verdict) is Verdict


def test_rounds_that_ended_in_every_way_come_back_equal() -> None:
    ledger, retired = Ledger(), RetiredRounds()
    ledger.apply_all(parse_event(line) for line in everything())
    for round_ in ledger.rounds.values():
        retired[round_.id] = RoundSummary.of(round_)
    assert len({summary.outcome.verdict for summary in retired.values()}) > 5
    assert list(retired.values()) == [RoundSummary.of(round_) for round_ in ledger.rounds.values()]


def test_a_summary_names_models_and_tools_once() -> None:
    asked = asks("c1", "t1", "read_file") + asks("c1", "t2", "read_file") + refuses("t1") + result("t2")
    lines = call("c1", "tool_calls", sent={"model": "a"}) + asked + call("c2", "stop", "x", sent={"model": "b"})
    summary = RoundSummary.of(fold(start(), lines, end()).rounds["r"])
    assert (summary.models, summary.tools) == (("a", "b"), ("read_file",))


def test_it_is_a_mapping_like_any_other() -> None:
    retired = RetiredRounds()
    retired["a"], retired["b"] = replace(ONE, id="a"), replace(ONE, id="b")
    assert ("a" in retired, "c" in retired, len(retired), list(retired)) == (True, False, 2, ["a", "b"])
    assert retired.get("c") is None
    assert retired.pop("a").id == "a"
    assert list(retired) == ["b"]
    with pytest.raises(KeyError):
        retired["a"]


def test_what_is_shared_is_bounded_and_what_comes_later_still_comes_back() -> None:
    retired = RetiredRounds()
    for number in range(MOST_SHARED + 100):
        retired[f"r{number}"] = replace(ONE, id=f"r{number}", thread=f"thread {number}")
    assert [retired[f"r{number}"].thread for number in (0, MOST_SHARED - 1, MOST_SHARED + 99)] == [
        "thread 0", f"thread {MOST_SHARED - 1}", f"thread {MOST_SHARED + 99}",
    ]  # fmt: skip
