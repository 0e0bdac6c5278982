"""What was salvaged from a killed delegate, told so that nobody takes it for an answer (outcomes.md 5)."""

from __future__ import annotations

from collections.abc import Iterator

from ..rounds.events import RoundPartial
from .durations import duration, span_of_ms
from .reading import quotable
from .texts import Texts

REASONING_SOURCE = "spawn-accumulator:reasoning"
"""Exactly this source means reasoning and tool calls; any other one with text is draft prose."""


def partial_kind(event: RoundPartial) -> str:
    """Return ``text``, ``reasoning`` or ``none``: what was salvaged."""
    if event.kept_chars <= 0:
        return "none"
    return "reasoning" if event.source == REASONING_SOURCE else "text"


def partial_lines(event: RoundPartial, texts: Texts) -> tuple[str, ...]:
    """Return the lines about a salvaged piece of work; the work itself is shown apart from them."""
    return tuple(_lines(event, texts))


def _lines(event: RoundPartial, texts: Texts) -> Iterator[str]:
    kind = partial_kind(event)
    yield texts(f"partial.{kind}")
    if kind != "none":
        yield from _extent(event, texts)
    if event.timeout_ms is not None:
        yield texts("partial.timeout", span=span_of_ms(event.timeout_ms, texts))
    if event.elapsed_ms is not None:
        yield texts("partial.elapsed", span=span_of_ms(event.elapsed_ms, texts))
    if event.first_evidence_ms is not None:
        yield texts("partial.first_evidence", duration=duration(event.first_evidence_ms, texts))
    if event.resumable is not None:
        yield _resumable(event, texts)


def _extent(event: RoundPartial, texts: Texts) -> Iterator[str]:
    source = quotable(event.source)
    if source:
        yield texts("partial.source", source=source)
    if event.total_chars is not None and event.total_chars > event.kept_chars:
        yield texts("partial.tail_only", n=event.total_chars, kept=event.kept_chars)
    else:
        yield texts("partial.chars", n=event.kept_chars)
    for name, count in (
        ("segments", event.segments),
        ("reasoning_segments", event.reasoning_segments),
        ("tool_calls", event.tool_calls),
        ("dropped", event.dropped_segments),
    ):
        if count:
            yield texts(f"partial.{name}", n=count)


def _resumable(event: RoundPartial, texts: Texts) -> str:
    said = texts("partial.resumable" if event.resumable else "partial.not_resumable")
    reason = quotable(event.resume_reason)
    return f"{said} {texts('banner.reported_reason', reason=reason)}" if reason else said
