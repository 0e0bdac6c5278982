from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import (
    Attempt,
    AttemptCount,
    RoundRecord,
    attempt,
    attempt_of,
    count_attempts,
    infrastructure_label,
    is_not_found_line,
    not_found_line,
)
from roundwatch.core.rounds import TerminalStatus, Verdict

from tests.rounds import call, end, event, judge, start

LINE = not_found_line("scout", ["default", "worker"])
ERROR, DONE = TerminalStatus.ERROR, TerminalStatus.COMPLETED
NEW_SHAPE = RoundRecord(ERROR, f"*Error: {LINE}*", model_calls=0, tool_calls=0)
WITH_VERDICT = dataclasses.replace(NEW_SHAPE, verdict=Verdict.SELECTION_UNRESOLVED)
LEGACY = RoundRecord(DONE, LINE, model_calls=0, tool_calls=0, output_tokens=0)


def test_the_line_is_the_platforms() -> None:
    assert LINE == "Selected agent 'scout' was not found among the available agents (default, worker)"


names = st.text(st.characters(exclude_characters="\n"), min_size=1)


@given(names, st.lists(names))
def test_the_line_is_known_again_whatever_the_names(agent: str, available: list[str]) -> None:
    assert is_not_found_line(not_found_line(agent, available))


@pytest.mark.parametrize(
    "text",
    ["", LINE[1:], LINE[:-1], f"I read: {LINE}", f"{LINE} Sorry.", f"{LINE}\n{LINE}", LINE.replace("'scout'", "''"),
     "Selected agent 'scout')", "' was not found among the available agents ()"],
)  # fmt: skip
def test_a_text_that_only_holds_the_line_or_parts_of_it_is_not_the_line(text: str) -> None:
    assert not is_not_found_line(text)


@pytest.mark.parametrize("record", [NEW_SHAPE, LEGACY, dataclasses.replace(LEGACY, text=f" {LINE}\n")])
def test_both_shapes_are_recognised(record: RoundRecord) -> None:
    assert infrastructure_label(record) == "reviewer agent not found"


@pytest.mark.parametrize("change", [{"model_calls": 1}, {"tool_calls": 1}, {"output_tokens": 12}])
@pytest.mark.parametrize(
    "record", [NEW_SHAPE, LEGACY, dataclasses.replace(NEW_SHAPE, verdict=Verdict.SELECTION_UNRESOLVED)]
)
def test_after_anything_ran_it_is_no_infrastructure(record: RoundRecord, change: dict[str, int]) -> None:
    assert infrastructure_label(dataclasses.replace(record, **change)) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("status", "text"),
    [(ERROR, "*Error: HTTP 500*"), (ERROR, LINE), (ERROR, f"*Error: {LINE}"), (DONE, f"*Error: {LINE}*"),
     (DONE, "All tests pass."), (TerminalStatus.CANCELLED, LINE), (None, LINE), (ERROR, "*")],
)  # fmt: skip
def test_another_shape_is_not_the_platforms(status: TerminalStatus | None, text: str) -> None:
    assert infrastructure_label(RoundRecord(status, text, model_calls=0, tool_calls=0)) is None


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_record_with_a_verdict_is_judged_by_it_and_never_by_its_text(verdict: Verdict) -> None:
    unresolved = verdict is Verdict.SELECTION_UNRESOLVED
    for text in (NEW_SHAPE.text, "worded anew"):
        label = infrastructure_label(dataclasses.replace(NEW_SHAPE, text=text, verdict=verdict))
        assert (label is not None) is unresolved


@pytest.mark.parametrize("ran", [True, False])
@pytest.mark.parametrize("verdict", list(Verdict))
def test_only_a_completed_round_spends_an_attempt(verdict: Verdict, ran: bool) -> None:
    expected = {
        Verdict.COMPLETED: Attempt.SPENT,
        Verdict.RUNNING: Attempt.OPEN,
        Verdict.SUSPENDED: Attempt.OPEN,
        Verdict.SELECTION_UNRESOLVED: Attempt.FAILED if ran else Attempt.INFRASTRUCTURE,
    }
    assert attempt(verdict, anything_ran=ran) is expected.get(verdict, Attempt.FAILED)


UNRESOLVED = event("round.selection_unresolved", requested="scout", available=["a"], sentence=LINE)


def test_a_classified_round_costs_what_its_evidence_says() -> None:
    assert attempt_of(judge(start(), UNRESOLVED, end())) is Attempt.INFRASTRUCTURE
    assert attempt_of(judge(start(), UNRESOLVED, call("c1", "stop", text="hi"), end())) is Attempt.FAILED
    assert attempt_of(judge(start(), call("c1", "stop", text="hi"), end())) is Attempt.SPENT
    assert attempt_of(judge(start(), call("c1", "length", text="hi"), end())) is Attempt.FAILED
    assert attempt_of(judge(start())) is Attempt.OPEN


def test_attempts_are_counted_apart_and_open_ones_not_at_all() -> None:
    attempts = [Attempt.SPENT, Attempt.OPEN, Attempt.FAILED, Attempt.SPENT, Attempt.INFRASTRUCTURE]
    assert count_attempts(attempts) == AttemptCount(spent=2, infrastructure=1, failed=1)
    assert count_attempts([]) == AttemptCount(0, 0, 0)
