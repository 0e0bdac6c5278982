from __future__ import annotations

from roundwatch.core.hub import Unreadable
from roundwatch.tui.bars import counts_line
from roundwatch.tui.watched import Watched

from tests.scenes import everything, live
from tests.tui.lines import DE, EN, text


def test_counts_are_told_in_full_and_in_short() -> None:
    watched = Watched()
    for item in live(everything()):
        watched.take(item, 0.0)
    assert text(counts_line(watched, EN)) == "1 running   4 answers   7 problems"
    assert text(counts_line(watched, EN, short=True)) == "▶ 1  ✓ 4  ✗ 7"
    watched.take(Unreadable("frame 1", "x"), 0.0)
    assert text(counts_line(watched, DE)).endswith("1 unlesbar")
