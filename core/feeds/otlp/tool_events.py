"""The events of one tool, out of its span."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...rounds import Event, RefusedWhy
from ...rounds.events import ToolFinished, ToolRefused, ToolRequested, ToolStarted
from ..key_shapes import without_keys
from .call_events import error_of, words_of
from .names import Fact
from .span import Attributes, Span, as_name, moment, text, value

ARGUMENT_CHARS = 64_000
PREVIEW_CHARS = 2000
REJECTED = "reject"
INTERRUPTIONS = frozenset(("user_abort", "abort"))
BY_RULE = frozenset(("config", "hook", "policy"))
"""Sources of a decision that are no person."""


def tool_events(span: Span, round_: str) -> Iterator[Event]:
    """Yield what was asked for, and what came of it."""
    tool = tool_id(span)
    arguments = _as_text(value(span.attributes, Fact.ARGUMENTS))
    yield ToolRequested(
        round=round_,
        tool_call=tool,
        name=text(span.attributes, Fact.TOOL_NAME) or as_name(span.name) or "?",
        arguments=without_keys(arguments) if arguments and len(arguments) <= ARGUMENT_CHARS else None,
        complete=True if arguments else None,
        id_given=text(span.attributes, Fact.TOOL_CALL) is not None,
        at=moment(span.start_ns),
    )
    if is_rejected(span.attributes):
        yield refusal(span, round_, tool)
        return
    error = error_of(span)
    result = _as_text(value(span.attributes, Fact.RESULT))
    yield ToolStarted(round=round_, tool_call=tool, at=moment(span.start_ns))
    yield ToolFinished(
        round=round_,
        tool_call=tool,
        ok=error is None,
        duration_ms=span.duration_ms,
        preview=without_keys(result[:PREVIEW_CHARS]) if result else None,
        error=None if error is None else words_of(error),
        at=moment(span.end_ns),
    )


def tool_id(span: Span) -> str:
    """Return the id that the model gave a tool call; where it is not told, that of the span."""
    return text(span.attributes, Fact.TOOL_CALL) or span.id


def is_rejected(attributes: Attributes) -> bool:
    """Return whether somebody, or a rule, said no."""
    return text(attributes, Fact.DECISION) == REJECTED


def refusal(span: Span, round_: str, tool: str) -> ToolRefused:
    """Return that a tool was not allowed."""
    why, message = why_refused(span.attributes)
    return ToolRefused(round=round_, tool_call=tool, why=why, message=message, at=moment(span.end_ns))


def why_refused(attributes: Attributes) -> tuple[RefusedWhy, str]:
    """Return who refused, and the source's own words for it."""
    source = text(attributes, Fact.DECIDED_BY)
    if source in INTERRUPTIONS:
        why = RefusedWhy.INTERRUPTED
    else:
        why = RefusedWhy.POLICY if source in BY_RULE else RefusedWhy.PERMISSION
    return why, f"{REJECTED}: {source}" if source else REJECTED


def _as_text(given: Any) -> str | None:
    if given is None or isinstance(given, str):
        return given
    try:
        return json.dumps(given, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return None
