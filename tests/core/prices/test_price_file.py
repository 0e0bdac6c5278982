from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.prices import Tokens, read_prices, shipped_prices
from roundwatch.core.texts import Texts, fault_text

EN = Texts.load("en")
GOOD = """
[[price]]
models = ["Big-1"]
providers = ["Acme"]
currency = "EUR"
input = 2
output = 8.50
cache_read = 0.2
source = "the list of Acme"
checked = 2026-05-01
since = 2026-01-01
until = 2026-12-31
up_to_input_tokens = 200_000
"""


def test_a_price_is_read_exactly_and_names_are_compared_in_lower_case() -> None:
    found = read_prices(GOOD)
    assert not found.faults
    (price,) = found.prices
    assert (price.models, price.providers, price.currency) == (("big-1",), ("acme",), "EUR")
    assert price.per_million == {
        Tokens.INPUT: Decimal(2),
        Tokens.OUTPUT: Decimal("8.50"),
        Tokens.CACHE_READ: Decimal("0.2"),
    }
    assert (price.since, price.until, price.checked) == (date(2026, 1, 1), date(2026, 12, 31), date(2026, 5, 1))
    assert price.up_to_input_tokens == 200_000


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ('models = ["Big-1"]', "models = []", "models"),
        ('models = ["Big-1"]', 'models = "Big-1"', "models"),
        ("input = 2", "input = -1", "input"),
        ("input = 2", "input = true", "input"),
        ("input = 2", "input = nan", "input"),
        ("output = 8.50", "output = inf", "output"),
        ("output = 8.50", 'output = "8.50"', "output"),
        ('currency = "EUR"', 'currency = "Euro"', "currency"),
        ('source = "the list of Acme"', 'source = " "', "source"),
        ("checked = 2026-05-01", "checked = 2026-05-01T00:00:00Z", "checked"),
        ("until = 2026-12-31", "until = 2025-12-31", "until"),
        ("up_to_input_tokens = 200_000", "up_to_input_tokens = 0", "up_to_input_tokens"),
        ("input = 2", "inptu = 2", "inptu"),
    ],
)
def test_a_bad_price_is_named_and_the_others_hold(was: str, becomes: str, told: str) -> None:
    found = read_prices(GOOD.replace(was, becomes) + GOOD)
    assert len(found.prices) == 1
    (fault,) = found.faults
    assert fault.number == 1
    assert told in fault.why
    assert f"fault.{fault.error.code}" in EN
    assert fault_text(fault.error, EN).replace('"', "'") == fault.why


def test_a_price_without_any_amount_is_none() -> None:
    lines = [line for line in GOOD.splitlines() if not line.startswith(("input", "output", "cache_read"))]
    found = read_prices("\n".join(lines))
    assert not found.prices
    assert "names no price" in found.faults[0].why


@pytest.mark.parametrize("text", ["", "price = 1", "[price]\nmodels = []", "x = [", "price = [1]"])
def test_what_is_no_price_file_says_so(text: str) -> None:
    found = read_prices(text)
    assert not found.prices
    assert found.faults


@given(st.text(max_size=200) | st.text(alphabet='[]price=" \n.0123456789-einputo', max_size=200))
def test_no_text_raises(text: str) -> None:
    read_prices(text)


def test_every_shipped_price_is_readable_dated_and_has_a_source() -> None:
    prices = shipped_prices()
    assert len(prices) > 10
    assert all(price.source.startswith("https://") for price in prices)
    assert all({Tokens.INPUT, Tokens.OUTPUT} <= price.per_million.keys() for price in prices)


def test_no_two_shipped_prices_hold_for_the_same_call() -> None:
    for price in shipped_prices():
        for other in shipped_prices():
            if other is price or not set(price.models) & set(other.models):
                continue
            days = (price.since or date.min) <= (other.until or date.max) and (other.since or date.min) <= (
                price.until or date.max
            )
            sizes = price.above_input_tokens < (other.up_to_input_tokens or 10**9) and other.above_input_tokens < (
                price.up_to_input_tokens or 10**9
            )
            assert not (days and sizes), price.models
