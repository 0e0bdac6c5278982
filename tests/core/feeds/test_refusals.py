from __future__ import annotations

import pytest
from roundwatch.core.feeds.refusals import looks_failed, refusal
from roundwatch.core.policies.refusal import TRUNCATED_CALL
from roundwatch.core.rounds.base import RefusedWhy

REFUSED = {
    "The user doesn't want to proceed with this tool use. The tool use was rejected.": RefusedWhy.PERMISSION,
    "The user doesn't want to take this action right now. STOP.": RefusedWhy.PERMISSION,
    "[Request interrupted by user for tool use]": RefusedWhy.INTERRUPTED,
    "exec command rejected by user": RefusedWhy.PERMISSION,
    "[Operation Cancelled] Reason: User did not allow tool call": RefusedWhy.PERMISSION,
    "[Operation Cancelled] Reason: User cancelled tool execution.": RefusedWhy.INTERRUPTED,
    "<tool_use_error>Error: No such tool available: fly</tool_use_error>": RefusedWhy.UNKNOWN_TOOL,
}


@pytest.mark.parametrize("text", REFUSED)
def test_known_sentences_of_known_clients_are_refusals(text: str) -> None:
    assert refusal(text, is_error=True) is REFUSED[text]
    assert refusal(text, is_error=None) is REFUSED[text]


def test_what_our_own_runner_answers_to_a_cut_response_is_one() -> None:
    assert refusal(TRUNCATED_CALL, is_error=True) is RefusedWhy.OUTPUT_CAP


@pytest.mark.parametrize("text", ["", "a map", "No such file", "docs: max_tokens, the text is cut at it"])
def test_any_other_result_is_none(text: str) -> None:
    assert refusal(text, is_error=None) is None


@pytest.mark.parametrize("text", REFUSED)
def test_a_result_that_its_wire_calls_good_is_none(text: str) -> None:
    assert refusal(text, is_error=False) is None


@pytest.mark.parametrize(
    "text", ["Error: no such file", "  error", '{"error": "gone"}', "Traceback (most recent", "[Error] x"]
)
def test_a_failure_is_seen_by_how_a_result_begins(text: str) -> None:
    assert looks_failed(text)


@pytest.mark.parametrize("text", ["", "a map", "errors: 0", '{"error": null}', '{"error": ', "[]", "No error"])
def test_other_results_are_good_ones(text: str) -> None:
    assert not looks_failed(text)
