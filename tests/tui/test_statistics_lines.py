from __future__ import annotations

import pytest
from roundwatch.core.texts import Texts
from roundwatch.tui.safe_text import line_cells
from roundwatch.tui.statistics import Statistics
from roundwatch.tui.statistics_lines import statistics_lines

from tests.scenes import Lines, call, everything, start
from tests.tui.filtering import watching
from tests.tui.lines import DE, EN, texts


def told(lines: Lines, width: int = 100, locale: Texts = EN) -> list[str]:
    return texts(statistics_lines(watching(lines).statistics, 1, locale, width))


def test_without_rounds_there_is_nothing_to_count() -> None:
    assert texts(statistics_lines(Statistics(), 0, EN, 80))[1] == "Nothing to count yet."


def test_every_verdict_has_its_count_its_share_and_its_bar() -> None:
    (row,) = [line for line in told(everything()) if "no finish" in line]
    assert row.split()[1:5] == ["no", "finish", "2", "18.2%"]
    assert "████" in row


def test_what_is_left_out_is_said() -> None:
    lines = [*start("r", 0), *call("r", "c", 0, first=None, total=-1, usage=(1, 1))]
    shown = "\n".join(told(lines))
    assert "1 call did not report it" in shown
    assert "1 implausible value left out" in shown


def test_a_model_that_reported_nothing_shows_dashes_and_no_zero_values() -> None:
    lines = [*start("r", 0), *call("r", "c", 0, first=None, total=2, usage=(None, None))]
    first = next(line for line in told(lines) if line.startswith("sonnet-5"))
    assert first.split() == ["sonnet-5", "0", "–", "–", "–"]


@pytest.mark.parametrize("width", [24, 32, 40, 60, 76, 106, 190])
@pytest.mark.parametrize("locale", [EN, DE])
def test_no_line_is_wider_than_the_screen(width: int, locale: Texts) -> None:
    lines = statistics_lines(watching(everything()).statistics, 1, locale, width)
    assert max(map(line_cells, lines)) <= width


def test_where_room_is_short_the_median_stays() -> None:
    shown = told(everything(), width=32)
    assert any("median" in line and "longest" not in line for line in shown)
    assert any(line.startswith("sonnet-5") and "911 ms" in line for line in shown)
