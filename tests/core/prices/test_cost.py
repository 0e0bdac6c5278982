from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.prices import Bound, Cost, CostSum, NoCost, PriceTable, WhyUnknown, call_cost, read_prices
from roundwatch.core.rounds.base import Usage

PRICES = """
[[price]]
models = ["big-1"]
providers = ["acme"]
currency = "USD"
input = 10
output = 50
cache_read = 1
cache_write = 12.5
up_to_input_tokens = 200_000
source = "a list"
checked = 2026-10-01

[[price]]
models = ["thinker"]
currency = "USD"
input = 2
output = 8
reasoning = 4
since = 2026-01-01
source = "a list"
checked = 2026-10-01

[[price]]
models = ["plain"]
currency = "EUR"
input = 1
output = 2
source = "a list"
checked = 2026-10-01
"""
TABLE = PriceTable(read_prices(PRICES).prices)
DAY = date(2026, 10, 20)


def cost(
    model: str | None = "big-1", *, provider: str | None = None, day: date | None = DAY, **usage: int
) -> Cost | NoCost:
    counts = {"input_tokens": 1_000_000 // 10, "output_tokens": 0, "cache_read_tokens": 0} | usage
    return call_cost(TABLE, model=model, provider=provider, usage=Usage(**counts), day=day)


def amount(found: Cost | NoCost) -> Decimal:
    assert isinstance(found, Cost)
    return found.amount


def test_each_kind_of_token_has_its_price_and_none_is_counted_twice() -> None:
    found = cost(input_tokens=100_000, cache_read_tokens=50_000, cache_write_tokens=10_000, output_tokens=20_000)
    assert amount(found) == Decimal("0.4") + Decimal("0.05") + Decimal("0.125") + Decimal(1)


def test_reasoning_is_output_unless_it_has_a_price_of_its_own() -> None:
    assert amount(cost(input_tokens=0, output_tokens=1000, reasoning_tokens=600)) == Decimal("0.05")
    assert amount(cost("thinker", input_tokens=0, output_tokens=1000, reasoning_tokens=600)) == Decimal("0.0056")


def test_cache_reads_that_nobody_reported_make_the_cost_an_upper_bound() -> None:
    silent = call_cost(TABLE, model="big-1", provider=None, usage=Usage(input_tokens=10, output_tokens=1), day=DAY)
    assert isinstance(silent, Cost)
    assert silent.bound is Bound.AT_MOST
    reported = cost()
    assert isinstance(reported, Cost)
    assert reported.bound is Bound.EXACT


def test_cache_writes_make_it_a_lower_bound_since_their_duration_is_not_told() -> None:
    found = cost(cache_write_tokens=5)
    assert isinstance(found, Cost)
    assert found.bound is Bound.AT_LEAST


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (cost(None), WhyUnknown.MODEL_NOT_REPORTED),
        (cost("bigger-1"), WhyUnknown.MODEL_UNKNOWN),
        (cost(provider="gateway"), WhyUnknown.MODEL_UNKNOWN),
        (cost(input_tokens=200_001), WhyUnknown.SIZE_UNPRICED),
        (cost("thinker", day=date(2025, 12, 31)), WhyUnknown.NO_PRICE_THAT_DAY),
        (cost("thinker", day=None), WhyUnknown.NO_PRICE_THAT_DAY),
        (cost(day=date(2027, 3, 31)), WhyUnknown.PRICE_TOO_OLD),
        (cost("plain", cache_read_tokens=1), WhyUnknown.KIND_UNPRICED),
        (cost(input_tokens=1, cache_read_tokens=2), WhyUnknown.TOKENS_IMPLAUSIBLE),
        (
            call_cost(TABLE, model="plain", provider=None, usage=Usage(output_tokens=1), day=DAY),
            WhyUnknown.TOKENS_NOT_REPORTED,
        ),
    ],
)
def test_what_is_not_known_is_no_cost_and_says_why(found: Cost | NoCost, why: WhyUnknown) -> None:
    assert found == NoCost(why)


def test_a_price_counts_for_half_a_year_after_it_was_checked() -> None:
    assert isinstance(cost(day=date(2027, 3, 30)), Cost)


def test_a_sum_tells_its_currencies_and_the_calls_it_lacks() -> None:
    result = CostSum()
    for found in (cost(input_tokens=100), cost("plain", input_tokens=1_000_000), cost("bigger-1"), cost("bigger-1")):
        result.add(found)
    assert result.amounts == {"USD": Decimal("0.001"), "EUR": Decimal(1)}
    assert (result.known, result.missing, result.bound) == (2, 2, Bound.AT_LEAST)
    assert result.as_json() == {
        "amounts": {"EUR": "1", "USD": "0.001"},
        "bound": "at_least",
        "known_calls": 2,
        "unknown_calls": {"model_unknown": 2},
    }


def test_a_sum_that_may_be_off_to_either_side_says_no_bound() -> None:
    result = CostSum()
    result.add(call_cost(TABLE, model="big-1", provider=None, usage=Usage(input_tokens=10, output_tokens=1), day=DAY))
    result.add(cost("bigger-1"))
    assert result.bound is None


def test_nothing_added_is_an_exact_nothing_and_no_zero_amount() -> None:
    assert CostSum().amounts == {}
    assert CostSum().bound is Bound.EXACT


counts = st.none() | st.integers(min_value=0, max_value=10**7)


@given(
    st.lists(
        st.builds(Usage, input_tokens=counts, output_tokens=counts, cache_read_tokens=counts, cache_write_tokens=counts)
    )
)
def test_sums_are_the_same_whatever_way_the_calls_are_grouped(usages: list[Usage]) -> None:
    costs = [call_cost(TABLE, model="big-1", provider=None, usage=usage, day=DAY) for usage in usages]
    whole, left, right = CostSum(), CostSum(), CostSum()
    for index, found in enumerate(costs):
        whole.add(found)
        (left if index % 3 else right).add(found)
    left.merge(right)
    assert left.as_json() == whole.as_json()
