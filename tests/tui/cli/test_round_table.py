from __future__ import annotations

import pytest
from roundwatch.core.prices import CostSum
from roundwatch.core.rounds import RoundSummary
from roundwatch.core.texts import cell_width, zone_name
from roundwatch.tui.cli.banner import gallery
from roundwatch.tui.cli.round_table import print_table
from roundwatch.tui.cli.stored_rounds import StoredRound

from tests.tui.cli.surroundings import Surroundings

SUMMARIES = [RoundSummary.of(round_) for round_, _ in gallery()]
ROUNDS = [StoredRound(summary, CostSum()) for summary in SUMMARIES]


def shown(columns: int, locale: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    around = Surroundings(locale=locale)
    monkeypatch.setattr(around.context.output.console, "width", columns)
    print_table(ROUNDS, around.context)
    return around.out.splitlines()


@pytest.mark.parametrize("locale", ["en", "de"])
@pytest.mark.parametrize("columns", [72, 80, 100, 120, 10_000])
def test_a_row_fits_its_terminal_and_no_verdict_is_cut(
    columns: int, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [row.rstrip()[-6:] for row in shown(10_000, locale, monkeypatch)]

    rows = shown(columns, locale, monkeypatch)

    assert len(rows) == len(SUMMARIES) + 1
    assert all(cell_width(row.rstrip()) <= columns for row in rows)
    assert [row.rstrip()[-6:] for row in rows] == words


def test_the_zone_of_the_times_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    head, *rows = shown(120, "en", monkeypatch)
    zone = zone_name(next(summary.started_at for summary in SUMMARIES if summary.started_at is not None))

    assert head.startswith(f"started ({zone})")
    assert not any(f" {zone} " in row for row in rows)


def test_a_narrow_terminal_goes_without_the_less_important_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "thread" in shown(120, "en", monkeypatch)[0]
    assert "thread" not in shown(80, "en", monkeypatch)[0]
