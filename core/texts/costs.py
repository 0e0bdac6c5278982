"""Money for calls in a viewer's language: always marked as reckoned, and what is not known said as such."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from ..prices import Bound, Cost, CostSum, NoCost
from .numbers import UNKNOWN
from .texts import Texts

SIGNS: Mapping[Bound | None, str] = {Bound.EXACT: "≈", Bound.AT_MOST: "≤", Bound.AT_LEAST: "≥", None: "~"}
"""Stands before an amount: reckoned from a price, at most, at least, off to either side."""
CENTS = Decimal("0.01")
FINE_PLACES, FINEST_PLACES = 4, 6
"""Decimals of an amount below one unit, and below a cent."""


def cost_text(cost: Cost | NoCost, texts: Texts) -> str:
    """Return an amount with its sign, or why there is none."""
    if isinstance(cost, NoCost):
        return texts("cost.unknown", why=texts(f"cost.why_{cost.why}"))
    return SIGNS[cost.bound] + amount_text(cost.amount, cost.currency, texts)


def short_cost_text(total: CostSum, texts: Texts) -> str:
    """Return the amounts of a sum with their sign; ``–`` where none is known. Calls that are missing make it ≥ or ~."""
    if not total.amounts:
        return UNKNOWN
    shown = (amount_text(amount, currency, texts) for currency, amount in sorted(total.amounts.items()))
    return SIGNS[total.bound] + " + ".join(shown)


def cost_sum_text(total: CostSum, texts: Texts) -> str:
    """Return a sum in full: its amounts, how many calls are missing from it, and why."""
    if not total.missing:
        return short_cost_text(total, texts)
    why = ", ".join(texts(f"cost.why_{reason}") for reason in sorted(total.unknown))
    missing = texts("cost.missing", n=total.missing, why=why)
    return f"{short_cost_text(total, texts)}   {missing}" if total.amounts else missing


def amount_text(amount: Decimal, currency: str, texts: Texts) -> str:
    """Return an amount with as many decimals as its size asks for."""
    size = abs(amount)
    places = 2 if size >= 1 or not size else FINE_PLACES if size >= CENTS else FINEST_PLACES
    return texts("number.money", amount=texts.number(amount, places=places), currency=currency)
