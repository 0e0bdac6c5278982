"""What each instrumentation calls the same facts, read alike."""

from __future__ import annotations

from typing import Any

import pytest
from roundwatch.core.feeds.otlp.call_events import call_events, error_of, silences, words_of
from roundwatch.core.feeds.otlp.kinds import Kind, kind_of
from roundwatch.core.feeds.otlp.messages import MOST_CHOICES, WORD_CHARS
from roundwatch.core.feeds.otlp.names import NAMES, Fact
from roundwatch.core.feeds.otlp.span import Status
from roundwatch.core.rounds import Call, Ledger

from tests.core.feeds.otlp.spans import span

DIALECTS: dict[str, dict[str, Any]] = {
    "GenAI convention": {
        "gen_ai.operation.name": "chat", "gen_ai.provider.name": "acme", "gen_ai.request.model": "m",
        "gen_ai.request.max_tokens": 99, "gen_ai.response.finish_reasons": ["length"],
        "gen_ai.usage.input_tokens": 20, "gen_ai.usage.output_tokens": 9, "gen_ai.usage.reasoning.output_tokens": 3,
        "gen_ai.usage.cache_read.input_tokens": 8, "gen_ai.usage.cache_creation.input_tokens": 2,
        "gen_ai.response.time_to_first_chunk": 0.25,
        "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"It lies"}]}]',
    },
    "util-genai, cache writes renamed": {
        "gen_ai.operation.name": "generate_content", "gen_ai.provider.name": "acme", "gen_ai.response.model": "m",
        "gen_ai.request.max_tokens": 99, "gen_ai.response.finish_reasons": ["length"],
        "gen_ai.usage.input_tokens": 20, "gen_ai.usage.output_tokens": 9, "gen_ai.usage.reasoning.output_tokens": 3,
        "gen_ai.usage.cache_read.input_tokens": 8, "gen_ai.usage.cache_write.input_tokens": 2,
        "gen_ai.response.time_to_first_chunk": 0.25,
        "gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": "It lies"}]}],
    },
    "OpenInference": {
        "openinference.span.kind": "LLM", "llm.provider": "acme", "llm.model_name": "m",
        "llm.invocation_parameters": '{"max_tokens": 99}', "llm.finish_reason": "length",
        "llm.token_count.prompt": 20, "llm.token_count.completion": 9,
        "llm.token_count.completion_details.reasoning": 3, "llm.token_count.prompt_details.cache_read": 8,
        "llm.token_count.prompt_details.cache_write": 2, "gen_ai.server.time_to_first_token": 0.25,
        "llm.output_messages.0.message.content": "It lies",
    },
    "OpenLLMetry": {
        "llm.request.type": "chat", "gen_ai.system": "acme", "gen_ai.request.model": "m",
        "gen_ai.request.max_tokens": "99", "gen_ai.completion.0.finish_reason": "length",
        "gen_ai.completion.0.content": "It lies", "gen_ai.usage.prompt_tokens": "20",
        "gen_ai.usage.completion_tokens": 9.0, "llm.usage.reasoning_tokens": 3,
        "gen_ai.usage.cache_read_input_tokens": 8, "gen_ai.usage.cache_creation_input_tokens": 2,
        "gen_ai.time_to_first_token": "0.25",
    },
    "OpenLIT": {
        "gen_ai.operation.name": "chat", "gen_ai.system": "acme", "gen_ai.request.model": "m",
        "gen_ai.request.max_tokens": 99, "gen_ai.response.finish_reasons": "['length']",
        "gen_ai.usage.input_tokens": 20, "gen_ai.usage.output_tokens": 9, "gen_ai.usage.reasoning_tokens": 3,
        "gen_ai.usage.cache.read_input_tokens": 8, "gen_ai.usage.cache.creation_input_tokens": 2,
        "gen_ai.server.time_to_first_token": 0.25, "gen_ai.completion": "It lies",
    },
}  # fmt: skip


def read(attributes: dict[str, Any], **more: Any) -> Call:
    ledger = Ledger()
    for event in call_events(span("c", attributes=attributes, **more), "r"):
        ledger.apply(event)
    return ledger.rounds["r"].calls[0]


@pytest.mark.parametrize("attributes", DIALECTS.values(), ids=DIALECTS.keys())
def test_every_dialect_says_the_same(attributes: dict[str, Any]) -> None:
    assert kind_of(span("c", attributes=attributes)) is Kind.CALL
    call, usage = read(attributes), read(attributes).usage
    assert (call.model, call.provider, call.max_output_tokens) == ("m", "acme", 99)
    assert (call.finish_reason, call.first_output_ms, call.total_ms, call.text) == ("length", 250, 1000, "It lies")
    assert (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens) == (20, 9, 3)
    assert (usage.cache_read_tokens, usage.cache_write_tokens) == (8, 2)
    assert silences(span("c", attributes=attributes)) == ()


def test_no_two_facts_share_a_name_unless_it_depends_on_the_kind_of_span() -> None:
    shared = {"traceloop.entity.name", "traceloop.entity.output", "output.value"}
    names = [name for known in NAMES.values() for name in known if name not in shared]
    assert len(names) == len(set(names))
    assert set(NAMES) == set(Fact)


CLAUDE = {
    "session.id": "s", "model": "claude-opus-5", "gen_ai.system": "anthropic", "input_tokens": 2, "output_tokens": 12,
    "cache_read_tokens": 100, "cache_creation_tokens": 7, "success": True, "stop_reason": "tool_use", "ttft_ms": 321.5,
    "attempt": 1,
}  # fmt: skip


