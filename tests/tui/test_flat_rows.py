from __future__ import annotations

from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui import flat_rows
from roundwatch.tui.flat_rows import FlatRows, SortedKeys

STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "leave_out"]), st.integers(0, 30), st.integers(0, 5), st.booleans()), max_size=120
)


@pytest.fixture(autouse=True)
def _small_buckets(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setattr(flat_rows, "MOST_IN_BUCKET", 3)


@given(STEPS)
def test_rows_are_those_that_were_put_in_order_of_their_keys(steps: list[tuple[str, int, int, bool]]) -> None:
    rows, wanted, known = FlatRows(), dict[str, tuple[int, bool]](), dict[str, int]()
    for what, number, key, is_problem in steps:
        id_ = f"r{number:02}"
        known[id_] = key
        if what == "put":
            rows.put(id_, (key,), is_problem=is_problem)
            wanted[id_] = (key, is_problem)
        else:
            rows.leave_out(id_, (key,))
            wanted.pop(id_, None)
    order = sorted(wanted, key=lambda id_: (wanted[id_][0], id_))
    assert [rows.at(row).id for row in range(len(rows))] == order
    for id_, key in known.items():
        place = bisect_left([(wanted[other][0], other) for other in order], (key, id_))
        assert rows.row_of(id_) == min(place, max(0, len(order) - 1))
    bad = [row for row, id_ in enumerate(order) if wanted[id_][1]]
    for row in range(len(order)):
        below = next((order[each] for each in bad if each > row), None)
        above = next((order[each] for each in reversed(bad) if each < row), None)
        assert (rows.problem_from(row, 1), rows.problem_from(row, -1)) == (below, above)


def test_outside_the_rows_there_is_nothing() -> None:
    rows = FlatRows()
    assert (len(rows), rows.row_of("x"), rows.problem_from(0, 1), "x" in rows) == (0, 0, None, False)
    with pytest.raises(IndexError):
        rows.at(0)


def test_many_keys_stay_in_order() -> None:
    keys = SortedKeys()
    for number in range(200):
        keys.add(((number * 37) % 200,))
    for number in range(0, 200, 2):
        keys.remove((number,))
    assert [keys.at(place)[0] for place in range(len(keys))] == list(range(1, 200, 2))
