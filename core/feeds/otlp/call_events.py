"""The events of one model call, out of its span."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...rounds import CallError, CallOutcome, ChoiceEnd, Event, OutputKind, Silence, Usage
from ...rounds.events import CallFinished, CallOutput, CallStarted, RoundStarted
from ...wire.shapes import is_object
from ..key_shapes import without_keys
from .kinds import CLAUDE_CODE
from .messages import TEXT_CHARS, finish_reasons, has_content, said
from .names import CAP_PARAMETERS, Fact
from .span import Attributes, Span, Status, count, flag, moment, number, text, value

MESSAGE_CHARS = 2000
MOST_PIECES = 1000
"""Of a call's output that are told apart."""
CANCELLED = frozenset(("CancelledError", "KeyboardInterrupt", "GeneratorExit", "AbortError"))
"""Exceptions, without their module, that mean that somebody stopped it."""
ENDED = frozenset(("completed", "incomplete", "failed", "cancelled"))
"""Words of ``gen_ai.response.status`` that end a response; in their API they stand for a finish reason."""


def call_events(span: Span, round_: str) -> Iterator[Event]:
    """Yield the start, the texts and the end of a call.

    The texts bear no moment: when they came is not recorded, and the time of the span's end would be taken for it.
    """
    attributes = span.attributes
    yield CallStarted(
        round=round_,
        call=span.id,
        at=moment(span.start_ns),
        model=model_of(attributes),
        provider=text(attributes, Fact.PROVIDER),
        wire=_wire(span),
        max_output_tokens=_cap(attributes),
        attempt=count(attributes, Fact.ATTEMPT) or None,
    )
    yield from texts(span, round_)
    error = error_of(span)
    words = _words(attributes)
    yield CallFinished(
        round=round_,
        call=span.id,
        at=moment(span.end_ns),
        outcome=_outcome(error),
        finish_reason=words[0] if words else None,
        choices=_choices(words),
        error=error,
        usage=usage_of(attributes),
        first_output_ms=_first_output_ms(attributes),
        total_ms=span.duration_ms,
    )


def addition(span: Span, round_: str) -> RoundStarted | None:
    """Return what a call adds to what is known of its round: its thread, and what its producer left out."""
    thread, silent = text(span.attributes, Fact.CONVERSATION), silences(span)
    return RoundStarted(round=round_, thread=thread, silent=silent) if thread or silent else None


def silences(span: Span) -> tuple[str, ...]:
    """Return what the producer of a call that ended well did not record of it."""
    if error_of(span) is not None:
        return ()
    attributes = span.attributes
    missing = (
        (Silence.FINISH_REASON, not any(_words(attributes))),
        (Silence.FIRST_OUTPUT, _first_output_ms(attributes) is None),
        (Silence.USAGE, usage_of(attributes) is None),
        (Silence.TEXT, not has_content(attributes)),
    )
    return tuple(str(silence) for silence, is_missing in missing if is_missing)


def model_of(attributes: Attributes) -> str | None:
    """Return the model that was asked for; where that is not told, the one that answered."""
    return text(attributes, Fact.REQUEST_MODEL) or text(attributes, Fact.RESPONSE_MODEL)


def usage_of(attributes: Attributes) -> Usage | None:
    """Return the counts that are told."""
    usage = Usage(
        input_tokens=count(attributes, Fact.INPUT_TOKENS),
        output_tokens=count(attributes, Fact.OUTPUT_TOKENS),
        reasoning_tokens=count(attributes, Fact.REASONING_TOKENS),
        cache_read_tokens=count(attributes, Fact.CACHE_READ_TOKENS),
        cache_write_tokens=count(attributes, Fact.CACHE_WRITE_TOKENS),
    )
    return None if usage == Usage() else usage


