"""What one call cost, or why that is not known. A cost is always derived: tokens that were reported, times a price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum

from ..rounds.base import Usage
from .price import Price, Tokens
from .price_table import PriceTable, newest

TRUSTED_FOR = timedelta(days=180)
"""A price that was checked longer ago than this before the call says nothing: lists change every few months."""


class Bound(StrEnum):
    """How the true cost lies to the amount."""

    EXACT = "exact"
    AT_MOST = "at_most"
    """Some input may have come from a cache: nobody reported how much."""
    AT_LEAST = "at_least"
    """Cache writes have several prices by how long they last; the lowest was taken."""


class WhyUnknown(StrEnum):
    """Why a cost is not known."""

    MODEL_NOT_REPORTED = "model_not_reported"
    MODEL_UNKNOWN = "model_unknown"
    """No price file names this model, or not at this provider."""
    NO_PRICE_THAT_DAY = "no_price_that_day"
    PRICE_TOO_OLD = "price_too_old"
    SIZE_UNPRICED = "size_unpriced"
    """The price is known for smaller or larger requests only."""
    KIND_UNPRICED = "kind_unpriced"
    """A kind of tokens that was used has no price."""
    TOKENS_NOT_REPORTED = "tokens_not_reported"
    TOKENS_IMPLAUSIBLE = "tokens_implausible"
    """The counts that were reported cannot be right."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Money for one call."""

    amount: Decimal
    currency: str
    """ISO 4217."""
    bound: Bound
    price: Price
    """What it was reckoned with."""

    def as_json(self) -> Mapping[str, object]:
        """Return it JSON-ready, the amount as an exact decimal string, with where and when its price was read."""
        price = {"source": self.price.source, "checked": self.price.checked.isoformat()}
        return {"amount": f"{self.amount:f}", "currency": self.currency, "bound": self.bound, "price": price}


@dataclass(frozen=True, slots=True)
class NoCost:
    """No cost is known."""

    why: WhyUnknown

    def as_json(self) -> Mapping[str, object]:
        """Return it JSON-ready: no amount, and why."""
        return {"amount": None, "unknown": self.why}


def call_cost(
    table: PriceTable, *, model: str | None, provider: str | None, usage: Usage, day: date | None
) -> Cost | NoCost:
    """Return what a call cost.

    Args:
        table: all prices.
        model: the model that the call reported or asked for.
        provider: who answered; None = not reported.
        usage: normalised counts: input with cached tokens, output with reasoning.
        day: UTC day of the call; None = not known.
    """
    if model is None:
        return NoCost(WhyUnknown.MODEL_NOT_REPORTED)
    candidates = table.candidates(model, provider)
    if not candidates:
        return NoCost(WhyUnknown.MODEL_UNKNOWN)
    if usage.input_tokens is None or usage.output_tokens is None:
        return NoCost(WhyUnknown.TOKENS_NOT_REPORTED)
    then = [price for price in candidates if price.holds_on(day)]
    if not then:
        return NoCost(WhyUnknown.NO_PRICE_THAT_DAY)
    price = newest(then, day, usage.input_tokens)
    if price is None:
        return NoCost(WhyUnknown.SIZE_UNPRICED)
    if day is not None and day - price.checked > TRUSTED_FOR:
        return NoCost(WhyUnknown.PRICE_TOO_OLD)
    return _reckoned(price, usage.input_tokens, usage.output_tokens, usage)


def _reckoned(price: Price, input_tokens: int, output_tokens: int, usage: Usage) -> Cost | NoCost:
    read, write = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
    counts = {Tokens.CACHE_READ: read, Tokens.CACHE_WRITE: write, Tokens.OUTPUT: output_tokens}
    if Tokens.REASONING in price.per_million:
        reasoning = min(usage.reasoning_tokens or 0, output_tokens)
        counts |= {Tokens.REASONING: reasoning, Tokens.OUTPUT: output_tokens - reasoning}
    counts[Tokens.INPUT] = input_tokens - read - write
    if any(count < 0 for count in counts.values()):
        return NoCost(WhyUnknown.TOKENS_IMPLAUSIBLE)  # more cached than input
    amount = Decimal(0)
    for kind, count in counts.items():
        money = price.money(kind, count) if count else Decimal(0)
        if money is None:
            return NoCost(WhyUnknown.KIND_UNPRICED)
        amount += money
    return Cost(amount, price.currency, _bound(price, usage), price)


def _bound(price: Price, usage: Usage) -> Bound:
    if usage.cache_write_tokens:
        return Bound.AT_LEAST
    may_be_cached = usage.cache_read_tokens is None and bool(usage.input_tokens)
    return Bound.AT_MOST if may_be_cached and Tokens.CACHE_READ in price.per_million else Bound.EXACT
