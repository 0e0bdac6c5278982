from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from roundwatch.core.policies import Provenance, last_error
from roundwatch.core.rounds import CallError, CallOutcome, CancelledBy, Event, Ledger, OutputKind, Round, classify
from roundwatch.core.rounds.events import (
    CallFinished,
    CallOutput,
    CallStarted,
    CancelRequested,
    RoundFinished,
    RoundStarted,
    SelectionUnresolved,
    ThreadState,
)
from roundwatch.core.runner.threads import STATUS_CHARS, ThreadRecord, sentence_of

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
START = RoundStarted(round="r", thread="t")
CALL = CallStarted(round="r", call="c")
SAID = CallOutput(round="r", call="c", kind=OutputKind.TEXT, text="Yes.")
END = RoundFinished(round="r")


def finished(outcome: CallOutcome = CallOutcome.COMPLETED, reason: str | None = "stop", **error: Any) -> CallFinished:
    told = CallError(**error) if error else None
    return CallFinished(round="r", call="c", outcome=outcome, finish_reason=reason, error=told)


REFUSED = finished(CallOutcome.FAILED, None, kind="permission_error", http_status=403, message="The key is exhausted.")


def record(*events: Event) -> ThreadRecord:
    found = ThreadRecord("t")
    found.launch("r")
    for event in events:
        found.note(event)
    return found


def folded(*events: Event) -> Round:
    ledger = Ledger()
    ledger.apply_all(events)
    return ledger.rounds["r"]


def settled(*events: Event) -> tuple[ThreadRecord, str | None]:
    found, round_ = record(*events), folded(*events)
    outcome = classify(round_)
    write = found.settle(round_, outcome, sentence_of(outcome), NOW)
    return found, write.text if write is not None else None


def test_a_round_is_starting_until_its_host_says_that_it_runs() -> None:
    assert (record().state, record(START).state) == (ThreadState.STARTING, ThreadState.EXECUTING)
    assert record(RoundStarted(round="r.1", thread="t")).state is ThreadState.STARTING


def test_only_a_failed_call_writes_a_status_line_and_the_next_one_takes_it_back() -> None:
    assert record(START, CALL, SAID).status_line is None
    found = record(START, REFUSED)
    assert (found.status_line, found.is_error) == ("HTTP 403: The key is exhausted.", True)
    found.note(finished())
    assert (found.status_line, found.is_error) == (None, None)
    assert record(finished(CallOutcome.FAILED, None, kind="k", message="m" * 1000)).status_line == "m" * STATUS_CHARS
    assert record(finished(CallOutcome.FAILED, None, kind="unreachable")).status_line == "unreachable"


def test_a_status_line_is_void_when_another_host_takes_the_round_up() -> None:
    found = record(START, REFUSED)
    found.launch("r")
    assert (found.status_line, found.state) == (None, ThreadState.STARTING)


def test_an_answer_is_written_and_its_beginning_is_the_summary() -> None:
    found, text = settled(START, CALL, SAID, finished(), END)
    assert text == "Yes."
    assert found.summary is not None
    assert (found.summary.round, found.summary.at, found.summary.text) == ("r", NOW, "Yes.")
    assert (found.state, found.current_round, found.last_round_completed) == (ThreadState.IDLE, None, True)


def test_an_error_is_written_with_the_sentence_of_its_banner() -> None:
    found, text = settled(START, CALL, REFUSED, END)
    assert found.summary is not None
    assert found.summary.text is not None
    assert found.summary.text.startswith("Error: ")
    assert "HTTP 403" in found.summary.text
    assert text == f"*{found.summary.text}*"
    assert last_error(found.reading(), NOW).provenance is Provenance.LAST_ROUND_TERMINAL


def test_an_unresolved_pick_is_written_with_the_platforms_own_line() -> None:
    line = "Selected agent 'g' was not found among the available agents (a)"
    unresolved = SelectionUnresolved(round="r", requested="g", available=("a",), sentence=line)
    assert settled(START, unresolved, END)[1] == f"*Error: {line}*"


def test_a_cancelled_round_leaves_its_thread_cancelled() -> None:
    found, _ = settled(START, CALL, SAID, CancelRequested(round="r", by=CancelledBy.USER), END)
    assert found.state is ThreadState.CANCELLED


def test_a_cut_attempt_without_text_of_its_own_hands_over_no_marked_answer() -> None:
    broken = finished(CallOutcome.BODY_CUT, None)
    anew = CallStarted(round="r", call="c2", attempt=2)
    cut = CallFinished(round="r", call="c2", outcome=CallOutcome.COMPLETED, finish_reason="length")
    _, text = settled(START, CALL, SAID, broken, anew, cut, END)
    assert text == "Yes."


def test_a_round_that_is_not_over_writes_nothing() -> None:
    found, text = settled(START, CALL, SAID)
    assert (text, found.summary, found.current_round) == (None, None, "r")


@pytest.mark.parametrize("events", [(START,), (START, REFUSED)])
def test_a_new_round_does_not_touch_what_the_last_one_left(events: tuple[Event, ...]) -> None:
    found, _ = settled(START, CALL, REFUSED, END)
    left = found.summary
    found.launch("r")
    for event in events:
        found.note(event)
    assert found.summary is left
