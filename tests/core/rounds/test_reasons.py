from __future__ import annotations

import pytest
from roundwatch.core.rounds import StopReason, stop_reason
from roundwatch.core.rounds.reasons import reported, severity, worst


@pytest.mark.parametrize(
    ("word", "neutral"),
    [
        ("stop", "end"), ("end_turn", "end"), ("STOP", "end"), ("eos", "end"), ("stop_sequence", "stop_sequence"),
        ("tool_calls", "tool_use"), ("tool_use", "tool_use"), ("function_call", "tool_use"), ("length", "output_cap"),
        ("max_tokens", "output_cap"), ("MAX_TOKENS", "output_cap"), ("model_length", "context_window"),
        ("model_context_window_exceeded", "context_window"), ("content_filter", "filtered"), ("SAFETY", "filtered"),
        ("refusal", "refused"), ("pause_turn", "paused"), ("MALFORMED_FUNCTION_CALL", "malformed"),
        ("error", "provider_error"), ("network_error", "provider_error"), ("abort", "cancelled"),
        ("quota_pause", "unknown"), ("Stop", "unknown"), ("OTHER", "unknown"), ("compaction", "unknown"),
    ],
)  # fmt: skip
def test_each_wire_value_has_one_neutral_meaning_and_a_new_one_is_unknown(word: str, neutral: str) -> None:
    assert stop_reason(word) == neutral


@pytest.mark.parametrize("blank", [None, "", " ", "\n"])
def test_a_blank_value_reports_nothing(blank: str | None) -> None:
    assert reported(blank) is None
    assert stop_reason(blank) is None


def test_a_closer_word_of_the_provider_is_read_first() -> None:
    assert stop_reason("incomplete", "max_output_tokens") is StopReason.OUTPUT_CAP
    assert stop_reason("incomplete", "content_filter") is StopReason.FILTERED
    assert stop_reason("refusal", "cyber") is StopReason.REFUSED


def test_a_blocked_prompt_has_no_finish_word_and_is_filtered() -> None:
    assert stop_reason(None, "PROHIBITED_CONTENT") is StopReason.FILTERED
    assert stop_reason(None, "JAILBREAK") is StopReason.FILTERED
    assert stop_reason(None, "connection lost") is None


@pytest.mark.parametrize("detail", ["BRAND_NEW_POLICY", "BLOCKED_REASON_UNSPECIFIED", "OTHER", "9"])
def test_a_block_reason_that_is_not_known_yet_blocks_the_prompt_too(detail: str) -> None:
    assert stop_reason(None, detail) is StopReason.FILTERED
    assert stop_reason("STOP", detail) is StopReason.END


@pytest.mark.parametrize("detail", ["STOP", "MAX_TOKENS", "max_output_tokens", '"STOP"', "violence, hate", ""])
def test_a_detail_alone_that_is_no_block_reason_reports_nothing(detail: str) -> None:
    assert stop_reason(None, detail) is None


@pytest.mark.parametrize(
    ("word", "native", "decides"),
    [
        ("tool_calls", "length", "output_cap"), ("stop", "max_output_tokens", "output_cap"), ("stop", "STOP", "end"),
        ("stop", "SAFETY", "filtered"), ("length", "stop", "output_cap"), ("stop", "brand_new", "end"),
    ],
)  # fmt: skip
def test_a_routers_word_gives_way_to_a_worse_one_of_its_upstream(word: str, native: str, decides: str) -> None:
    assert stop_reason(word, native=native) == decides


def test_the_order_of_severity_is_the_documented_one() -> None:
    order = ["end", "unknown", "output_cap", "filtered", "malformed", "provider_error"]
    assert sorted(order, key=lambda name: severity(StopReason(name))) == order
    assert all(isinstance(severity(reason), int) for reason in StopReason)
    assert worst((StopReason.REFUSED, StopReason.FILTERED)) is StopReason.REFUSED
