from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from roundwatch.core.prices import Price, PriceTable, Tokens
from roundwatch.core.prices.price_table import newest


def price(amount: str, *models: str, providers: tuple[str, ...] = (), **more: date | int) -> Price:
    return Price(
        models=models or ("big-1",),
        providers=providers,
        currency="USD",
        per_million={Tokens.INPUT: Decimal(amount), Tokens.OUTPUT: Decimal(amount)},
        source="a list",
        checked=date(2026, 5, 1),
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    "name",
    [
        "big-1",
        "BIG-1",
        "models/big-1",
        "publishers/google/models/big-1",
        "big-1-20260401",
        "big-1-2026-04-01",
        "big-1@20260401",
    ],
)
def test_a_model_is_found_by_the_names_that_wires_give_it(name: str) -> None:
    assert PriceTable([price("1")]).candidates(name, None)


@pytest.mark.parametrize("name", ["big", "big-1-mini", "big-10", "acme/big-1", "big-1-2026", ""])
def test_a_name_that_only_resembles_a_model_is_unknown(name: str) -> None:
    assert not PriceTable([price("1")]).candidates(name, None)


def test_a_snapshot_with_a_price_of_its_own_is_not_the_model() -> None:
    table = PriceTable([price("1"), price("3", "big-1-20260401")])
    assert [found.per_million[Tokens.INPUT] for found in table.candidates("big-1-20260401", None)] == [3]
    assert [found.per_million[Tokens.INPUT] for found in table.candidates("big-1-20260501", None)] == [1]


def test_a_reported_provider_that_sells_at_other_prices_has_no_price() -> None:
    table = PriceTable([price("1", providers=("acme",))])
    assert table.candidates("big-1", "Acme")
    assert table.candidates("big-1", None)
    assert not table.candidates("big-1", "gateway")


def test_the_first_file_that_names_a_model_decides_alone() -> None:
    own = [price("9", providers=("acme",))]
    table = PriceTable(own, [price("1"), price("1", "small-1")])
    assert [found.per_million[Tokens.INPUT] for found in table.candidates("big-1", "acme")] == [9]
    assert not table.candidates("big-1", "gateway")
    assert table.candidates("small-1", None)
    assert len(table) == 2


def test_a_price_holds_from_its_first_to_its_last_day() -> None:
    old, new = price("1", until=date(2026, 10, 6)), price("2", since=date(2026, 10, 7))
    assert newest([old, new], date(2026, 10, 6), 1) is old
    assert newest([old, new], date(2026, 10, 7), 1) is new
    assert newest([old, new], None, 1) is None


def test_a_price_holds_for_requests_of_its_size() -> None:
    small, large = price("1", up_to_input_tokens=100), price("2", above_input_tokens=100)
    assert newest([small, large], None, 100) is small
    assert newest([small, large], None, 101) is large
    assert newest([small, large], None, 0) is small
