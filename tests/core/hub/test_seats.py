from __future__ import annotations

import pytest
from roundwatch.core.hub import Identity, Limits, Selection
from roundwatch.core.hub.gate import Admission, Refusal
from roundwatch.core.hub.seats import Seats


def of(name: str) -> Admission:
    return Admission("/v1/rounds", Identity(name), Selection(), None)


def refused(seats: Seats[int], name: str, address: str) -> int:
    with pytest.raises(Refusal) as caught:
        seats.take(99, of(name), address)
    return caught.value.status


def test_each_bound_has_its_own_answer_and_a_refusal_changes_nothing() -> None:
    seats: Seats[int] = Seats(Limits(connections=3, per_identity=2, per_address=2))
    seats.take(1, of("a"), "x")
    seats.take(2, of("a"), "y")
    assert refused(seats, "a", "z") == 429
    seats.take(3, of("b"), "x")
    assert refused(seats, "c", "z") == 503
    assert len(seats) == 3


def test_one_address_is_bounded_whoever_comes_from_it() -> None:
    seats: Seats[int] = Seats(Limits(per_address=1))
    seats.take(1, of("a"), "x")
    assert refused(seats, "b", "x") == 429


def test_a_seat_that_is_left_can_be_taken_again_and_leaving_twice_frees_one() -> None:
    seats: Seats[int] = Seats(Limits(connections=1))
    seats.take(1, of("a"), "x")
    seats.leave(1)
    seats.leave(1)
    seats.leave(77)
    seats.take(2, of("b"), "x")
    assert [(who, admission.identity.name) for who, admission in seats] == [(2, "b")]
    assert seats.admission(2).identity.name == "b"
