"""Finding the price that holds for a call among those of the files that were read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from .price import Price

PLACES = ("models/", "publishers/google/models/")
"""What some wires put before a model's name."""
DATED = re.compile(r"(?:-|@)(?:\d{8}|\d{4}-\d{2}-\d{2})$")
"""A snapshot's date at the end of a model's name: it costs what the model costs unless a price names it."""


class PriceTable:
    """Prices by model name; those of the operator's own file are asked first."""

    def __init__(self, *files: Iterable[Price]) -> None:
        """Take prices in; a model that an earlier file names is looked up in that file alone.

        Args:
            files: prices of one file each, the one that wins first.
        """
        self._by_model: dict[str, list[Price]] = {}
        for prices in files:
            here: dict[str, list[Price]] = {}
            for price in prices:
                for name in price.models:
                    here.setdefault(name, []).append(price)
            for name, found in here.items():
                self._by_model.setdefault(name, found)

    def __len__(self) -> int:
        """Return how many model names have a price."""
        return len(self._by_model)

    def candidates(self, model: str, provider: str | None) -> list[Price]:
        """Return the prices of a model at a provider, whatever their day and size; empty when it is unknown.

        A provider that is not reported excludes nothing; one that is reported and sells at other prices
        (a gateway, a cloud) does.
        """
        found = self._named(model.lower())
        asked = None if provider is None else provider.lower()
        return [price for price in found if not price.providers or asked is None or asked in price.providers]

    def _named(self, name: str) -> list[Price]:
        for place in PLACES:
            name = name.removeprefix(place)
        return self._by_model.get(name) or self._by_model.get(DATED.sub("", name)) or []


def newest(prices: Iterable[Price], day: date | None, input_tokens: int) -> Price | None:
    """Return the price that holds on that day for a request of that size; of several the one checked last."""
    holding = [price for price in prices if price.holds_on(day) and price.holds_for(input_tokens)]
    return max(holding, key=lambda price: (price.since or date.min, price.checked), default=None)
