from __future__ import annotations

import argparse
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.cli.numbers import count, port, seconds, speed


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "", "x", "１", "9" * 40])
def test_a_count_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        count(text)


@pytest.mark.parametrize("text", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        port(text)


def test_port_zero_means_a_free_one() -> None:
    assert port("0") == 0


@pytest.mark.parametrize("text", ["0", "-2", "nan", "inf", "fast", "1e999"])
def test_a_speed_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        speed(text)


@given(st.text(max_size=30))
def test_whatever_is_typed_is_a_positive_time_or_refused(text: str) -> None:
    try:
        value = seconds(text)
    except argparse.ArgumentTypeError:
        return
    assert math.isfinite(value)
    assert value > 0
