"""The beginning and the end of a round, out of the span that stands for it."""

from __future__ import annotations

from collections.abc import Iterator

from ...rounds import CancelledBy, Claim, Event, Parent, Silence, StoppedWhy
from ...rounds.events import CancelRequested, RoundFinished, RoundOutput, RoundStarted, RoundStopped
from .call_events import MESSAGE_CHARS, error_of, model_of, was_cancelled, words_of
from .kinds import CLAUDE_CODE, Kind
from .messages import TEXT_CHARS, said
from .names import Fact
from .span import Span, Status, as_name, moment, text

SOURCE = "otlp"
ALWAYS_SILENT = (str(Silence.PROGRESS), str(Silence.REFUSALS))
"""A span is sent when it has ended, and no attribute of the convention says *refused*."""


def beginning(span: Span, kind: Kind, round_: str, *, parent: Parent | None, thread: str | None) -> RoundStarted:
    """Return that a round begins.

    Args:
        span: the agent's, or the outermost of the trace.
        kind: what it is.
        round_: its round.
        parent: whom it works for.
        thread: what its rounds share where no conversation is named.
    """
    named = text(span.attributes, Fact.AGENT) if kind is not Kind.CALL else None
    service = as_name(span.service) if span.service else None
    title = text(span.attributes, Fact.WORKFLOW) or (as_name(span.name, 120) if kind is Kind.OTHER else None)
    return RoundStarted(
        round=round_,
        at=moment(span.start_ns),
        thread=text(span.attributes, Fact.CONVERSATION) or thread,
        agent=named or service,
        title=title or (service if named else None),
        model=model_of(span.attributes),
        parent=parent,
        source=SOURCE,
        silent=ALWAYS_SILENT[:1] if span.name.startswith(CLAUDE_CODE) else ALWAYS_SILENT,
    )


def ending(span: Span, kind: Kind, round_: str) -> Iterator[Event]:
    """Yield that a round is over, and how it broke where it did.

    What a call or a tool in it ended with is told by its own span.
    """
    at = moment(span.end_ns)
    error = error_of(span) if kind not in (Kind.CALL, Kind.TOOL) else None
    if error is not None and was_cancelled(error):
        person = error.kind.rpartition(".")[2] == "KeyboardInterrupt"
        yield CancelRequested(round=round_, by=CancelledBy.USER if person else CancelledBy.HOST, at=at)
    elif error is not None:
        yield RoundStopped(round=round_, why=StoppedWhy.EXCEPTION, error=words_of(error)[:MESSAGE_CHARS], at=at)
    claimed = Claim(status="ok") if span.status == Status.OK else None
    yield RoundFinished(round=round_, claimed=claimed, at=at)


def own_words(span: Span, kind: Kind, round_: str) -> Iterator[RoundOutput]:
    """Yield what an agent's own span says was answered; its calls may not be recorded, or without texts."""
    if kind is not Kind.AGENT:
        return
    room = TEXT_CHARS
    for piece in said(span.attributes):
        kept = piece.text[:room]
        room -= len(kept)
        if kept:
            yield RoundOutput(round=round_, kind="reasoning" if piece.is_reasoning else "text", text=kept)
