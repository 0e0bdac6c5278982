from __future__ import annotations

import pytest
from roundwatch.core.rounds import RoundSummary
from roundwatch.tui.correction import Correction
from roundwatch.tui.history_needs import HistoryState
from roundwatch.tui.listed_round import ListedRound
from roundwatch.tui.safe_text import line_cells
from roundwatch.tui.summary_text import SummaryText
from roundwatch.tui.timeline import Layout

from tests.scenes import NOW, answer, cap_cut, start
from tests.stage import ZONE
from tests.tui.lines import DE, EN, round_of, text


def shown(
    summary: RoundSummary, late: int = 0, history: HistoryState | None = None, correction: Correction | None = None
) -> list[str]:
    told = SummaryText(summary, late, history, correction, Layout(66, EN, ZONE))
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


@pytest.mark.parametrize(
    ("history", "words"),
    [
        (HistoryState.LOADING, "are being read from the hub"),
        (HistoryState.WAITS, "which cannot be reached just now"),
        (HistoryState.GONE, "no longer keeps all of this round"),
        (HistoryState.TOO_LARGE, "more of this round than is read at once"),
        (HistoryState.FAILED, "could not be read from the hub"),
        (HistoryState.NOT_OFFERED, "cannot be asked again"),
    ],
)
def test_what_becomes_of_the_details_is_said_and_nothing_else(history: HistoryState, words: str) -> None:
    told = " ".join(shown(RoundSummary.of(round_of(answer())), history=history))
    assert words in told
    assert "its source still has them" not in told


def test_a_verdict_that_late_news_have_changed_stands_beside_the_earlier_one() -> None:
    was, now = RoundSummary.of(round_of(answer())), RoundSummary.of(round_of(cap_cut()))
    change = Correction("k", now.id, now.agent, was.outcome, now.outcome, None)
    told = " ".join(shown(now, correction=change))
    assert "↺ Late news changed this verdict; before, it was: ✓ answer" in told


@pytest.mark.parametrize("width", [1, 13, 40, 120])
def test_no_line_is_wider_than_asked_for(width: int) -> None:
    told = SummaryText(RoundSummary.of(round_of(start("r", 0))), 1, HistoryState.GONE, None, Layout(width, DE, ZONE))
    assert all(line_cells(line) <= width for line, _ in told.window(0, told.height, NOW))


def test_a_row_is_the_same_with_and_without_details() -> None:
    round_ = round_of(cap_cut())
    summary = RoundSummary.of(round_)
    assert ListedRound.of_summary(summary, 2) == ListedRound.of(round_, 2, NOW, (517_307, 1_260))
