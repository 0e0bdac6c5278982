"""What ended calls cost, by model and by day, added up event by event."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from ..core.prices import CostSum, Pricing, call_day
from ..core.rounds import Call
from .statistics import MOST_MODELS, OTHERS

MOST_DAYS = 400
"""Days that are told apart; earlier ones than these count with those whose day is not known."""


@dataclass(slots=True)
class CostStatistics:
    """Sums over the calls of all rounds. Taking a call in costs O(1)."""

    pricing: Pricing
    models: dict[str | None, CostSum] = field(default_factory=dict[str | None, CostSum])
    """By model; None = not reported."""
    days: dict[date | None, CostSum] = field(default_factory=dict[date | None, CostSum])
    """By UTC day; None = not known."""

    rounds: dict[str, CostSum] = field(default_factory=dict[str, CostSum])
    """By the round's key, sub-rounds apart; without those that were let go and cost nothing that is known."""

    def call_ended(self, round_: str, call: Call) -> None:
        """Take an ended call in; whoever calls sees to it that each comes once."""
        cost = self.pricing.call(call)
        self.rounds.setdefault(round_, CostSum()).add(cost)
        model = call.model or None
        if model not in self.models and len(self.models) >= MOST_MODELS:
            model = OTHERS
        self.models.setdefault(model, CostSum()).add(cost)
        day = call_day(call)
        if day not in self.days and len(self.days) >= MOST_DAYS:
            day = None
        self.days.setdefault(day, CostSum()).add(cost)

    def forget(self, round_: str) -> None:
        """Let go of a round's sum where it says nothing: its details are gone."""
        if (total := self.rounds.get(round_)) is not None and not total.amounts:
            del self.rounds[round_]
