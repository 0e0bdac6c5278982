"""The one table of attribute names: what each instrumentation calls the facts of a model call.

The names are spelled out. OpenTelemetry's Python package marks all its ``gen_ai`` constants as deprecated and lacks
those that instrumentations send today. The first name that has a usable value wins, so newer names stand first.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Fact(StrEnum):
    """What is read of spans and logs."""

    OPERATION = "operation"
    SPAN_KIND = "span_kind"
    PROVIDER = "provider"
    REQUEST_MODEL = "request_model"
    RESPONSE_MODEL = "response_model"
    MAX_TOKENS = "max_tokens"
    INVOCATION = "invocation"
    """The parameters of a request as JSON."""
    FINISH_REASONS = "finish_reasons"
    RESPONSE_STATUS = "response_status"
    INPUT_TOKENS = "input_tokens"
    OUTPUT_TOKENS = "output_tokens"
    REASONING_TOKENS = "reasoning_tokens"
    CACHE_READ_TOKENS = "cache_read_tokens"
    CACHE_WRITE_TOKENS = "cache_write_tokens"
    FIRST_OUTPUT_S = "first_output_s"
    FIRST_OUTPUT_MS = "first_output_ms"
    CONVERSATION = "conversation"
    AGENT = "agent"
    WORKFLOW = "workflow"
    TOOL_NAME = "tool_name"
    TOOL_CALL = "tool_call"
    TOOL_TYPE = "tool_type"
    ARGUMENTS = "arguments"
    RESULT = "result"
    INPUT_MESSAGES = "input_messages"
    OUTPUT_MESSAGES = "output_messages"
    OUTPUT_TEXT = "output_text"
    ERROR_TYPE = "error_type"
    EXCEPTION = "exception"
    """Something was raised; it may have been dealt with."""
    ERROR_MESSAGE = "error_message"
    HTTP_STATUS = "http_status"
    SUCCESS = "success"
    DECISION = "decision"
    DECIDED_BY = "decided_by"
    ATTEMPT = "attempt"
    SUB_AGENT = "sub_agent"
    PARENT_AGENT = "parent_agent"


NAMES: Mapping[Fact, tuple[str, ...]] = {
    Fact.OPERATION: ("gen_ai.operation.name", "llm.request.type"),
    Fact.SPAN_KIND: ("openinference.span.kind", "traceloop.span.kind", "agentops.span.kind", "span.type"),
    Fact.PROVIDER: ("gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system", "llm.vendor"),
    Fact.REQUEST_MODEL: ("gen_ai.request.model", "llm.request.model", "llm.model_name", "model"),
    Fact.RESPONSE_MODEL: ("gen_ai.response.model", "llm.response.model"),
    Fact.MAX_TOKENS: ("gen_ai.request.max_tokens", "llm.request.max_tokens"),
    Fact.INVOCATION: ("llm.invocation_parameters",),
    Fact.FINISH_REASONS: (
        "gen_ai.response.finish_reasons",
        "gen_ai.response.finish_reason",
        "gen_ai.response.stop_reason",
        "llm.response.finish_reason",
        "llm.response.stop_reason",
        "llm.finish_reason",
        "stop_reason",
    ),
    Fact.RESPONSE_STATUS: ("gen_ai.response.status",),
    Fact.INPUT_TOKENS: (
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.prompt_tokens",
        "llm.usage.prompt_tokens",
        "llm.token_count.prompt",
        "input_tokens",
    ),
    Fact.OUTPUT_TOKENS: (
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.completion_tokens",
        "llm.usage.completion_tokens",
        "llm.token_count.completion",
        "output_tokens",
    ),
    Fact.REASONING_TOKENS: (
        "gen_ai.usage.reasoning.output_tokens",
        "gen_ai.usage.reasoning_tokens",
        "gen_ai.usage.completion_tokens_details.reasoning_tokens",
        "llm.usage.reasoning_tokens",
        "llm.token_count.completion_details.reasoning",
    ),
    Fact.CACHE_READ_TOKENS: (
        "gen_ai.usage.cache_read.input_tokens",
        "gen_ai.usage.cache.read_input_tokens",
        "gen_ai.usage.cache_read_input_tokens",
        "gen_ai.usage.prompt_tokens_details.cached_tokens",
        "llm.usage.cache_read_input_tokens",
        "llm.token_count.prompt_details.cache_read",
        "cache_read_tokens",
    ),
    Fact.CACHE_WRITE_TOKENS: (
        "gen_ai.usage.cache_write.input_tokens",
        "gen_ai.usage.cache_creation.input_tokens",
        "gen_ai.usage.cache.creation_input_tokens",
        "gen_ai.usage.cache_creation_input_tokens",
        "llm.usage.cache_creation_input_tokens",
        "llm.token_count.prompt_details.cache_write",
        "cache_creation_tokens",
    ),
    Fact.FIRST_OUTPUT_S: (
        "gen_ai.response.time_to_first_chunk",
        "gen_ai.server.time_to_first_token",
        "gen_ai.time_to_first_token",
    ),
    Fact.FIRST_OUTPUT_MS: ("ttft_ms",),
    Fact.CONVERSATION: (
        "gen_ai.conversation.id",
        "session.id",
        "traceloop.association.properties.session_id",
        "traceloop.association.properties.thread_id",
    ),
    Fact.AGENT: (
        "gen_ai.agent.name",
        "agent.name",
        "agentops.agent.name",
        "subagent_type",
        "agent_type",
        "gen_ai.agent.id",
        "traceloop.entity.name",
    ),
    Fact.WORKFLOW: ("gen_ai.workflow.name", "traceloop.workflow.name"),
    Fact.TOOL_NAME: ("gen_ai.tool.name", "tool.name", "tool_name", "traceloop.entity.name"),
    Fact.TOOL_CALL: ("gen_ai.tool.call.id", "tool_call.id", "tool_use_id"),
    Fact.TOOL_TYPE: ("gen_ai.tool.type",),
    Fact.ARGUMENTS: (
        "gen_ai.tool.call.arguments",
        "tool.parameters",
        "tool_input",
        "tool_parameters",
        "traceloop.entity.input",
        "input.value",
    ),
    Fact.RESULT: ("gen_ai.tool.call.result", "traceloop.entity.output", "output.value"),
    Fact.INPUT_MESSAGES: ("gen_ai.input.messages",),
    Fact.OUTPUT_MESSAGES: ("gen_ai.output.messages",),
    Fact.OUTPUT_TEXT: ("gen_ai.completion", "output.value", "traceloop.entity.output"),
    Fact.ERROR_TYPE: ("error.type", "error_type"),
    Fact.EXCEPTION: ("exception.type",),
    Fact.ERROR_MESSAGE: ("exception.message", "error.message", "error"),
    Fact.HTTP_STATUS: ("http.response.status_code", "http.status_code", "status_code"),
    Fact.SUCCESS: ("success",),
    Fact.DECISION: ("coding_agent.edit.decision", "decision"),
    Fact.DECIDED_BY: ("source", "decision_source"),
    Fact.ATTEMPT: ("gen_ai.request.attempt", "attempt"),
    Fact.SUB_AGENT: ("agent_id", "agent.id"),
    Fact.PARENT_AGENT: ("parent_agent_id", "parent_agent.id"),
}

INDEXED_OUTPUT = ("gen_ai.completion.", "llm.output_messages.")
"""Beginnings of names that number the choices of an answer: ``gen_ai.completion.0.content``."""
INDEXED_INPUT = ("gen_ai.prompt.", "llm.input_messages.")
CAP_PARAMETERS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens")
"""How a cap is called inside ``Fact.INVOCATION``."""