def error_of(span: Span) -> CallError | None:
    """Return what went wrong; None where nothing says so."""
    attributes = span.attributes
    kind = text(attributes, Fact.ERROR_TYPE) if span.status != Status.OK else None
    failed = span.status == Status.ERROR or flag(attributes, Fact.SUCCESS) is False or attributes.get("error") is True
    if kind is None and not failed:
        return None  # also where an exception is recorded: it was dealt with
    kind = kind or text(attributes, Fact.EXCEPTION)
    message = span.message or value(attributes, Fact.ERROR_MESSAGE)
    status = count(attributes, Fact.HTTP_STATUS)
    if status is None and kind is not None and kind.isascii() and kind.isdigit() and len(kind) == 3:
        status = int(kind)
    return CallError(
        kind=kind or "error",
        http_status=status,
        message=without_keys(message[:MESSAGE_CHARS]) if isinstance(message, str) and message else None,
    )


def words_of(error: CallError) -> str:
    """Return an error in words; its type once, where the message begins with it too."""
    bare = error.kind.rpartition(".")[2]
    if not error.message or error.message.startswith((f"{error.kind}:", f"{bare}:")):
        return error.message or error.kind
    return f"{error.kind}: {error.message}"


def was_cancelled(error: CallError) -> bool:
    """Return whether an error's type says that somebody stopped it."""
    return error.kind.rpartition(".")[2] in CANCELLED


def _outcome(error: CallError | None) -> CallOutcome:
    if error is None:
        return CallOutcome.COMPLETED
    return CallOutcome.CANCELLED if was_cancelled(error) else CallOutcome.FAILED


def texts(span: Span, round_: str) -> Iterator[CallOutput]:
    """Yield what a call wrote."""
    room = TEXT_CHARS
    for piece in said(span.attributes)[:MOST_PIECES]:
        kept = piece.text[:room]
        room -= len(kept)
        yield CallOutput(
            round=round_,
            call=span.id,
            kind=OutputKind.REASONING if piece.is_reasoning else OutputKind.TEXT,
            text=kept or None,
            chars=len(piece.text) if len(kept) < len(piece.text) else None,
            choice=piece.choice or None,
        )


def _words(attributes: Attributes) -> list[str | None]:
    words = finish_reasons(attributes)
    if not any(words):
        status = text(attributes, Fact.RESPONSE_STATUS)
        return [status] if status in ENDED else []
    return words


def _choices(words: list[str | None]) -> tuple[ChoiceEnd, ...]:
    if len(words) < 2:
        return ()
    return tuple(ChoiceEnd(index=index, finish_reason=word) for index, word in enumerate(words))


def _first_output_ms(attributes: Attributes) -> float | None:
    seconds = number(attributes, Fact.FIRST_OUTPUT_S)
    return seconds * 1000 if seconds is not None else number(attributes, Fact.FIRST_OUTPUT_MS)


def _wire(span: Span) -> str | None:
    """Return the wire whose way of counting the counts follow; None where cached tokens are part of the input.

    OpenTelemetry's convention counts them in. Claude Code writes Anthropic's own numbers, and so do some
    instrumentations of Anthropic: more cached than input can only be that.
    """
    if span.name.startswith(CLAUDE_CODE):
        return "anthropic"
    usage = usage_of(span.attributes)
    if usage is None or text(span.attributes, Fact.PROVIDER) != "anthropic":
        return None
    cached = (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
    return "anthropic" if cached > (usage.input_tokens or 0) else None


def _cap(attributes: Attributes) -> int | None:
    told = count(attributes, Fact.MAX_TOKENS)
    if told is not None:
        return told
    parameters: Any = value(attributes, Fact.INVOCATION)
    if isinstance(parameters, str):
        try:
            parameters = json.loads(parameters)
        except (ValueError, RecursionError):
            return None
    for name in CAP_PARAMETERS if is_object(parameters) else ():
        cap = parameters.get(name)
        if isinstance(cap, int) and not isinstance(cap, bool) and cap > 0:
            return cap
    return None
