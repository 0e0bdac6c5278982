from __future__ import annotations

import pytest
from roundwatch.core.rounds import RoundSummary
from roundwatch.tui.listed_round import ListedRound
from roundwatch.tui.safe_text import line_cells
from roundwatch.tui.summary_text import SummaryText
from roundwatch.tui.timeline import Layout

from tests.scenes import NOW, answer, cap_cut, start
from tests.stage import ZONE
from tests.tui.lines import DE, EN, round_of, text


def shown(summary: RoundSummary, late: int = 0, width: int = 66) -> list[str]:
    told = SummaryText(summary, late, Layout(width, EN, ZONE))
    return [text(line) for line, _ in told.window(0, told.height, NOW)]


def test_what_is_left_of_a_round_is_its_facts_and_its_banner() -> None:
    lines = shown(RoundSummary.of(round_of(cap_cut())))
    assert lines[0] == "14:02:03 → 14:02:41   38.0 s   3 calls   517,307 in   1,260 out"
    assert any("no longer in memory" in line for line in lines)
    assert any("Stream ended without a finish" in line for line in lines)
    assert not any("later" in line or "afterwards" in line for line in lines)


def test_events_that_came_too_late_are_counted() -> None:
    lines = shown(RoundSummary.of(round_of(answer())), late=2)
    assert any("2 events came afterwards" in line for line in lines)
    assert "Review of the retry layer" in lines


@pytest.mark.parametrize("width", [1, 13, 40, 120])
def test_no_line_is_wider_than_asked_for(width: int) -> None:
    told = SummaryText(RoundSummary.of(round_of(start("r", 0))), 1, Layout(width, DE, ZONE))
    assert all(line_cells(line) <= width for line, _ in told.window(0, told.height, NOW))


def test_a_row_is_the_same_with_and_without_details() -> None:
    round_ = round_of(cap_cut())
    summary = RoundSummary.of(round_)
    assert ListedRound.of_summary(summary, 2) == ListedRound.of(round_, 2, NOW, (517_307, 1_260))
