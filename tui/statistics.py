"""What the statistics screen shows, added up event by event; only what was reported is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from ..core.rounds import Call, Outcome, Verdict
from .log_histogram import LogHistogram

MOST_MODELS = 40
"""Models that are told apart; every further one counts among the others."""
OTHERS = ""
"""Stands for those others: no model is called so."""


class Measure(StrEnum):
    """What is measured of a call."""

    FIRST = "first"
    """Milliseconds to the first output."""
    TOTAL = "total"
    """Milliseconds in all."""
    RATE = "rate"
    """Output tokens per second between the first output and the end."""


@dataclass(slots=True)
class Measured:
    """One measure of the ended calls of one model."""

    values: LogHistogram = field(default_factory=LogHistogram)
    not_reported: int = 0
    implausible: int = 0
    """Left out: a negative time, or token counts that cannot be right."""
    derived: int = 0
    """Of the values: those that come from differences of event times, not from the producer's clock."""

    def add(self, value: float | None, *, derived: bool, implausible: bool = False) -> None:
        """Take one call's value in."""
        if value is None:
            self.not_reported += 1
        elif implausible or value < 0:
            self.implausible += 1
        else:
            self.values.add(value)
            self.derived += derived


@dataclass(slots=True)
class Statistics:
    """Verdicts of ended rounds and measures of ended calls. Taking an event in costs O(1)."""

    verdicts: Counter[str] = field(default_factory=Counter[str])
    """By the state's name in the marks: a completed round that is not confirmed counts apart."""
    models: dict[str | None, dict[Measure, Measured]] = field(default_factory=dict[str | None, dict[Measure, Measured]])
    """By model; None = not reported."""
    revision: int = 0
    _verdict_of: dict[str, str] = field(default_factory=dict[str, str])
    """What rounds with details are counted under; that of any other follows from its outcome."""
    _counted: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def round_stands(self, outcome: Outcome, key: str) -> None:
        """Count an ended round under its verdict, once; late news moves it to another one.

        Args:
            key: tells the round from those of other hubs.
        """
        state, before = _state(outcome), self._verdict_of.get(key)
        if state == before:
            return
        self.revision += 1
        if before is not None:
            self.verdicts[before] -= 1
        self.verdicts[state] += 1
        self._verdict_of[key] = state

    def stood(self, outcome: Outcome, key: str) -> None:
        """Note under which verdict a round was counted before its details were let go."""
        self._verdict_of[key] = _state(outcome)

    def call_ended(self, round_: str, call: Call) -> bool:
        """Measure a call that has ended, once, as it was reported at its end; return whether it was that once."""
        counted = self._counted.setdefault(round_, set())
        if call.id in counted or not call.is_over:
            return False
        counted.add(call.id)
        self.revision += 1
        measured = self._of(call.model)
        first, total = call.first_output_ms, call.total_ms
        measured[Measure.FIRST].add(first, derived="first_output_ms" in call.derived)
        measured[Measure.TOTAL].add(total, derived="total_ms" in call.derived)
        measured[Measure.RATE].add(
            _rate(call), derived=bool(call.derived), implausible=call.usage_implausible or _is_backwards(first, total)
        )
        return True

    def has_counted(self, round_: str, calls: Iterable[str]) -> None:
        """Note which calls of a round were measured before its details were let go."""
        self._counted[round_] = set(calls)

    def forget(self, key: str) -> None:
        """Let go of what is known of one round: its details are gone, and what was counted stays counted."""
        self._counted.pop(key, None)
        self._verdict_of.pop(key, None)

    def _of(self, model: str | None) -> dict[Measure, Measured]:
        name = model or None
        if name not in self.models and len(self.models) >= MOST_MODELS:
            name = OTHERS
        return self.models.setdefault(name, {measure: Measured() for measure in Measure})


def _state(outcome: Outcome) -> str:
    is_unsure = outcome.verdict is Verdict.COMPLETED and not outcome.is_answer
    return "completed_unconfirmed" if is_unsure else str(outcome.verdict)


def _is_backwards(first: float | None, total: float | None) -> bool:
    return first is not None and total is not None and total < first


def _rate(call: Call) -> float | None:
    """Return output tokens per second of streaming; None where a figure is not reported or no time passed."""
    tokens, first, total = call.usage.output_tokens, call.first_output_ms, call.total_ms
    if tokens is None or first is None or total is None or total == first:
        return None
    return tokens * 1000 / (total - first)
