from __future__ import annotations

import random
from itertools import islice

import pytest
from roundwatch.core.rounds import Call, CallError, CallOutcome, OutputKind
from roundwatch.core.rounds.events import CallFinished, CallOutput
from roundwatch.core.runner.retry import JITTER, UNREACHABLE, asked_wait_s, delays, is_transient


def failed(error: CallError | None, outcome: CallOutcome = CallOutcome.FAILED, text: str = "") -> Call:
    call = Call("c")
    if text:
        call.stream(CallOutput(round="r", call="c", kind=OutputKind.TEXT, text=text))
    call.finish(CallFinished(round="r", call="c", outcome=outcome, error=error))
    return call


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (CallError(kind="provider_error", http_status=429), True),
        (CallError(kind="provider_error", http_status=500), True),
        (CallError(kind="provider_error", http_status=529), True),
        (CallError(kind="provider_error", code="overloaded_error"), True),
        (CallError(kind=UNREACHABLE), True),
        (CallError(kind="provider_error", http_status=400), False),
        (CallError(kind="provider_error", http_status=403), False),
        (CallError(kind="provider_error", code="invalid_prompt"), False),
        (CallError(kind="provider_error", http_status=429, code="insufficient_quota"), False),
        (None, False),
    ],
)
def test_which_failures_may_pass(error: CallError | None, expected: bool) -> None:
    assert is_transient(failed(error)) is expected


def test_nothing_is_sent_again_once_output_came_or_without_a_failure() -> None:
    overloaded = CallError(kind="provider_error", code="overloaded_error")
    assert not is_transient(failed(overloaded, text="Half an"))
    assert not is_transient(failed(overloaded, CallOutcome.CANCELLED))
    assert not is_transient(failed(overloaded, CallOutcome.BODY_CUT))


def test_waits_double_up_to_the_cap_and_are_only_ever_shortened() -> None:
    waits = list(islice(delays(1.0, 5.0, random.Random(3)), 6))
    for wait, full in zip(waits, [1.0, 2.0, 4.0, 5.0, 5.0, 5.0], strict=True):
        assert full * (1 - JITTER) <= wait <= full
    assert waits == list(islice(delays(1.0, 5.0, random.Random(3)), 6))


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("2", 2.0),
        ("0.5", 0.5),
        (None, None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("-1", None),
        ("inf", None),
        ("nan", None),
    ],
)
def test_only_seconds_are_taken_from_retry_after(header: str | None, expected: float | None) -> None:
    assert asked_wait_s(header) == expected
