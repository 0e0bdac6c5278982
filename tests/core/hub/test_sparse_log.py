from __future__ import annotations

from roundwatch.core.hub.sparse_log import Sparse


def test_the_first_of_a_kind_is_said_then_one_in_a_while_with_how_many_were_not() -> None:
    now = 0.0
    sparse = Sparse(lambda: now)
    assert [sparse.due(401) for _ in range(5)] == [0, None, None, None, None]
    assert sparse.due(403) == 0
    now = 10.0
    assert [sparse.due(401), sparse.due(401)] == [4, None]
    now = 20.0
    assert sparse.due(401) == 1
