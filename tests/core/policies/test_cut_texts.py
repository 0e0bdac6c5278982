from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import (
    cut_answer_warning,
    cut_outside_loop_warning,
    cut_tools_warning,
    progress_line,
    reasoning_clause,
    sink_lines,
)
from roundwatch.core.rounds import CompletionReason, StopReason, Usage

SILENT = Usage(output_tokens=10, reasoning_tokens=0)
THOUGHT = Usage(output_tokens=40, reasoning_tokens=39)
CLAUSE = "; the response's usage reports 40 output tokens and 39 reasoning tokens"


@pytest.mark.parametrize("reasoning", [None, 0, -3])
def test_no_reasoning_reported_gives_no_clause(reasoning: int | None) -> None:
    assert reasoning_clause(Usage(output_tokens=10, reasoning_tokens=reasoning)) == ""


def test_the_clause_says_both_counts_and_leaves_out_the_one_not_reported() -> None:
    assert reasoning_clause(THOUGHT) == CLAUSE
    assert reasoning_clause(Usage(reasoning_tokens=7)) == "; the response's usage reports 7 reasoning tokens"


@given(st.integers(0, 10**9), st.integers(1, 10**9))
def test_the_clause_draws_no_conclusion_even_where_reasoning_exceeds_output(output: int, reasoning: int) -> None:
    clause = reasoning_clause(Usage(output_tokens=output, reasoning_tokens=reasoning))
    assert [int(number) for number in re.findall(r"\d+", clause)] == [output, reasoning]
    assert not re.search(r"\bof\b|%|most|share", clause)


def test_the_warning_of_a_turns_tool_calls() -> None:
    assert cut_tools_warning(2, ["Read", "Write"], THOUGHT) == (
        "Response truncated at max_tokens in iteration 2 while requesting tools (Read, Write); "
        "none of them is run" + CLAUSE
    )


def test_the_warning_says_when_overlap_had_started_calls() -> None:
    line = cut_tools_warning(1, ["Read"], SILENT, drops_early_results=True)
    assert line.endswith("results of calls that overlap had started are discarded, the others are not run")
    assert "none of them" not in line


def test_the_warning_of_a_forks_tool_calls_names_the_subagent() -> None:
    line = cut_tools_warning(1, ["Read"], SILENT, subagent="scout")
    assert line.startswith("Response of subagent 'scout' truncated at max_tokens in iteration 1")
    assert "none of them is run" in line


def test_the_two_warnings_of_a_cut_answer_are_fixed_strings() -> None:
    assert cut_answer_warning(1, SILENT) == (
        "Agent execution truncated at max_tokens after 1 iterations; surfacing flagged partial answer"
    )
    assert cut_answer_warning(3, THOUGHT, subagent="scout") == (
        "Subagent 'scout' final answer truncated at max_tokens after 3 iterations; "
        "returning flagged partial answer" + CLAUSE
    )


def test_no_partial_is_promised_where_no_text_arrived() -> None:
    assert cut_answer_warning(2, SILENT, has_partial=False).endswith("; no answer text arrived")


def test_a_full_context_window_is_not_called_max_tokens() -> None:
    window = StopReason.CONTEXT_WINDOW
    for line in (cut_answer_warning(2, SILENT, reason=window), cut_tools_warning(1, ["Read"], SILENT, reason=window)):
        assert "the context window" in line
        assert "max_tokens" not in line


def test_a_cut_outside_the_loop_names_its_purpose_and_the_limit() -> None:
    line = cut_outside_loop_warning("compaction")
    assert "compaction" in line
    assert "max_tokens" in line


@pytest.mark.parametrize(
    ("reason", "iterations", "line"),
    [
        (CompletionReason.TRUNCATED, 1, "[completed: TRUNCATED at max_tokens after 1 iteration]"),
        (CompletionReason.TRUNCATED, 4, "[completed: TRUNCATED at max_tokens after 4 iterations]"),
        (CompletionReason.COMPLETED, 2, "[completed: SUCCESS after 2 iterations]"),
        (CompletionReason.ERROR, 3, "[failed: ERROR after 3 iterations]"),
        (CompletionReason.MAX_ITERATIONS, 1, "[failed: MAX_ITERATIONS after 1 iteration]"),
    ],
)
def test_a_forks_progress_line_says_how_it_ended(reason: CompletionReason, iterations: int, line: str) -> None:
    assert progress_line(reason, iterations) == line


def test_only_a_completed_fork_says_success() -> None:
    said = {reason for reason in CompletionReason if "SUCCESS" in progress_line(reason, 2)}
    assert said == {CompletionReason.COMPLETED}


def test_a_forks_sink_hears_the_request_and_its_error() -> None:
    assert sink_lines("Read", "was cut") == ("→ Read", "← Read [error] was cut")
