from __future__ import annotations

import pytest
from roundwatch.tui.arrangement import Arrangement, arrangement
from textual.geometry import Size


@pytest.mark.parametrize(
    ("size", "chosen"),
    [
        ((1, 1), Arrangement.LINE),
        ((39, 24), Arrangement.LINE),
        ((200, 7), Arrangement.LINE),
        ((40, 10), Arrangement.SINGLE),
        ((80, 10), Arrangement.SINGLE),
        ((66, 24), Arrangement.STACKED),
        ((80, 24), Arrangement.STACKED),
        ((99, 60), Arrangement.STACKED),
        ((100, 24), Arrangement.BESIDE),
        ((500, 10), Arrangement.BESIDE),
    ],
)
def test_the_size_of_the_terminal_decides_how_the_panes_stand(size: tuple[int, int], chosen: Arrangement) -> None:
    assert arrangement(Size(*size)) is chosen
