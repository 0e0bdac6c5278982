from __future__ import annotations

import pytest
from roundwatch.core.hub.frames import GapWhy
from roundwatch.core.hub.replay import Start, gap, start_of


@pytest.mark.parametrize(
    ("after", "kept", "expected"),
    [
        (None, (1, 9), Start(9)),
        ("begin", (1, 9), Start(0)),
        ("begin", (600, 1111), Start(599)),
        ("begin", (1, 0), Start(0)),
        (("s", 4), (1, 9), Start(4)),
        (("s", 9), (1, 9), Start(9)),
        (("s", 599), (600, 1111), Start(599)),
        (("s", 120), (600, 1111), Start(599, gap(121, 599, GapWhy.TRIMMED))),
        (("s", 12), (1, 9), Start(9, gap(10, 12, GapWhy.REWOUND))),
        (("old", 4), (3, 9), Start(2, gap(5, None, GapWhy.STREAM_CHANGED))),
    ],
)
def test_a_watcher_starts_where_it_left_off_or_is_told_what_is_missing(
    after: tuple[str, int] | str | None, kept: tuple[int, int], expected: Start
) -> None:
    assert start_of(after, "s", *kept) == expected
