"""Sessions of pi: one entry a line, every answer with its stop reason, usage and the moment its request left."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar

from ...rounds import Event, Silence
from ...rounds.base import CallError, CallOutcome, OutputKind, Usage
from ...rounds.events import CallFinished, CallStarted
from .conversation import Conversation
from .fields import Object, count_of, object_of, word_of
from .line_transcript import LineTranscript
from .lines import Line
from .told_text import ERROR_CHARS, bounded
from .values import any_moment_of, between_ms, objects_of

GOES_ON = frozenset(("toolUse",))


class Pi(LineTranscript):
    """A session file; answers of a branch that was left later count like all others: they were made and paid.

    A session that was branched off into a file of its own begins with a copy of its parent's entries. They keep
    their moments, so those older than the file are the parent's: its own file tells them, whichever is read first.
    """

    source: ClassVar[str] = "pi"
    silent: ClassVar[tuple[Silence, ...]] = (Silence.FIRST_OUTPUT, Silence.REFUSALS, Silence.PROGRESS)

    def __init__(self) -> None:
        """Begin before the first byte."""
        super().__init__()
        self._talk = Conversation(self.source, self.silent)
        self._calls = 0
        self._tools: dict[str, str] = {}
        """By id, the call that asked for it, while it has no result."""
        self._branched_at: datetime | None = None
        """When the file was branched off another; None: it was not, as far as it says."""

    def take(self, record: Object, line: Line) -> Iterator[Event]:
        """Yield what one entry tells."""
        kind = record.get("type")
        if kind == "session":
            self._talk.session = self._talk.session or word_of(record.get("id")) or ""
            self._talk.model = word_of(record.get("modelId"))
            if word_of(record.get("parentSession")) is not None:
                self._branched_at = any_moment_of(record.get("timestamp"))
        elif kind == "model_change":
            self._talk.model = word_of(record.get("modelId"))
        elif kind == "message":
            written = any_moment_of(record.get("timestamp"))
            if not self._is_copied(written):
                yield from self._message(object_of(record.get("message")), written)

    def conclude(self) -> Iterator[Event]:
        """Yield the end of a round that nothing followed."""
        return self._talk.end(self._talk.last_at)

    def _is_copied(self, written: datetime | None) -> bool:
        return self._branched_at is not None and written is not None and written < self._branched_at

    def _message(self, message: Object, written: datetime | None) -> Iterator[Event]:
        role = message.get("role")
        if role == "user":
            yield from self._talk.begin(any_moment_of(message.get("timestamp")) or written, _words(message))
        elif role == "assistant":
            yield from self._answer(message, written)
        elif role == "toolResult":
            yield from self._result(message, written)

    def _answer(self, message: Object, written: datetime | None) -> Iterator[Event]:
        left = any_moment_of(message.get("timestamp"))
        if left is not None and written is not None and left > written:
            left = None
        yield from self._talk.ensure(left or written)
        self._talk.reopen()
        self._calls += 1
        call = f"c{self._calls}"
        yield CallStarted(
            round=self._talk.round,
            call=call,
            at=left,
            model=word_of(message.get("model")),
            provider=word_of(message.get("provider")),
        )
        yield from self._content(call, message)
        yield self._end(call, message, left, written)
        self._talk.seen(written)
        word = word_of(message.get("stopReason"))
        if word == "aborted":
            yield from self._talk.cancelled(written)
        if word not in GOES_ON and word != "error":  # an error may be tried again
            yield from self._talk.end(written)

    def _content(self, call: str, message: Object) -> Iterator[Event]:
        for block in objects_of(message.get("content")):
            match block.get("type"):
                case "text":
                    yield from self._talk.said(call, OutputKind.TEXT, word_of(block.get("text")))
                case "thinking":
                    yield from self._talk.said(call, OutputKind.REASONING, word_of(block.get("thinking")))
                case "toolCall":
                    given = word_of(block.get("id"))
                    tool = given or f"{call}.{len(self._tools) + 1}"
                    self._tools[tool] = call
                    arguments = block.get("arguments")
                    name = word_of(block.get("name")) or "?"
                    yield from self._talk.asked(call, tool, name, arguments, given=given is not None)
                case _:
                    pass

    def _end(self, call: str, message: Object, left: datetime | None, written: datetime | None) -> CallFinished:
        word = word_of(message.get("stopReason"))
        said = word_of(message.get("errorMessage"))
        outcome, error = CallOutcome.COMPLETED, None
        if word == "aborted":
            outcome = CallOutcome.CANCELLED
        elif word == "error":
            outcome = CallOutcome.FAILED
            error = CallError(kind="error", message=bounded(said, ERROR_CHARS) if said else None)
        return CallFinished(
            round=self._talk.round,
            call=call,
            at=written,
            outcome=outcome,
            finish_reason=word,
            error=error,
            usage=_usage(object_of(message.get("usage")), counted=outcome is CallOutcome.COMPLETED),
            total_ms=between_ms(left, written),
        )

    def _result(self, message: Object, written: datetime | None) -> Iterator[Event]:
        tool = word_of(message.get("toolCallId"))
        if tool is None or not self._talk.has_begun:
            return
        self._talk.seen(written)
        ok = message.get("isError") is not True
        call = self._tools.pop(tool, None)
        yield from self._talk.answered(tool, ok=ok, call=call, at=written, said=_words(message))


def _words(message: Object) -> str | None:
    """Return the first text of a message."""
    content = message.get("content")
    if isinstance(content, str):
        return content or None
    return next((found for block in objects_of(content) if (found := word_of(block.get("text")))), None)


def _usage(usage: Object, *, counted: bool) -> Usage | None:
    """Return the counts with cached tokens in the input; zeros of a call that was broken off were never counted."""
    taken, made = count_of(usage.get("input")), count_of(usage.get("output"))
    read, written = count_of(usage.get("cacheRead")), count_of(usage.get("cacheWrite"))
    if all(number is None for number in (taken, made, read, written)):
        return None
    if not counted and not any((taken, made, read, written)):
        return None
    if taken is not None:
        taken += (read or 0) + (written or 0)
    return Usage(input_tokens=taken, output_tokens=made, cache_read_tokens=read, cache_write_tokens=written)
