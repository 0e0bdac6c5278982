from __future__ import annotations

import pytest
from roundwatch.core.runner import refusal


@pytest.mark.parametrize(
    "part",
    [
        "max_tokens",
        "may be incomplete",
        "discarded",
        "nothing that changes anything was run",
        "none of them has a result",
        "cut off again",
        "fewer calls at once",
        "split a large argument",
    ],
)
def test_the_model_is_told_every_part(part: str) -> None:
    assert part in refusal.CUT_TOOL_CALL


def test_the_model_is_not_told_that_none_was_run() -> None:
    assert "none was run" not in refusal.CUT_TOOL_CALL
    assert "none of them was run" not in refusal.CUT_TOOL_CALL


@pytest.mark.parametrize(("output", "reasoning"), [(None, None), (12, None), (12, 0), (None, 9)])
def test_no_clause_without_reported_reasoning(output: int | None, reasoning: int | None) -> None:
    assert refusal.reasoning_clause(output, reasoning) == ""


def test_the_clause_holds_both_counts_and_draws_no_conclusion() -> None:
    clause = refusal.reasoning_clause(10, 12)
    assert clause == "; the response's usage reports 10 output tokens and 12 reasoning tokens"


def test_warnings_name_the_tools_and_the_limit() -> None:
    line = refusal.cut_tools_warning(3, ["read_file", "write_file"], "max_tokens", "")
    assert "max_tokens" in line
    assert "iteration 3" in line
    assert "read_file, write_file" in line
    assert "none of them is run" in line


def test_the_two_answer_warnings_have_their_fixed_words() -> None:
    turn = refusal.cut_answer_warning(2, None, "max_tokens", "; x", has_partial=True)
    assert turn == "Agent execution truncated at max_tokens after 2 iterations; surfacing flagged partial answer; x"
    fork = refusal.cut_answer_warning(1, "scout", "max_tokens", "", has_partial=True)
    assert fork == (
        "Subagent 'scout' final answer truncated at max_tokens after 1 iterations; returning flagged partial answer"
    )


def test_no_partial_is_promised_where_none_came() -> None:
    line = refusal.cut_answer_warning(1, None, "max_tokens", "", has_partial=False)
    assert "partial" not in line
    assert "no answer text" in line
