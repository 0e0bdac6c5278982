from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import Texts
from roundwatch.tui.listed_round import ListedRound
from roundwatch.tui.round_columns import MARK_CELLS, column_at, columns_for, fold_cells, heading_line, row_line
from roundwatch.tui.safe_text import line_cells

from tests.scenes import NOW, cap_cut, orphan, provider_error, start, unresolved
from tests.stage import ZONE
from tests.tui.lines import DE, EN, round_of, text


@given(st.integers(30, 200), st.sampled_from([EN, DE]))
def test_heading_and_row_take_the_same_cells_and_never_more_than_there_are(width: int, locale: Texts) -> None:
    columns = columns_for(width, locale)
    row = row_line(ListedRound.of(round_of(cap_cut()), 1, NOW), columns, locale, ZONE)
    taken = MARK_CELLS + sum(column.cells for column in columns) + len(columns) - 1
    assert line_cells(row) == line_cells(heading_line(columns, locale)) == taken <= width


@pytest.mark.parametrize("width", [38, 48, 80, 120])
@pytest.mark.parametrize("locale", [EN, DE])
def test_the_state_is_whole_in_every_width(width: int, locale: Texts) -> None:
    cut_off = {"en": "no finish", "de": "ohne Abschluss"}[locale.locale]
    for lines, word in ((cap_cut(), cut_off), (provider_error(), "HTTP 403")):
        row = row_line(ListedRound.of(round_of(lines), 0, NOW), columns_for(width, locale), locale, ZONE)
        assert word in text(row)


def test_wider_lists_show_more_columns() -> None:
    names = [[column.name for column in columns_for(width, EN)] for width in (30, 48, 120)]
    assert names[0] == ["agent", "state"]
    assert names[1] == ["agent", "title", "total", "state"]
    assert {"started", "agent", "title", "calls", "first", "total", "input", "output", "state", "id"} == set(names[2])


def test_a_running_round_counts_up_to_now() -> None:
    listed = ListedRound.of(round_of(start("r", 0)), 0, NOW)
    assert listed.total_ms == 82_000
    assert "1 min" in text(row_line(listed, columns_for(80, EN), EN, ZONE))


def test_what_is_not_known_is_a_dash_and_an_unnamed_round_goes_by_its_title() -> None:
    row = text(row_line(ListedRound.of(round_of(unresolved()), 0, NOW), columns_for(100, EN), EN, ZONE))
    assert row.startswith("◇ Ask the ghost")
    assert "0aa9d3c4" in row
    assert row.count("–") == 3


@pytest.mark.parametrize(
    ("named", "shown"),
    [({"title": "Sort the mail", "thread": "t-9"}, "Sort the mail"), ({"thread": "t-9"}, "t-9"), ({}, "round-77")],
)
@pytest.mark.parametrize("width", [51, 76, 120])
@pytest.mark.parametrize("locale", [EN, DE])
def test_rounds_of_one_agent_are_told_apart(named: dict[str, str], shown: str, width: int, locale: Texts) -> None:
    listed = ListedRound.of(round_of(start("round-77", 0, "harbour-clerk", **named)), 0, NOW)
    row = text(row_line(listed, columns_for(width, locale), locale, ZONE))
    assert f"harbour-clerk {shown[:9]}" in " ".join(row.split())


@pytest.mark.parametrize("width", range(66, 160, 7))
def test_cells_that_no_column_needs_go_to_the_title(width: int) -> None:
    columns = columns_for(width, EN)
    title = next(column for column in columns if column.name == "title")
    taken = MARK_CELLS + sum(column.cells for column in columns) + len(columns) - 1
    assert taken == width
    assert title.cells >= 20


@pytest.mark.parametrize(("hours", "shown"), [(3.1, " 3 h "), (99.9, " 99 h "), (274 * 24 + 5, " 274 d ")])
def test_a_long_time_is_told_in_its_largest_unit_and_not_cut(hours: float, shown: str) -> None:
    listed = replace(ListedRound.of(round_of(start("r", 0)), 0, NOW), total_ms=hours * 3_600_000)
    assert shown in text(row_line(listed, columns_for(80, EN), EN, ZONE))


def test_sub_rounds_are_indented_and_orphans_marked() -> None:
    columns = columns_for(80, EN)
    assert "└ worker" in text(row_line(ListedRound.of(round_of(cap_cut()), 1, NOW), columns, EN, ZONE))
    assert "⌐ collector" in text(row_line(ListedRound.of(round_of(orphan()), 0, NOW), columns, EN, ZONE))


@pytest.mark.parametrize("width", [38, 51, 120, 200])
def test_a_cell_belongs_to_the_column_whose_heading_stands_there(width: int) -> None:
    columns = columns_for(width, EN)
    heading = text(heading_line(columns, EN))
    for column in columns:
        assert column_at(columns, heading.index(EN(column.heading))) == column.name
    assert column_at(columns, 0) is None
    assert column_at(columns, 500) is None


@pytest.mark.parametrize("depth", [0, 1, 3, 9])
@pytest.mark.parametrize("width", [80, 200])
def test_the_sign_that_folds_is_where_a_click_is_taken_for_it(width: int, depth: int) -> None:
    columns = columns_for(width, EN)
    for changed in ({"hidden": 2}, {"is_open": True}):
        row = replace(ListedRound.of(round_of(cap_cut()), depth, NOW), **changed)
        shown = text(row_line(row, columns, EN, ZONE))
        cells = fold_cells(depth, columns)
        assert shown[cells.start] in "▸▾"
        assert len(cells) == 2
