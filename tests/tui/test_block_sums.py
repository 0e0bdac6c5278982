from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.block_sums import BlockSums


@given(
    st.lists(st.integers(0, 5), max_size=60), st.lists(st.tuples(st.integers(0, 59), st.integers(0, 4)), max_size=20)
)
def test_sums_and_places_are_those_of_the_plain_list(counts: list[int], changes: list[tuple[int, int]]) -> None:
    sums = BlockSums()
    for count in counts:
        sums.append(count)
    for block, change in changes:
        if block < len(counts):
            counts[block] += change
            sums.add(block, change)
    assert len(sums) == len(counts)
    assert sums.total == sum(counts)
    assert [sums.before(block) for block in range(len(counts) + 1)] == [sum(counts[:n]) for n in range(len(counts) + 1)]
    flat = [(block, offset) for block, count in enumerate(counts) for offset in range(count)]
    assert [sums.find(position) for position in range(sums.total)] == flat
