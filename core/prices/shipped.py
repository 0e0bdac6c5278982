"""The price file that comes with roundwatch: a few models, each with its source and the day it was read there."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from .price import Price
from .price_file import read_prices

NAME = "prices.toml"


@cache
def shipped_prices() -> tuple[Price, ...]:
    """Return the shipped prices, read once."""
    return read_prices((files("roundwatch.core.prices") / NAME).read_text("utf-8")).prices
