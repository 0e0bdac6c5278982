"""Reading a price file: TOML with one ``[[price]]`` table a price. A bad one is named, the others hold."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import cast

from ..rounds.faults import CodedError
from .price import Price, Tokens

KEYS = frozenset(
    (
        *("models", "providers", "currency", "source", "checked", "since", "until"),
        *("above_input_tokens", "up_to_input_tokens"),
        *Tokens,
    )
)
CURRENCY = re.compile("[A-Z]{3}")
QUOTED_CHARS, WHY_CHARS = 40, 200


@dataclass(frozen=True, slots=True)
class PriceFault:
    """One thing that is wrong with a price file."""

    number: int
    """Which ``[[price]]``, from 1 on; 0 means the file as a whole."""
    error: CodedError
    """What is wrong; holds at most a short piece of the file."""

    @property
    def why(self) -> str:
        """What is wrong, in English."""
        return str(self.error)


@dataclass(frozen=True, slots=True)
class PriceFile:
    """What a price file holds."""

    prices: tuple[Price, ...]
    faults: tuple[PriceFault, ...]


class _Bad(CodedError):
    """A price, or the file as a whole, cannot be read."""


def read_prices(text: str) -> PriceFile:
    """Return the prices of a file's text, and what could not be read of it. Never raises."""
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError, ArithmeticError) as error:
        return PriceFile((), (PriceFault(0, _no_toml(error)),))
    entries = document.get("price")
    faults = [PriceFault(0, _unknown(key)) for key in document if key != "price"]
    if not isinstance(entries, list):
        return PriceFile((), (*faults, PriceFault(0, _Bad("it holds no [[price]]", code="price_none"))))
    prices: list[Price] = []
    for number, entry in enumerate(cast("list[object]", entries), 1):
        try:
            prices.append(_price(entry))
        except _Bad as error:
            faults.append(PriceFault(number, error))
    return PriceFile(tuple(prices), tuple(faults))


def _price(entry: object) -> Price:
    if not isinstance(entry, dict):
        raise _Bad("it is no table", code="price_no_table")
    fields = cast("dict[str, object]", entry)
    if unknown := [key for key in fields if key not in KEYS]:
        raise _unknown(unknown[0])
    per_million = {kind: _amount(fields, kind) for kind in Tokens if kind in fields}
    if not per_million:
        kinds = ", ".join(Tokens)
        raise _Bad(f"it names no price: one of {kinds} is expected", code="price_no_amount", kinds=kinds)
    since, until = (_day(fields, key) if key in fields else None for key in ("since", "until"))
    if since and until and until < since:
        raise _Bad("until is before since", code="price_until")
    above = _count(fields, "above_input_tokens") if "above_input_tokens" in fields else 0
    up_to = _count(fields, "up_to_input_tokens") if "up_to_input_tokens" in fields else None
    if up_to is not None and up_to <= above:
        raise _Bad("up_to_input_tokens is not above above_input_tokens", code="price_up_to")
    currency = _word(fields, "currency")
    if not CURRENCY.fullmatch(currency):
        quoted = currency[:QUOTED_CHARS]
        raise _Bad(f"currency {quoted!r} is no ISO 4217 code such as USD", code="price_currency", currency=quoted)
    return Price(
        models=_names(fields, "models"),
        providers=_names(fields, "providers") if "providers" in fields else (),
        currency=currency,
        per_million=per_million,
        source=_word(fields, "source"),
        checked=_day(fields, "checked"),
        since=since,
        until=until,
        above_input_tokens=above,
        up_to_input_tokens=up_to,
    )


def _names(fields: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = fields.get(key)
    names = cast("list[object]", value) if isinstance(value, list) else []
    if not names or not all(isinstance(name, str) and name for name in names):
        raise _Bad(f"{key} is missing or no list of names", code="price_names", key=key)
    return tuple(str(name).lower() for name in names)


def _word(fields: Mapping[str, object], key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str) or not value.strip():
        raise _Bad(f"{key} is missing or no text", code="price_word", key=key)
    return value


def _day(fields: Mapping[str, object], key: str) -> date:
    value = fields.get(key)
    if type(value) is not date:  # a datetime is a date too, but no day
        raise _Bad(f"{key} is missing or no date such as 2026-10-24", code="price_day", key=key)
    return value


def _count(fields: Mapping[str, object], key: str) -> int:
    value = fields.get(key)
    if type(value) is not int or value < 1:
        raise _Bad(f"{key} is no whole number above 0", code="price_count", key=key)
    return value


def _amount(fields: Mapping[str, object], key: str) -> Decimal:
    value = fields.get(key)
    amount = Decimal(value) if type(value) is int else value
    if not isinstance(amount, Decimal) or not amount.is_finite() or amount < 0:
        raise _Bad(f"{key} is no amount of money for a million tokens", code="price_amount", key=key)
    return amount


def _no_toml(error: Exception) -> _Bad:
    said = str(error)[:WHY_CHARS]
    return _Bad(f"no TOML: {said}", code="price_no_toml", said=said)


def _unknown(key: str) -> _Bad:
    quoted = key[:QUOTED_CHARS]
    return _Bad(f"unknown key {quoted!r}", code="price_key", key=quoted)
