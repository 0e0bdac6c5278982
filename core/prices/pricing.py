"""What calls and rounds of a ledger cost."""

from __future__ import annotations

from datetime import UTC, date

from ..rounds import Call, Round
from .cost import Cost, NoCost, WhyUnknown, call_cost
from .price_table import PriceTable
from .sums import CostSum, total


class Pricing:
    """A price table, asked about calls."""

    def __init__(self, table: PriceTable) -> None:
        """Reckon with ``table``."""
        self._table = table

    def call(self, call: Call) -> Cost | NoCost:
        """Return what a call cost, by what is reported of it so far."""
        if call.usage_implausible:
            return NoCost(WhyUnknown.TOKENS_IMPLAUSIBLE)
        return call_cost(self._table, model=call.model, provider=call.provider, usage=call.usage, day=call_day(call))

    def round(self, round_: Round) -> CostSum:
        """Return what the calls of a round cost; its sub-rounds have their own."""
        return total(self.call(call) for call in round_.calls)


def call_day(call: Call) -> date | None:
    """Return the UTC day on which a call began, or ended where its beginning is not known."""
    at = call.started_at or call.first_output_at or call.finished_at
    return None if at is None else at.astimezone(UTC).date()