def test_claude_codes_spans_count_as_their_provider_does() -> None:
    call = read(CLAUDE, called="claude_code.llm_request")
    assert (call.model, call.finish_reason, call.first_output_ms) == ("claude-opus-5", "tool_use", 321.5)
    assert (call.usage.input_tokens, call.outcome) == (109, "completed")
    failed = read(
        CLAUDE | {"success": "false", "error": "Overloaded", "status_code": 529}, called="claude_code.llm_request"
    )
    assert failed.error is not None
    assert (failed.outcome, failed.error.http_status, failed.error.message) == ("failed", 529, "Overloaded")


def test_what_is_not_told_is_not_made_up() -> None:
    call = read({"gen_ai.operation.name": "chat"})
    assert (call.model, call.finish_reason, call.first_output_ms, call.usage.output_tokens) == (None, None, None, None)
    told = silences(span("c", attributes={"gen_ai.operation.name": "chat"}))
    assert told == ("finish_reason", "first_output", "usage", "text")


@pytest.mark.parametrize("count", [-1, 1.5, "many", True, float("inf"), float("nan"), "1e400", None, [7], 2**60])
def test_a_count_that_is_none_is_not_reported(count: Any) -> None:
    assert read({"gen_ai.usage.output_tokens": count}).usage.output_tokens is None


def test_several_choices_keep_their_own_words_and_the_worst_decides() -> None:
    call = read({"gen_ai.response.finish_reasons": ["stop", "content_filter"]})
    assert ([each.finish_reason for each in call.choices], call.judged_reason) == (
        ["stop", "content_filter"],
        "filtered",
    )


def test_a_status_stands_in_for_a_reason_only_where_it_ends_a_response() -> None:
    assert read({"gen_ai.response.status": "incomplete"}).finish_reason == "incomplete"
    assert read({"gen_ai.response.status": "in_progress"}).finish_reason is None


@pytest.mark.parametrize(
    ("error", "status", "outcome"),
    [("429", 429, "failed"), ("openai.RateLimitError", None, "failed"), ("asyncio.CancelledError", None, "cancelled")],
)
def test_errors_are_of_their_kind(error: str, status: int | None, outcome: str) -> None:
    call = read({"error.type": error}, status=2, message="key sk-abcdefghijklmnop1234 is wrong")
    assert call.error is not None
    assert (call.error.kind, call.error.http_status, call.outcome) == (error, status, outcome)
    assert call.error.message == "key […] is wrong"


def test_operations_that_are_no_calls_are_none() -> None:
    for operation in ("embeddings", "retrieval", "create_agent", "invoke_workflow", "anything"):
        attributes = {"gen_ai.operation.name": operation, "gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 3}
        assert kind_of(span("c", attributes=attributes)) is Kind.OTHER


@pytest.mark.parametrize(
    ("status", "attributes", "failed"),
    [
        (Status.UNSET, {"exception.type": "KeyError", "exception.message": "a retry helped"}, False),
        (Status.OK, {"exception.type": "KeyError"}, False),
        (Status.OK, {"error.type": "KeyError"}, False),
        (Status.ERROR, {"exception.type": "KeyError"}, True),
        (Status.UNSET, {"error.type": "KeyError"}, True),
        (Status.UNSET, {"error": True}, True),
        (Status.UNSET, {"error": False}, False),
        (Status.UNSET, {"success": False, "exception.type": "KeyError"}, True),
    ],
)
def test_an_exception_that_was_dealt_with_is_no_error(status: int, attributes: dict[str, Any], failed: bool) -> None:
    error = error_of(span("c", attributes=attributes, status=status))
    assert (error is not None) is failed
    assert error is None or error.kind == ("error" if "error" in attributes else "KeyError")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("", "openai.BadRequestError"),
        ("BadRequestError: no such model", "BadRequestError: no such model"),
        ("no such model", "openai.BadRequestError: no such model"),
    ],
)
def test_the_type_of_an_error_is_said_once(message: str, words: str) -> None:
    error = error_of(
        span("c", attributes={"error.type": "openai.BadRequestError"}, status=Status.ERROR, message=message)
    )
    assert error is not None
    assert words_of(error) == words


def test_an_answer_in_parts_of_openinference() -> None:
    part = "llm.output_messages.0.message.contents.{}.message_content.text"
    attributes = {part.format(0): "It ", part.format(1): "lies"}
    assert read(attributes).text == "It lies"
    assert "text" not in silences(span("c", attributes=attributes))


def test_words_and_choices_are_bounded() -> None:
    many = read({"gen_ai.response.finish_reasons": ["stop"] * 100_000})
    assert (many.finish_reason, len(many.choices)) == ("stop", MOST_CHOICES)
    assert len(read({"gen_ai.completion.9999.finish_reason": "stop"}).choices) <= MOST_CHOICES
    assert read({"gen_ai.response.finish_reasons": ["x" * 500_000]}).finish_reason == "x" * WORD_CHARS


def test_parts_of_an_answer_are_told_as_one_text() -> None:
    parts = [{"type": "reasoning", "content": "Hm"}, *({"type": "text", "content": letter} for letter in "abc")]
    call = read({"gen_ai.output.messages": [{"role": "assistant", "parts": parts}]})
    assert (call.text, call.reasoning_chars) == ("abc", 2)


def test_texts_that_cannot_be_read_are_not_recorded_and_no_silence_of_the_model() -> None:
    assert "text" in silences(span("c", attributes={"gen_ai.output.messages": '[{"role": "assist'}))
