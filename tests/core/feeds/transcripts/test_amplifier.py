"""Amplifier's log tells first outputs, approvals, refusals and retries."""

from __future__ import annotations

from roundwatch.core.feeds.transcripts.amplifier import Amplifier

from .foreign_records import AMPLIFIER, Row, amplifier_row, events_of, lines, outcomes, rounds_of


def test_requests_are_calls_with_first_output_total_and_counts() -> None:
    [round_] = rounds_of(events_of(Amplifier(), AMPLIFIER))
    first, second = round_.calls
    assert (round_.id, round_.title, first.text) == ("a-1", "Räume auf", "Moment.")
    assert (first.first_output_ms, first.total_ms, first.max_output_tokens) == (400, 990, 500)
    assert (first.usage.input_tokens, first.usage.cache_read_tokens) == (103, 100)
    assert (first.finish_reason, second.finish_reason) == (None, "end_turn")
    [outcome] = outcomes([round_])
    assert outcome.verdict == "completed"
    assert outcome.claim is not None
    assert outcome.claim.status == "success"


def test_a_denied_approval_refuses_the_tool() -> None:
    [round_] = rounds_of(events_of(Amplifier(), AMPLIFIER))
    [tool] = round_.calls[0].tool_calls
    assert (tool.state, tool.why, tool.message) == ("refused", "permission", "not that one")


def test_a_policy_forbids_a_tool() -> None:
    asked = (
        amplifier_row("prompt:submit", 0, prompt="x"),
        amplifier_row("llm:request", 10),
        amplifier_row("llm:response", 20, status="ok"),
        amplifier_row("tool:pre", 30, tool_name="net", tool_call_id="t"),
        amplifier_row("policy:violation", 40, tool_name="net", reason="no network"),
    )
    [round_] = rounds_of(events_of(Amplifier(), lines(*asked)))
    assert (round_.calls[0].tool_calls[0].state, round_.calls[0].tool_calls[0].why) == ("refused", "policy")


def rows(*between: Row) -> bytes:
    return lines(amplifier_row("prompt:submit", 0, prompt="x"), amplifier_row("llm:request", 10, model="m"), *between)


def test_a_retry_is_a_failed_attempt_and_another_call() -> None:
    data = rows(
        amplifier_row("provider:retry", 500, error="overloaded"), amplifier_row("llm:response", 900, status="ok")
    )
    [round_] = rounds_of(events_of(Amplifier(), data))
    assert [(call.attempt, call.outcome) for call in round_.calls] == [(None, "failed"), (2, "completed")]


def test_an_aborted_stream_is_a_cut_body_and_an_error_a_failed_call() -> None:
    aborted = amplifier_row("llm:stream_aborted", 700, error={"type": "ReadError", "message": "reset"})
    [round_] = rounds_of(events_of(Amplifier(), rows(aborted, amplifier_row("prompt:complete", 800))))
    assert (round_.calls[0].outcome, round_.is_over) == ("body_cut", True)
    failed = amplifier_row("llm:response", 700, status="error", error="HTTP 500")
    [round_] = rounds_of(events_of(Amplifier(), rows(failed, amplifier_row("prompt:complete", 800))))
    assert outcomes([round_])[0].verdict == "faulted"


def test_a_forked_session_hangs_under_its_parent() -> None:
    fork = amplifier_row("session:fork", 0, parent_id="a-0", agent="finder")
    [round_] = rounds_of(events_of(Amplifier(), lines(fork, amplifier_row("prompt:submit", 5, prompt="find"))))
    assert (round_.id, round_.agent) == ("a-0/a-1", "finder")
    assert round_.parent is not None
    assert round_.parent.round == "a-0"
