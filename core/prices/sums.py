"""Adding costs up without hiding what is not known: money by currency, and how many calls are missing from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from .cost import Bound, Cost, NoCost, WhyUnknown


@dataclass(slots=True)
class CostSum:
    """The cost of several calls."""

    amounts: dict[str, Decimal] = field(default_factory=dict[str, Decimal])
    """Money by currency, of the calls whose cost is known."""
    known: int = 0
    unknown: dict[WhyUnknown, int] = field(default_factory=dict[WhyUnknown, int])
    """Calls without a known cost, by why."""
    _bounds: set[Bound] = field(default_factory=set[Bound])

    def add(self, cost: Cost | NoCost) -> None:
        """Count one call."""
        if isinstance(cost, NoCost):
            self.unknown[cost.why] = self.unknown.get(cost.why, 0) + 1
            return
        self.known += 1
        self.amounts[cost.currency] = self.amounts.get(cost.currency, Decimal(0)) + cost.amount
        self._bounds.add(cost.bound)

    def merge(self, other: CostSum) -> None:
        """Add the calls of another sum."""
        for currency, amount in other.amounts.items():
            self.amounts[currency] = self.amounts.get(currency, Decimal(0)) + amount
        for why, count in other.unknown.items():
            self.unknown[why] = self.unknown.get(why, 0) + count
        self.known += other.known
        self._bounds |= other._bounds

    @property
    def missing(self) -> int:
        """Calls that no amount counts."""
        return sum(self.unknown.values())

    @property
    def bound(self) -> Bound | None:
        """How the true sum lies to the amounts; None: it may lie on either side."""
        at_least = self.missing > 0 or Bound.AT_LEAST in self._bounds
        at_most = Bound.AT_MOST in self._bounds
        if at_least and at_most:
            return None
        return Bound.AT_LEAST if at_least else Bound.AT_MOST if at_most else Bound.EXACT

    def as_json(self) -> Mapping[str, object]:
        """Return it JSON-ready; amounts are exact decimal strings, and absent when nothing is known."""
        return {
            "amounts": {currency: f"{amount:f}" for currency, amount in sorted(self.amounts.items())},
            "bound": self.bound,
            "known_calls": self.known,
            "unknown_calls": {str(why): count for why, count in sorted(self.unknown.items())},
        }


def total(costs: Iterable[Cost | NoCost]) -> CostSum:
    """Return the sum of the costs of several calls."""
    result = CostSum()
    for cost in costs:
        result.add(cost)
    return result
