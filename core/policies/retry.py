"""Trying a failed call again: which failure may pass, how long to wait, and what is held back until output begins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from math import isfinite
from typing import Generic, TypeVar

from ..rounds.base import CallOutcome, OutputKind
from ..rounds.reasons import reported

TRANSIENT_STATUS = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
"""HTTP statuses that time may heal; 529 is Anthropic's *overloaded*."""
TRANSIENT_WORDS = ("overloaded", "rate_limit", "server_error", "unavailable", "timeout", "unreachable")
"""Parts of an error's kind or code that mean *later*."""
FINAL_WORDS = ("insufficient_quota", "content_filter", "billing")
"""Parts of a code that no waiting changes, whatever the status beside them."""
REGENERABLE = frozenset((OutputKind.TEXT, OutputKind.REASONING, OutputKind.USAGE))
"""A call that streamed only these can be made anew; one that streamed a tool call may have begun to act."""

FIRST_S = 0.5
CAP_S = 30.0
JITTER = 0.25  # share by which a wait is shortened at random: many runners must not knock at the same moment

HELD_MAX = 32  # chunks; a stream with more finish chunks than this before any output is broken, not to be hoarded


Chunk = TypeVar("Chunk")


class RetryWhy(StrEnum):
    """Why a call is made again, or why not."""

    TRANSIENT = "transient"
    NOT_FAILED = "not_failed"
    PERMANENT = "permanent"
    UNSAFE_CONTENT = "unsafe_content"
    ATTEMPTS_SPENT = "attempts_spent"


@dataclass(frozen=True, slots=True)
class FailedCall:
    """What a retry needs to know of a call."""

    outcome: CallOutcome
    kind: str | None = None
    code: str | None = None
    http_status: int | None = None
    streamed: frozenset[str] = frozenset()


def may_retry(call: FailedCall, *, attempt: int, attempts: int, regenerate: bool = True) -> RetryWhy:
    """Return ``TRANSIENT`` when the same request may go out again, else why not.

    Args:
        attempt: the number of the attempt that failed, from 1.
        attempts: how many there may be in all.
        regenerate: may text that was already shown be made anew; False: only a call without output is repeated.
    """
    if call.outcome in (CallOutcome.COMPLETED, CallOutcome.CANCELLED):
        return RetryWhy.NOT_FAILED
    if call.outcome is CallOutcome.FAILED and not is_transient(call.kind, call.code, call.http_status):
        return RetryWhy.PERMANENT
    if not _repeatable(call.streamed, regenerate=regenerate):
        return RetryWhy.UNSAFE_CONTENT
    return RetryWhy.TRANSIENT if attempt < attempts else RetryWhy.ATTEMPTS_SPENT


def _repeatable(streamed: Collection[str], *, regenerate: bool) -> bool:
    return (REGENERABLE if regenerate else frozenset({OutputKind.USAGE})).issuperset(streamed)


def is_transient(kind: str | None, code: str | None, http_status: int | None) -> bool:
    """Return whether an error of these words may pass; the error's message is not read, its words change freely."""
    words = f"{kind or ''} {code or ''}".casefold()
    if any(word in words for word in FINAL_WORDS):
        return False
    return http_status in TRANSIENT_STATUS or any(word in words for word in TRANSIENT_WORDS)


def delays(chance: Callable[[], float], *, first_s: float = FIRST_S, cap_s: float = CAP_S) -> Iterator[float]:
    """Yield the waits before the 2nd, 3rd, … attempt, for ever: doubling, capped, a little random; seconds.

    Args:
        chance: draws from 0 to below 1; given in, so that a test needs no luck.
    """
    wait = min(first_s, cap_s)
    while True:
        yield wait * (1 - JITTER * chance())
        wait = min(wait * 2, cap_s)


def asked_wait_s(retry_after: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds a provider asks to wait in ``retry-after``; None where it names no usable time.

    Args:
        now: reads the header's date form; without it only the form in seconds counts.
    """
    if retry_after is None:
        return None
    try:
        seconds = float(retry_after)
    except ValueError:
        return _until(retry_after, now)
    return seconds if isfinite(seconds) and seconds >= 0 else None


def _until(date: str, now: datetime | None) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    if now is None or moment.tzinfo is None:
        return None
    return max(0.0, (moment - now).total_seconds())


class HeldChunks(Generic[Chunk]):
    """Holds chunks without content back until the first output, so that a failure before it can be retried unseen.

    A chunk with a finish reason is never lost: it goes out in its place in the order, ahead of the output that
    follows it, and no later empty chunk displaces it. Chunks that say nothing may be dropped while holding.
    """

    def __init__(self) -> None:
        self._held: list[Chunk] = []
        self._begun = False
        self.finish_reason: str | None = None
        """The first one reported; wire value."""

    @property
    def begun(self) -> bool:
        """Output has gone out: from here on the attempt cannot be taken back unseen."""
        return self._begun

    def push(self, chunk: Chunk, *, finish_reason: str | None = None, output: bool = False) -> tuple[Chunk, ...]:
        """Take the next chunk; return those to pass on, in order.

        Args:
            finish_reason: as the chunk says it; blank says nothing.
            output: it carries content or usage. (Usage releases, though it is no first output.)
        """
        reason = reported(finish_reason)
        self.finish_reason = self.finish_reason or reason
        if self._begun:
            return (chunk,)
        if output or len(self._held) >= HELD_MAX:
            self._begun = True
            return (*self._release(), chunk)
        if reason is not None:
            self._held.append(chunk)
        return ()

    def close(self) -> tuple[Chunk, ...]:
        """Return what is still held when the stream ends by itself; after a failure drop the object instead."""
        return self._release()

    def _release(self) -> tuple[Chunk, ...]:
        released = tuple(self._held)
        self._held.clear()
        return released
