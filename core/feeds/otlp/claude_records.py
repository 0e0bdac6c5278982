"""One record of Claude Code's logs: which prompt it belongs to, and what it tells."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...hub.inlet import Numbered
from ...rounds import Event
from .call_events import addition, call_events
from .names import Fact
from .records import Session
from .span import Log, Span, Status, as_name, number
from .tool_events import is_rejected, tool_events

_REQUEST, _TOOL = "claude_code.llm_request", "claude_code.tool"
"""What the spans of the same things are called: they are read alike."""


@dataclass(slots=True)
class Prompting:
    """A session and the prompt that it is at."""

    owner: str
    id: str
    heard_s: float
    round: str | None = None
    began_ns: int = 0
    """When the round's first record that arrived was written."""
    last_ns: int = 0
    last_log: str = ""
    before: dict[str, None] = field(default_factory=dict[str, None])
    """Rounds of earlier prompts: what still works for them does not take the session back."""
    agents: dict[str, None] = field(default_factory=dict[str, None])
    """Sub-agents at work for the round."""


def earlier(session: Prompting, log: Log) -> Prompting | None:
    """Return an earlier prompt that a record belongs to, so that the one at hand goes on; None for any other record."""
    prompt = prompt_of(log)
    round_ = f"{session.id}.{prompt}"
    if prompt is None or session.round is None or round_ == session.round:
        return None
    is_older = round_ in session.before or log.time_ns < session.began_ns
    return Prompting(session.owner, session.id, session.heard_s) if is_older else None


def prompt_of(log: Log) -> str | None:
    """Return the id of the prompt that a record belongs to."""
    named = log.attributes.get("prompt.id")
    return as_name(named) if isinstance(named, str) else None


def remembered(session: Prompting) -> Session:
    """Return what has to be remembered of a session."""
    return Session(
        session.owner,
        session.id,
        session.round,
        session.last_log,
        session.last_ns,
        agents=tuple(session.agents),
        began_ns=session.began_ns,
    )


def said_by(name: str, log: Log, round_: str, mark: str) -> list[Event]:
    """Return what a record tells of its round."""
    match name:
        case "api_request" | "api_error" | "api_refusal":
            span = _as_span(log, _REQUEST, as_name(str(log.attributes.get("request_id") or "")) or mark)
            if name == "api_error":
                span = replace(span, status=Status.ERROR)
            more = addition(span, round_)
            return [*call_events(span, round_), *([more] if more is not None else [])]
        case "tool_result" | "tool_decision":
            if (name == "tool_decision") is not is_rejected(log.attributes):
                return []  # what was allowed is told by its result, and what was refused by the decision
            return list(tool_events(_as_span(log, _TOOL, mark), round_))
        case _:
            return []


def _as_span(log: Log, name: str, id_: str) -> Span:
    """Return a log record as the span that it stands for; it is written at the end."""
    duration = number({"ttft_ms": log.attributes.get("duration_ms")}, Fact.FIRST_OUTPUT_MS) or 0.0
    start_ns = max(0, log.time_ns - int(duration * 1e6))
    return Span("", id_[:200], None, name, start_ns, log.time_ns, log.attributes)


def mark_of(session: Prompting, log: Log) -> str:
    """Return a name for a log record that is the same whenever it is sent."""
    facts = ("event.sequence", "event.timestamp", "request_id", "tool_use_id", "prompt.id", "tool_name")
    parts = (session.owner, session.id, log.event, log.time_ns, *(log.attributes.get(fact) for fact in facts))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def numbered(owner: str, producer: str, events: Sequence[Event]) -> list[Numbered]:
    """Return events with their numbers."""
    return [Numbered(owner, producer, n, event) for n, event in enumerate(events, 1)]
