"""One request of an opencode answer: its parts in their order, each told once it is whole."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ...rounds import Event, Silence
from ...rounds.base import CallError, CallOutcome, OutputKind, Usage
from ...rounds.events import CallFinished, CallStarted, RoundStarted, ToolStarted
from .conversation import Conversation
from .fields import Object, count_of, object_of, word_of
from .told_text import ERROR_CHARS, bounded
from .values import any_moment_of, between_ms

ABORTED = "MessageAbortedError"
TOO_LONG = "MessageOutputLengthError"
GOES_ON = ("tool-calls", "tool_calls", "unknown")
"""Reasons after which opencode asks the model again."""
DONE = ("completed", "success", "error")


def ends_turn(message: Object, step: list[Object]) -> bool:
    """Say whether nothing more follows an answer that was completed."""
    if object_of(message.get("error")):
        return True
    reason = word_of(message.get("finish")) or _reason(step)
    return reason is not None and reason not in GOES_ON


class OpencodeStep:
    """A request as a call; a part that is not whole yet holds back all after it."""

    def __init__(
        self,
        talk: Conversation,
        call: str,
        message: Object,
        parts: list[Object],
        *,
        start: datetime | None,
        is_alone: bool,
    ) -> None:
        """Describe the call of that name.

        Args:
            start: when its request left, where that is known.
            is_alone: no other request belongs to the message: its counts are this one's.
        """
        self._talk = talk
        self._round = talk.round
        self._name = self._call = call
        self._message = message
        self._parts = parts
        self._start = start
        self._is_alone = is_alone
        self._attempt: int | None = None
        self.is_whole = False
        """All of it was told."""

    def told(self, *, is_settled: bool, is_last: bool) -> Iterator[Event]:
        """Yield the events of the parts that are whole.

        Args:
            is_settled: nothing is added to the message any more.
            is_last: of its message.
        """
        is_over = False
        yield self._begin()
        for part in self._parts:
            if not (is_settled or not is_last or _is_whole(part)):
                return
            if part.get("type") == "retry":
                yield from self._retry(part)
                continue
            if part.get("type") == "step-finish":
                is_over = True
                yield from self._end(part, is_last=is_last)
            yield from self._part(part)
        if not is_over and (is_settled or not is_last):
            if "completed" in object_of(self._message.get("time")) or self._failure(is_last):
                yield from self._end(None, is_last=is_last)
            is_over = True
        self.is_whole = is_over

    def _begin(self) -> CallStarted:
        return CallStarted(
            round=self._round,
            call=self._call,
            at=self._start,
            model=word_of((self._message | object_of(self._message.get("model"))).get("modelID")),
            provider=word_of(self._message.get("providerID")),
            attempt=self._attempt,
        )

    def _retry(self, part: Object) -> Iterator[Event]:
        """Tell that an attempt failed; what follows is the next one, of which nobody wrote when it left."""
        at = any_moment_of(object_of(part.get("time")).get("created"))
        self._talk.seen(at)
        error = _error(object_of(part.get("error")))
        yield CallFinished(round=self._round, call=self._call, at=at, outcome=CallOutcome.FAILED, error=error)
        self._attempt, self._start = (count_of(part.get("attempt")) or self._attempt or 1) + 1, None
        self._call = f"{self._name}.{self._attempt}"
        yield self._begin()

    def _part(self, part: Object) -> Iterator[Event]:
        began = any_moment_of(object_of(part.get("time")).get("start"))
        match part.get("type"):
            case "text":
                self._talk.seen(began)
                yield from self._talk.said(self._call, OutputKind.TEXT, word_of(part.get("text")), began)
            case "reasoning":
                self._talk.seen(began)
                yield from self._talk.said(self._call, OutputKind.REASONING, word_of(part.get("text")), began)
            case "tool":
                yield from self._tool(part)
            case _:
                pass

    def _tool(self, part: Object) -> Iterator[Event]:
        state = object_of(part.get("state"))
        given = word_of(part.get("callID"))
        id_ = given or word_of(part.get("id")) or f"{self._call}.tool"
        arguments = state.get("input")
        name = word_of(part.get("tool")) or "?"
        yield from self._talk.asked(self._call, id_, name, arguments, given=given is not None)
        time = object_of(state.get("time"))
        began, ended = any_moment_of(time.get("start")), any_moment_of(time.get("end"))
        if began is not None:
            yield ToolStarted(round=self._round, call=self._call, tool_call=id_, at=began)
        if (status := state.get("status")) in DONE:
            ok = status != "error"
            said = word_of(state.get("output" if ok else "error"))
            self._talk.seen(ended)
            yield from self._talk.answered(
                id_, ok=ok, call=self._call, at=ended, ms=between_ms(began, ended), said=said
            )

    def _failure(self, is_last: bool) -> Object:
        return object_of(self._message.get("error")) if is_last else {}

    def _end(self, part: Object | None, *, is_last: bool) -> Iterator[Event]:
        failure = self._failure(is_last)
        kind = word_of(failure.get("name"))
        reason = word_of((part or {}).get("reason")) or (word_of(self._message.get("finish")) if is_last else None)
        outcome = CallOutcome.COMPLETED
        if kind == ABORTED:
            outcome = CallOutcome.CANCELLED
        elif kind == TOO_LONG:
            reason = reason or kind
        elif failure:
            outcome = CallOutcome.FAILED
        completed = any_moment_of(object_of(self._message.get("time")).get("completed")) if is_last else None
        if reason is None and outcome is CallOutcome.COMPLETED:  # versions that recorded none
            yield RoundStarted(round=self._round, source="opencode", silent=(Silence.FINISH_REASON.value,))
        tokens = object_of((part or self._message).get("tokens") if part or self._is_alone else None)
        yield CallFinished(
            round=self._round,
            call=self._call,
            at=completed,
            outcome=outcome,
            finish_reason=reason,
            error=_error(failure) if outcome is CallOutcome.FAILED else None,
            usage=_usage(tokens, counted=outcome is CallOutcome.COMPLETED),
        )
        if outcome is CallOutcome.CANCELLED:
            yield from self._talk.cancelled(completed)


def _reason(step: list[Object]) -> str | None:
    return next((word_of(part.get("reason")) for part in reversed(step) if part.get("type") == "step-finish"), None)


def _is_whole(part: Object) -> bool:
    """Say whether a part of an answer that still runs will not change."""
    match part.get("type"):
        case "text" | "reasoning":
            return "end" in object_of(part.get("time"))
        case "tool":
            return object_of(part.get("state")).get("status") in DONE
        case _:
            return True


def _error(failure: Object) -> CallError:
    data = object_of(failure.get("data"))
    return CallError(
        kind=word_of(failure.get("name")) or "error",
        http_status=count_of(data.get("statusCode")),
        message=bounded(word_of(data.get("message")) or "", ERROR_CHARS) or None,
    )


def _usage(tokens: Object, *, counted: bool) -> Usage | None:
    """Return the counts with cached tokens in the input; opencode counts them, and reasoning, beside."""
    cache = object_of(tokens.get("cache"))
    taken, made = count_of(tokens.get("input")), count_of(tokens.get("output"))
    thought = count_of(tokens.get("reasoning"))
    read, written = count_of(cache.get("read")), count_of(cache.get("write"))
    numbers = (taken, made, thought, read, written)
    if all(number is None for number in numbers) or (not counted and not any(numbers)):
        return None
    return Usage(
        input_tokens=None if taken is None else taken + (read or 0) + (written or 0),
        output_tokens=None if made is None else made + (thought or 0),
        reasoning_tokens=thought,
        cache_read_tokens=read,
        cache_write_tokens=written,
    )
