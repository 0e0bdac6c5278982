"""Two guards: over a stream that falls silent, and over iterations in which every tool call failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..rounds.outcome import STALL_AFTER_S

STREAM_STALL_S = STALL_AFTER_S
"""The silence after which a viewer already asks whether a call is stalled."""
STALLED_ITERATIONS = 3
"""Iterations in a row, each with nothing but errors, that end a round."""
FORK_MAX_ITERATIONS = 1000
"""The only bound of a fork whose guard is switched off."""


class StreamStallGuard:
    """Tells when an open response has been silent for too long; every time is passed in, in seconds."""

    def __init__(self, sent_at: float, limit_s: float = STREAM_STALL_S) -> None:
        if not limit_s > 0:
            raise ValueError(f"the limit of silence has to be above 0 s, not {limit_s}")
        self._heard_at = sent_at
        self.limit_s = limit_s

    def heard(self, at: float) -> None:
        """Note that bytes came at ``at``; an earlier time than the newest changes nothing."""
        self._heard_at = max(self._heard_at, at)

    @property
    def due_at(self) -> float:
        """When to look again: the earliest moment at which the guard can trip."""
        return self._heard_at + self.limit_s

    def silent_s(self, now: float) -> float | None:
        """Return how long the stream has been silent once that reaches the limit; None = still alive."""
        silent = now - self._heard_at
        return silent if silent >= self.limit_s else None


@dataclass(frozen=True, slots=True)
class StalledStop:
    """Why a round ends before its next model call: completion reason ERROR, never TRUNCATED."""

    n: int
    """Iterations in a row."""
    all_refused: bool
    """Each of them was a cut response whose calls were refused."""

    @property
    def message(self) -> str:
        """The round's closing text; names the limit only when the whole streak was refusals."""
        clause = "; each was cut at max_tokens, calls refused" if self.all_refused else ""
        return f"Stopped after {self.n} iterations with no progress: every tool call in them failed{clause}"

    @property
    def warning(self) -> str:
        """The guard's own operator warning. It never names the limit: each cut response has had its warning."""
        return f"Round stopped: in {self.n} iterations in a row every tool call failed"


class StalledIterationGuard:
    """Counts iterations in a row whose every tool result is an error; refused and failing ones share the count."""

    def __init__(self, limit: int | None = STALLED_ITERATIONS) -> None:
        """
        Args:
            limit: iterations in a row, above 0; None switches the guard off (then only an iteration limit bounds).
        """
        if limit is not None and limit < 1:
            raise ValueError(f"the guard's limit has to be at least 1, not {limit}")
        self._limit = limit
        self._failed = 0
        self._refused = 0

    def record(
        self, results_are_errors: Sequence[bool], *, refused: bool = False, cancelled: bool = False
    ) -> StalledStop | None:
        """Take in an iteration that is over; return the stop that is due before the next model call.

        Args:
            results_are_errors: one entry a tool call; none = an iteration without tool calls.
            refused: the response was cut and its calls were refused.
            cancelled: somebody asked to stop meanwhile. Such an iteration proves nothing: it is never counted and
                it ends a streak.
        """
        if cancelled or not results_are_errors or not all(results_are_errors):
            self._failed = self._refused = 0
            return None
        self._failed += 1
        self._refused += refused
        if self._limit is None or self._failed < self._limit:
            return None
        return StalledStop(self._failed, all_refused=self._refused == self._failed)
