from __future__ import annotations

import pytest
from roundwatch.core.policies import REPLAYED_ARGUMENTS, TRUNCATED_CALL, RequestedCall, is_refused, refuse
from roundwatch.core.rounds import RefusedWhy, StopReason, stop_reason

CALLS = (RequestedCall("t1", "Read", started_early=True), RequestedCall("t2", "Write"), RequestedCall("t1", "Read"))


@pytest.mark.parametrize("reason", [None, *StopReason])
def test_only_a_cut_response_with_tool_calls_is_refused(reason: StopReason | None) -> None:
    cut = reason in (StopReason.OUTPUT_CAP, StopReason.CONTEXT_WINDOW)
    assert is_refused(reason, CALLS) is cut
    assert (refuse(reason, CALLS) is not None) is cut
    assert not is_refused(reason, ())
    assert refuse(reason, ()) is None


def test_a_routers_relabelled_reason_is_judged_by_the_native_one() -> None:
    assert is_refused(stop_reason("tool_calls", native="MAX_TOKENS"), CALLS)
    assert not is_refused(stop_reason("tool_calls", native="tool_use"), CALLS)


def test_every_call_is_answered_once_in_order_with_the_shared_text() -> None:
    turn = refuse(StopReason.OUTPUT_CAP, CALLS)
    assert turn is not None
    assert [(call.id, call.name, call.started_early) for call in turn.calls] == [
        ("t1", "Read", True),
        ("t2", "Write", False),
        ("t1", "Read", False),
    ]
    assert {call.message for call in turn.calls} == {TRUNCATED_CALL}
    assert {call.why for call in turn.calls} == {RefusedWhy.OUTPUT_CAP}
    assert turn.results_are_errors == (True, True, True)


def test_early_work_is_dropped_only_where_there_was_some() -> None:
    early, late = refuse(StopReason.OUTPUT_CAP, CALLS), refuse(StopReason.OUTPUT_CAP, CALLS[1:])
    assert early is not None
    assert early.drops_early_results
    assert late is not None
    assert not late.drops_early_results


@pytest.mark.parametrize(
    "part",
    ["max_tokens", "may be incomplete", "discarded", "nothing that changes anything was run",
     "none of them has a result", "cut the same way", "fewer calls at once", "split a large argument"],
)  # fmt: skip
def test_the_model_is_told_what_happened_and_what_helps(part: str) -> None:
    assert part in TRUNCATED_CALL


@pytest.mark.parametrize("part", ["none of them were run", "none was run", "try again", "retry"])
def test_the_model_is_not_told_what_may_be_false_or_useless(part: str) -> None:
    assert part not in TRUNCATED_CALL.casefold()


def test_a_refused_call_is_replayed_without_arguments() -> None:
    assert REPLAYED_ARGUMENTS == "{}"
