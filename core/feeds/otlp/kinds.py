"""What a span is to us: a round, a model call, a tool, a permission asked for, or part of the way between them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from .names import Fact
from .span import Span, text, value


class Kind(Enum):
    """See the module."""

    AGENT = auto()
    CALL = auto()
    TOOL = auto()
    PERMISSION = auto()
    """Claude Code waited for a person or a rule to allow a tool."""
    OTHER = auto()


_OPERATIONS: Mapping[str, Kind] = {
    "chat": Kind.CALL,
    "generate_content": Kind.CALL,
    "text_completion": Kind.CALL,
    "completion": Kind.CALL,
    "invoke_agent": Kind.AGENT,
    "execute_tool": Kind.TOOL,
}
"""``gen_ai.operation.name``; any other one is part of the way."""
_SPAN_KINDS: Mapping[str, Kind] = {
    "llm": Kind.CALL,
    "llm_request": Kind.CALL,
    "agent": Kind.AGENT,
    "interaction": Kind.AGENT,
    "tool": Kind.TOOL,
    "tool.blocked_on_user": Kind.PERMISSION,
}
"""What OpenInference, OpenLLMetry, AgentOps and Claude Code write, in small letters."""
_CLAUDE_CODE: Mapping[str, Kind] = {
    "claude_code.interaction": Kind.AGENT,
    "claude_code.llm_request": Kind.CALL,
    "claude_code.tool": Kind.TOOL,
    "claude_code.tool.blocked_on_user": Kind.PERMISSION,
}
CLAUDE_CODE = "claude_code."


AGENT_TOOLS = frozenset(("Agent", "Task"))
"""Tools of Claude Code that set a sub-agent to work; its spans are below theirs."""


def is_agent_tool(span: Span) -> bool:
    """Return whether what is below a tool's span is the work of a sub-agent."""
    return span.name == "claude_code.tool" and text(span.attributes, Fact.TOOL_NAME) in AGENT_TOOLS


def kind_of(span: Span) -> Kind:
    """Return what a span is."""
    if span.name.startswith(CLAUDE_CODE):
        return _CLAUDE_CODE.get(span.name, Kind.OTHER)
    operation = text(span.attributes, Fact.OPERATION)
    if operation is not None:
        return _OPERATIONS.get(operation.lower(), Kind.OTHER)
    own_word = text(span.attributes, Fact.SPAN_KIND)
    if own_word is not None:
        return _SPAN_KINDS.get(own_word.lower(), Kind.OTHER)
    # some instrumentations name no operation; a model together with counts or a reason is a call of it
    named = text(span.attributes, Fact.REQUEST_MODEL) or text(span.attributes, Fact.RESPONSE_MODEL)
    told = (Fact.FINISH_REASONS, Fact.INPUT_TOKENS, Fact.OUTPUT_TOKENS)
    return Kind.CALL if named and any(value(span.attributes, fact) is not None for fact in told) else Kind.OTHER
