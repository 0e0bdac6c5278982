from __future__ import annotations

import itertools

import pytest
from roundwatch.core.policies import (
    StepResult,
    TaskRecord,
    counts_as_quiet,
    handed_over,
    may_cache,
    reruns_on_resume,
    task_output,
    task_record,
)
from roundwatch.core.rounds import CompletionReason, Evidence, ParentOutcome

from tests.rounds import call, end, judge, start

REASONS = [None, *CompletionReason]
CUT = StepResult(CompletionReason.TRUNCATED, is_success=True, evidence=None)
DONE = StepResult(CompletionReason.COMPLETED, is_success=True, evidence=Evidence.CONFIRMED)


def test_only_a_confirmed_complete_success_is_cached_and_everything_else_runs_again() -> None:
    for reason, success, evidence in itertools.product(REASONS, (True, False), (None, *Evidence)):
        result = StepResult(reason, success, evidence)
        sure = (reason, success, evidence) == (CompletionReason.COMPLETED, True, Evidence.CONFIRMED)
        assert may_cache(result) is sure
        assert reruns_on_resume(result) is not sure


def test_only_complete_rounds_count_as_quiet() -> None:
    for reason, success in itertools.product(REASONS, (True, False)):
        whole = reason is CompletionReason.COMPLETED and success
        assert counts_as_quiet(StepResult(reason, success, Evidence.UNCONFIRMED)) is whole


def test_a_record_keeps_the_reason_and_the_word_success_for_a_cut_one() -> None:
    assert task_record(CUT) == TaskRecord("SUCCESS", "TRUNCATED")
    assert task_record(DONE) == TaskRecord("SUCCESS", "COMPLETED")
    failed = StepResult(CompletionReason.MAX_ITERATIONS, is_success=False, evidence=None)
    assert task_record(failed) == TaskRecord("FAILED", "MAX_ITERATIONS")
    assert task_record(StepResult(None, is_success=False, evidence=None)) == TaskRecord("FAILED", None)


def test_a_complete_result_reaches_the_parent_model_unchanged() -> None:
    assert task_output("<result>hi</result>", DONE) == "<result>hi</result>"
    assert task_output("<result/>", StepResult(None, is_success=False, evidence=None)) == "<result/>"


def test_a_cut_result_is_followed_by_its_reason_and_the_word_incomplete() -> None:
    assert task_output("<result>half</result>", CUT) == (
        "<result>half</result>\nCompletion reason: TRUNCATED\nThe answer above is incomplete."
    )


@pytest.mark.parametrize("reason", [reason for reason in CompletionReason if reason is not CompletionReason.COMPLETED])
def test_a_failed_result_is_followed_by_its_reason_and_claims_no_answer(reason: CompletionReason) -> None:
    output = task_output("<error/>", StepResult(reason, is_success=False, evidence=None))
    assert output == f"<error/>\nCompletion reason: {reason.upper()}"


def test_a_parent_is_handed_the_text_the_flagged_part_or_the_error_line() -> None:
    assert handed_over(ParentOutcome.ANSWERED, "hi", "Error: x") == "hi"
    assert handed_over(ParentOutcome.FAILED, "hi", "Error: x") == "Error: x"
    assert handed_over(ParentOutcome.PARTIAL, "hi", "Error: x") == (
        "hi\n\n[System: response truncated at max_tokens]\n"
        "Completion reason: TRUNCATED\nThe answer above is incomplete."
    )


def test_a_result_is_read_from_an_outcome() -> None:
    assert StepResult.of(judge(start(), call("c1", "stop", text="hi"), end())) == DONE
    assert StepResult.of(judge(start(), call("c1", "length", text="hi"), end())) == CUT
    unsure = StepResult.of(judge(start(), call("c1", None, text="hi"), end()))
    assert unsure.is_complete
    assert not may_cache(unsure)
