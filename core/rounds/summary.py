"""What a list still needs of a round whose details are no longer in memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from .base import Parent
from .outcome import Outcome, classify
from .round import Round

MOST_NAMES = 50
"""Distinct models, and distinct tools, that are remembered of a round; no agent has more tools."""


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """One ended round in a few hundred bytes; its details come from the store."""

    id: str
    thread: str | None
    agent: str | None
    title: str | None
    parent: Parent | None
    started_at: datetime | None
    ended_at: datetime | None
    total_ms: float | None
    calls: int
    input_tokens: int | None
    output_tokens: int | None
    outcome: Outcome
    models: tuple[str, ...] = ()
    """Each model that was named, once, in order of appearance; at most ``MOST_NAMES``."""
    tools: tuple[str, ...] = ()
    """The same of tools."""

    @classmethod
    def of(cls, round_: Round) -> RoundSummary:
        """Return the summary of ``round_`` as it stands."""
        tokens = token_sums(round_)
        return cls(
            id=round_.id,
            thread=round_.thread,
            agent=round_.agent,
            title=round_.title,
            parent=round_.parent,
            started_at=round_.started_at or round_.first_at,
            ended_at=round_.ended_at,
            total_ms=round_.total_ms,
            calls=len(round_.calls),
            input_tokens=tokens[0],
            output_tokens=tokens[1],
            outcome=classify(round_),
            models=model_names(round_),
            tools=tool_names(round_),
        )


def model_names(round_: Round) -> tuple[str, ...]:
    """Return the models that a round's calls, or its start, name."""
    models = dict.fromkeys(call.model for call in round_.calls if call.model)
    if round_.model:
        models.setdefault(round_.model)
    return tuple(models)[:MOST_NAMES]


def tool_names(round_: Round) -> tuple[str, ...]:
    """Return the tools that a round's model asked for."""
    return tuple(dict.fromkeys(tool.name for tool in round_.tool_calls.values() if tool.name))[:MOST_NAMES]


def token_sums(round_: Round) -> tuple[int | None, int | None]:
    """Return input and output tokens over all calls; None when no call reported any.

    Implausible reports are kept out (outcomes.md 2.6.14).
    """
    reports = [call.usage for call in round_.calls if not call.usage_implausible]
    inputs = [usage.input_tokens for usage in reports if usage.input_tokens is not None]
    outputs = [usage.output_tokens for usage in reports if usage.output_tokens is not None]
    return (sum(inputs) if inputs else None, sum(outputs) if outputs else None)
