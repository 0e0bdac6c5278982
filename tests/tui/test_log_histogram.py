from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.log_histogram import GROWTH, LogHistogram

VALUES = st.lists(st.floats(0.01, 1e9), min_size=1, max_size=60)


@given(VALUES, st.floats(0.0, 1.0))
def test_a_percentile_is_within_a_bucket_of_the_exact_one(values: list[float], share: float) -> None:
    histogram = LogHistogram()
    for value in values:
        histogram.add(value)
    exact = sorted(values)[max(1, int(-(-len(values) * share // 1))) - 1]
    found = histogram.percentile(share)
    assert found is not None
    assert exact / GROWTH <= found <= exact * GROWTH
    assert (histogram.least, histogram.most, histogram.count) == (min(values), max(values), len(values))


@given(VALUES, st.integers(1, 40))
def test_a_spread_shows_every_value_once(values: list[float], cells: int) -> None:
    histogram = LogHistogram()
    for value in values:
        histogram.add(value)
    low, high = min(histogram.buckets), max(histogram.buckets)
    assert sum(histogram.spread(low, high, cells)) == len(values)


def test_without_values_there_is_no_percentile_and_zero_is_a_value() -> None:
    histogram = LogHistogram()
    assert histogram.percentile(0.5) is None
    histogram.add(0.0)
    assert histogram.percentile(0.5) == 0.0


def test_a_million_values_take_a_bounded_room() -> None:
    histogram = LogHistogram()
    for exponent in range(-400, 400):
        histogram.add(10.0 ** (exponent / 10))
    assert len(histogram.buckets) <= 400
