"""When a failed request goes out again, and how long to wait before it does."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ..rounds.base import CallOutcome
from ..rounds.calls import Call

UNREACHABLE = "unreachable"
"""Error kind of a call whose response never began."""
TRANSIENT_STATUS = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
TRANSIENT_WORDS = ("overloaded", "rate_limit", "server_error", "unavailable", "timeout", UNREACHABLE)
"""Parts of an error's kind or code that mean *try again*; 529 and ``overloaded_error`` are Anthropic's."""
FINAL_WORDS = ("insufficient_quota", "content_filter")
"""Codes that come with a transient status and will not go away by waiting."""
JITTER = 0.25  # share by which a wait is shortened at random, so that many runners do not knock at once


def is_transient(call: Call) -> bool:
    """Say whether ``call`` failed, before any output, in a way that may pass."""
    if call.outcome is not CallOutcome.FAILED or call.error is None or call.output_seen or call.tool_calls:
        return False
    words = f"{call.error.kind} {call.error.code or ''}".lower()
    if any(word in words for word in FINAL_WORDS):
        return False
    return call.error.http_status in TRANSIENT_STATUS or any(word in words for word in TRANSIENT_WORDS)


def delays(first_s: float, cap_s: float, chance: random.Random) -> Iterator[float]:
    """Yield the waits before the 2nd, 3rd, … attempt: doubling, capped, a little random; seconds."""
    wait = first_s
    while True:
        yield min(wait, cap_s) * (1 - JITTER * chance.random())
        wait = min(wait * 2, cap_s)


def asked_wait_s(retry_after: str | None) -> float | None:
    """Return the wait that a provider asks for in ``retry-after``; None when it names no seconds."""
    try:
        seconds = float(retry_after) if retry_after is not None else None
    except ValueError:  # the date form: its clock is not ours
        return None
    return seconds if seconds is not None and 0 <= seconds < float("inf") else None
