from __future__ import annotations

from roundwatch.core.wire.faults import KEPT, Fault, Faults, quoted


def test_the_count_goes_on_where_the_list_ends() -> None:
    faults = Faults()
    for number in range(KEPT + 7):
        faults.add(Fault(number, "why"))
    assert faults.count == KEPT + 7
    assert len(faults.kept) == KEPT
    assert faults.kept[0].offset == 0


def test_quoted_text_is_short_and_cannot_reach_the_terminal() -> None:
    shown = quoted("\x1b[2J" + "x" * 500)
    assert "\x1b" not in shown
    assert len(shown) < 60
