"""One price of one model: what a million tokens of each kind cost, since when, and who says so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

PER = Decimal(1_000_000)
"""Prices are per so many tokens, as every provider lists them."""


class Tokens(StrEnum):
    """Kinds of tokens that have a price of their own; the names are the keys of the price file."""

    INPUT = "input"
    """Input that no cache took part in."""
    CACHE_READ = "cache_read"
    CACHE_WRITE = "cache_write"
    OUTPUT = "output"
    """Output with its reasoning, unless reasoning has a price of its own."""
    REASONING = "reasoning"


@dataclass(frozen=True, slots=True)
class Price:
    """What one model costs at one time."""

    models: tuple[str, ...]
    """Names of the model, in lower case."""
    providers: tuple[str, ...]
    """Who sells it at this price, by every name they go by, in lower case; empty: anybody."""
    currency: str
    """ISO 4217."""
    per_million: dict[Tokens, Decimal]
    """Money for a million tokens; a kind that is missing has no known price."""
    source: str
    """Where it was read."""
    checked: date
    """When it was read there."""
    since: date | None = None
    until: date | None = None
    """The last day on which it holds."""
    above_input_tokens: int = 0
    """It holds for requests with more input than this."""
    up_to_input_tokens: int | None = None

    def holds_on(self, day: date | None) -> bool:
        """Return whether it holds on that day; of an unknown day only a price without bounds is known to hold."""
        if day is None:
            return self.since is None and self.until is None
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)

    def holds_for(self, input_tokens: int) -> bool:
        """Return whether it holds for a request of that size."""
        fits = self.up_to_input_tokens is None or input_tokens <= self.up_to_input_tokens
        return fits and (self.above_input_tokens == 0 or input_tokens > self.above_input_tokens)

    def money(self, kind: Tokens, count: int) -> Decimal | None:
        """Return what so many tokens cost; None where the kind has no known price."""
        price = self.per_million.get(kind)
        return None if price is None else price * count / PER
