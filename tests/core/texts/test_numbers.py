from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts.numbers import UNKNOWN, half_up, number

from tests.core.texts.ended import DE, EN


@pytest.mark.parametrize(
    ("value", "en", "de"),
    [
        (0, "0", "0"),
        (999, "999", "999"),
        (1000, "1,000", "1.000"),
        (16_384, "16,384", "16.384"),
        (1_234_567, "1,234,567", "1.234.567"),
        (-1234, "-1,234", "-1.234"),
        (3.0, "3", "3"),
        (2.5, "2.5", "2,5"),
        (0.1 + 0.2, "0.3", "0,3"),
        (Decimal("12.340"), "12.34", "12,34"),
        (None, UNKNOWN, UNKNOWN),
        (float("nan"), UNKNOWN, UNKNOWN),
        (float("-inf"), UNKNOWN, UNKNOWN),
        (10**30, "1.000e+30", "1,000e+30"),
        (10**4000, "1.000e+4000", "1,000e+4000"),
    ],
)
def test_numbers_have_the_marks_of_the_viewers_language(value: float | Decimal | None, en: str, de: str) -> None:
    assert (EN.number(value), DE.number(value)) == (en, de)


def test_halves_round_away_from_zero_and_in_decimal() -> None:
    assert number(1.25, "en", places=1) == "1.3"
    assert number(2.675, "en", places=2) == "2.68"
    assert number(-0.25, "en", places=1) == "-0.3"
    assert half_up(0.5, 0) == 1


def test_a_negative_count_is_shown_raw_and_marked() -> None:
    assert EN.count(-1) == "-1 (implausible)"
    assert DE.count(-1) == "-1 (unplausibel)"
    assert DE.count(1500) == "1.500"


@pytest.mark.parametrize(
    ("value", "en", "de"),
    [
        (None, UNKNOWN, UNKNOWN),
        (950, "950", "950"),
        (1000, "1.0k", "1,0\u00a0Tsd."),
        (300_500, "300.5k", "300,5\u00a0Tsd."),
        (999_960, "1.0M", "1,0\u00a0Mio."),
        (3_260_000_000, "3.3B", "3,3\u00a0Mrd."),
        (2_000_000_000_000, "2.0T", "2,0\u00a0Bio."),
        (10**4000, "1.000e+4000", "1,000e+4000"),
    ],
)
def test_short_numbers_fit_a_narrow_column(value: float | None, en: str, de: str) -> None:
    assert (EN.short(value), DE.short(value)) == (en, de)


def test_percentages_and_amounts() -> None:
    assert (EN.percent(0.126), DE.percent(0.126)) == ("12.6%", "12,6\u00a0%")
    assert EN.percent(None) == UNKNOWN
    assert (EN.money(2.5, "USD"), DE.money(2.5137, "EUR")) == ("2.50 USD", "2,5137 EUR")
    assert EN.money(3, None) == "3.00"
    assert EN.money(None, "USD") == "– USD"
    assert EN.money(float("inf"), " ") == UNKNOWN


@given(st.floats() | st.integers() | st.decimals(-(10**40), 10**40) | st.just(Decimal("NaN")))
def test_any_number_at_all_can_be_shown(value: float | Decimal) -> None:
    for texts in (EN, DE):
        assert texts.number(value)
        assert texts.short(value)
        assert texts.percent(value)
        assert texts.count(value)
        assert texts.money(value, "USD")


@given(st.integers(-(10**20), 10**20))
def test_the_marks_are_all_that_is_added(value: int) -> None:
    assert int(EN.number(value).replace(",", "")) == value
    assert int(DE.number(value).replace(".", "")) == value
