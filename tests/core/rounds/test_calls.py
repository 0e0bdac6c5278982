from __future__ import annotations

import pytest
from roundwatch.core.rounds import Call, CallOutcome, StopReason
from roundwatch.core.rounds.summary import token_sums

from tests.rounds import Lines, asks, call, event, folded


def one_call(*parts: Lines) -> Call:
    return folded(*parts).calls[0]


@pytest.mark.parametrize(
    ("ended", "outcome"),
    [
        ({"outcome": "completed", "finish_reason": "stop"}, "completed"),
        ({"outcome": "completed", "finish_reason": "error"}, "failed"),
        ({"outcome": "completed", "error": {"kind": "provider_error"}}, "failed"),
        ({"outcome": "completed", "finish_reason": "abort"}, "cancelled"),
        ({"outcome": "stalled", "finish_reason": None}, "stalled"),
        ({"outcome": "body_cut", "finish_reason": "stop"}, "body_cut"),
    ],
)
def test_an_error_object_or_word_makes_a_call_failed_whatever_its_transfer(
    ended: dict[str, object], outcome: str
) -> None:
    assert one_call(event("call.finished", call="c1", **ended)).outcome == outcome


def test_an_open_call_has_no_outcome() -> None:
    assert one_call(event("call.started", call="c1")).outcome is None


def test_the_first_reason_stays_and_a_later_worse_one_decides() -> None:
    found = one_call(call("c1", "stop", finish_repeated=["length", "stop"]))
    assert (found.finish_reason, found.finish_repeated, found.stop_reason) == (
        "stop", ("length",), StopReason.OUTPUT_CAP,
    )  # fmt: skip


def test_a_second_end_without_a_reason_wipes_nothing() -> None:
    again = event("call.finished", call="c1", outcome="completed", finish_reason=None)
    found = one_call(call("c1", "length", total_ms=10), again)
    assert (found.finish_reason, found.total_ms) == ("length", 10)


@pytest.mark.parametrize("word", ["STOP", "stop", "end_turn"])
def test_an_ordinary_end_beside_a_client_tool_call_is_tool_use(word: str) -> None:
    assert one_call(asks("c1"), call("c1", word)).stop_reason is StopReason.TOOL_USE
    assert one_call(asks("c1", server=True), call("c1", word)).stop_reason is StopReason.END


def test_choices_other_than_the_first_add_nothing_to_the_text() -> None:
    left = event("call.output", call="c1", kind="text", text="left")
    right = event("call.output", call="c1", kind="text", text="right", choice=1)
    assert one_call(left, right).text == "left"


def test_a_choice_without_a_reason_is_worse_than_a_natural_end_and_milder_than_a_cut() -> None:
    def judged(*reasons: str | None) -> StopReason | None:
        choices = [{"index": n, "finish_reason": reason} for n, reason in enumerate(reasons)]
        return one_call(call("c1", reasons[0], choices=choices)).judged_reason

    assert judged("stop", None) is None
    assert judged("length", None) is StopReason.OUTPUT_CAP
    assert judged("stop", "content_filter") is StopReason.FILTERED
    assert judged(None, None) is None


def test_characters_without_their_text_are_visible_output() -> None:
    found = one_call(event("call.output", call="c1", kind="text", chars=12))
    assert (found.text, found.text_chars, found.output.visible, found.output.withheld) == ("", 12, True, 12)


def test_zeros_beside_visible_text_are_not_reported() -> None:
    usage = {"input_tokens": 0, "output_tokens": 0}
    spoken = one_call(call("c1", "stop", "Hello", usage=usage)).usage
    silent = one_call(call("c1", "stop", usage=usage)).usage
    assert (spoken.input_tokens, spoken.output_tokens) == (None, None)
    assert silent.output_tokens == 0


def test_counts_mean_the_same_whatever_the_wire() -> None:
    def counted(wire: str, provider: str | None = None) -> tuple[int | None, int | None]:
        usage = {"input_tokens": 10, "output_tokens": 5, "reasoning_tokens": 3, "cache_read_tokens": 4}
        sent = {"wire": wire, "provider": provider}
        found = one_call(call("c1", "stop", sent=sent, usage=usage)).usage
        return found.input_tokens, found.output_tokens

    assert counted("openai-chat") == (10, 5)
    assert counted("anthropic") == (14, 5)
    assert counted("gemini") == (10, 8)
    assert counted("openai-chat", "xai") == (10, 8)
    assert counted("openai-responses", "xai") == (10, 5)
    assert counted("bedrock-converse") == (14, 5)


@pytest.mark.parametrize(("wire", "output"), [("anthropic", None), ("bedrock-invoke", None), ("bedrock-converse", 5)])
def test_a_first_report_without_an_end_is_a_placeholder_on_anthropics_wires_only(wire: str, output: int | None) -> None:
    report = event("call.usage", call="c1", usage={"input_tokens": 10, "output_tokens": 5})
    assert one_call(event("call.started", call="c1", wire=wire), report).usage.output_tokens == output


@pytest.mark.parametrize("usage", [{"output_tokens": -1}, {"input_tokens": 5, "cache_read_tokens": 6}])
def test_impossible_counts_are_shown_raw_flagged_and_kept_out_of_sums(usage: dict[str, int]) -> None:
    round_ = folded(call("c1", "stop", "x", usage=usage), call("c2", "stop", "y", usage={"output_tokens": 7}))
    assert round_.calls[0].usage_implausible
    assert round_.calls[0].usage.model_dump(exclude_none=True) == usage
    assert token_sums(round_) == (None, 7)


def test_reasoning_above_output_is_not_impossible() -> None:
    assert not one_call(call("c1", "stop", usage={"output_tokens": 10, "reasoning_tokens": 11})).usage_implausible


def test_the_cap_is_the_one_the_call_was_sent_with() -> None:
    found = one_call(call("c1", "length", sent={"max_output_tokens": 4096, "context_window": 200_000}))
    assert (found.max_output_tokens, found.context_window) == (4096, 200_000)


def test_a_role_chunk_or_usage_is_no_first_output() -> None:
    lines = event("call.started", call="c1", at="2026-03-01T10:00:00Z")
    lines += event("call.output", call="c1", kind="text", text="", at="2026-03-01T10:00:01Z")
    lines += event("call.output", call="c1", kind="usage", chars=5, at="2026-03-01T10:00:02Z")
    assert one_call(lines).first_output_ms is None
    lines += event("call.output", call="c1", kind="reasoning", text="hm", at="2026-03-01T10:00:03Z")
    assert one_call(lines).first_output_ms == 3000.0


def test_every_outcome_of_the_wire_is_one_of_five() -> None:
    assert {str(outcome) for outcome in CallOutcome} == {"completed", "failed", "cancelled", "stalled", "body_cut"}
