from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import (
    PROMPTS,
    CallResult,
    ContinueWhy,
    WindowUse,
    as_one,
    continuation_turns,
    may_continue,
)
from roundwatch.core.rounds import CallOutcome, ContinuationKind, StopReason, Usage

CAP, ENDED = ContinuationKind.OUTPUT_CAP, ContinuationKind.STREAM_ENDED
DONE = CallOutcome.COMPLETED
FULL = WindowUse(context_window=1000, input_tokens=700, partial_tokens=100, prompt_tokens=1, max_output_tokens=200)
ROOM = WindowUse(context_window=1001, input_tokens=700, partial_tokens=100, prompt_tokens=1, max_output_tokens=200)


def expected(
    outcome: CallOutcome | None, reason: StopReason | None, safe: bool, proved: bool, left: bool, fits: bool
) -> str:
    """The table of the continuation policy written out again, most telling reason first."""
    if outcome is not DONE:
        return "not_completed"
    if reason is StopReason.CONTEXT_WINDOW:
        return "context_window"
    if reason not in (None, StopReason.OUTPUT_CAP):
        return "not_cut"
    if not safe:
        return "unsafe_content"
    if reason is None and not proved:
        return "no_proof"
    if not left:
        return "budget_spent"
    return "cut" if fits else "context_window"


def test_every_combination_follows_the_table() -> None:
    flags = itertools.product((True, False), repeat=4)
    for outcome, reason, (safe, proved, left, fits) in itertools.product(
        (None, *CallOutcome), (None, *StopReason), list(flags)
    ):
        decision = may_continue(
            outcome,
            reason,
            ["text", "usage"] if safe else ["text", "tool_call"],
            provider_proved=proved,
            used=0 if left else 1,
            window=ROOM if fits else FULL,
        )
        why = expected(outcome, reason, safe, proved, left, fits)
        assert decision.why == why
        wanted = (CAP if reason else ENDED) if why == "cut" else None
        assert decision.kind is wanted


@pytest.mark.parametrize("kinds", [[], ["text"], ["reasoning"], ["usage"], ["text", "reasoning", "usage", "text"]])
def test_text_reasoning_and_usage_are_safe_to_continue(kinds: list[str]) -> None:
    assert may_continue(DONE, StopReason.OUTPUT_CAP, kinds, provider_proved=False).kind is CAP


@pytest.mark.parametrize("kind", ["tool_call", "tool_arguments", "image", "refusal", "", "Text"])
def test_anything_that_is_not_on_the_whitelist_is_not_continued(kind: str) -> None:
    decision = may_continue(DONE, StopReason.OUTPUT_CAP, ["text", kind], provider_proved=True)
    assert decision.why is ContinueWhy.UNSAFE_CONTENT


@pytest.mark.parametrize(("used", "budget", "goes"), [(0, 1, True), (1, 1, False), (0, 0, False), (1, 2, True)])
def test_one_number_bounds_both_kinds_and_zero_turns_them_off(used: int, budget: int, goes: bool) -> None:
    for reason in (StopReason.OUTPUT_CAP, None):
        decision = may_continue(DONE, reason, ["text"], provider_proved=True, used=used, budget=budget)
        assert (decision.kind is not None) is goes


def test_a_window_that_is_exactly_filled_does_not_overflow() -> None:
    assert not ROOM.overflows
    assert FULL.overflows


def test_an_unknown_window_allows_and_unknown_parts_count_as_nothing_needed_yet() -> None:
    assert not WindowUse(input_tokens=10**9).overflows
    assert not WindowUse(context_window=100).overflows
    assert WindowUse(context_window=100, input_tokens=101).overflows
    assert may_continue(DONE, StopReason.OUTPUT_CAP, ["text"], provider_proved=False).kind is CAP


def test_the_partial_text_goes_back_verbatim_before_the_prompt_of_its_kind() -> None:
    for kind in ContinuationKind:
        turns = continuation_turns(kind, " half a sen ")
        assert [(turn.role, turn.text) for turn in turns] == [
            ("assistant", " half a sen "),
            ("user", PROMPTS[kind]),
        ]


@pytest.mark.parametrize("text", ["", "\n", "  \t\n"])
def test_after_nothing_visible_there_is_no_empty_assistant_turn(text: str) -> None:
    assert [turn.role for turn in continuation_turns(CAP, text)] == ["user"]


def test_each_kind_has_its_own_prompt_and_a_broken_stream_names_no_limit() -> None:
    assert PROMPTS[CAP] != PROMPTS[ENDED]
    assert "output limit" in PROMPTS[CAP]
    assert "connection ended early" in PROMPTS[ENDED]
    for word in ("limit", "max_tokens", "cap"):
        assert word not in PROMPTS[ENDED].casefold()


def test_above_both_calls_are_one_message_with_the_last_reason_and_the_sent_cap() -> None:
    cut = CallResult("m1", "half ", "length", Usage(input_tokens=10, output_tokens=5), 5)
    rest = CallResult("m2", "and half", "stop", Usage(input_tokens=17, output_tokens=3), 5)
    above = as_one(cut, rest)
    assert (above.message_id, above.text, above.finish_reason) == ("m1", "half and half", "stop")
    assert above.usage == Usage(input_tokens=27, output_tokens=8)
    assert above.max_output_tokens == 5
    assert not above.usage_partial


def test_an_absent_reason_of_the_first_call_is_hidden_too() -> None:
    above = as_one(CallResult("m", "a", None, Usage()), CallResult("n", "b", "end_turn", Usage()))
    assert above.finish_reason == "end_turn"


def test_a_sum_with_an_unreported_part_says_so_and_nothing_reported_stays_unreported() -> None:
    above = as_one(
        CallResult("m", "a", "length", Usage(output_tokens=5)), CallResult("n", "b", "stop", Usage(input_tokens=2))
    )
    assert above.usage == Usage(input_tokens=2, output_tokens=5)
    assert above.usage.reasoning_tokens is None
    assert above.usage_partial
    assert as_one(above, CallResult("o", "c", "stop", Usage(input_tokens=1, output_tokens=1))).usage_partial


results = st.builds(
    CallResult,
    message_id=st.text(max_size=3),
    text=st.text(max_size=5),
    finish_reason=st.none() | st.text(max_size=3),
    usage=st.builds(Usage, input_tokens=st.none() | st.integers(0, 99), output_tokens=st.none() | st.integers(0, 99)),
)


@given(results, results, results)
def test_joining_calls_does_not_depend_on_which_are_joined_first(
    one: CallResult, two: CallResult, three: CallResult
) -> None:
    left, right = as_one(as_one(one, two), three), as_one(one, as_one(two, three))
    assert (left.message_id, left.text, left.finish_reason, left.usage) == (
        right.message_id, right.text, right.finish_reason, right.usage,
    )  # fmt: skip
