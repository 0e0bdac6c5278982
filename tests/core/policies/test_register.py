from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import ConfigRegister, TrafficRegister, is_reported


def test_traffic_is_reported_at_every_power_of_ten_only() -> None:
    assert [n for n in range(1, 10_001) if is_reported(n)] == [1, 10, 100, 1000, 10_000]


@given(st.integers(1, 10**12))
def test_an_occurrence_is_reported_when_its_digits_are_a_one_and_zeros(n: int) -> None:
    assert is_reported(n) is (str(n).rstrip("0") == "1")


@pytest.mark.parametrize("n", [0, -1])
def test_there_is_no_zeroth_occurrence(n: int) -> None:
    with pytest.raises(ValueError, match="from 1"):
        is_reported(n)


def test_each_signature_of_traffic_has_its_own_count() -> None:
    register = TrafficRegister()
    told = [register.reports("a") for _ in range(12)]
    assert [n for n, said in enumerate(told, 1) if said] == [1, 10]
    assert register.reports("b")


def test_a_finding_of_the_configuration_is_reported_once() -> None:
    register = ConfigRegister()
    assert [register.reports(name) for name in ("a", "b", "a", "a", "b")] == [True, True, False, False, False]


@pytest.mark.parametrize("register", [ConfigRegister(3), TrafficRegister(3)])
def test_registers_forget_the_least_recently_seen(register: ConfigRegister | TrafficRegister) -> None:
    for name in ("a", "b", "c", "a", "d"):  # b makes room for d
        register.reports(name)
    assert len(register) == 3
    assert not register.reports("a")
    assert register.reports("b")
    assert len(register) == 3


@pytest.mark.parametrize("kind", [ConfigRegister, TrafficRegister])
def test_a_register_of_nothing_is_refused(kind: type[ConfigRegister] | type[TrafficRegister]) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        kind(0)
