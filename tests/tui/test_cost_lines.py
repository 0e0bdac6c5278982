from __future__ import annotations

import pytest
from roundwatch.core.rounds import Call
from roundwatch.core.texts import Texts
from roundwatch.tui.cost_lines import call_cost_lines, cost_lines
from roundwatch.tui.facts_lines import facts_lines
from roundwatch.tui.inspector_lines import inspector_lines
from roundwatch.tui.list_csv import csv_pieces
from roundwatch.tui.safe_text import line_cells

from tests.scenes import NOW, Lines, start
from tests.tui.filtering import watching
from tests.tui.lines import DE, EN, texts
from tests.tui.test_cost_statistics import OPUS, UNKNOWN, priced

BOTH: Lines = [*start("a", 0), *priced("a", "c1", 0), *priced("a", "c2", 2, UNKNOWN)]


def told(lines: Lines, width: int = 100, locale: Texts = EN) -> list[str]:
    return [line.rstrip() for line in texts(cost_lines(watching(lines).costs, locale, width))]


def test_without_a_call_nothing_is_said_of_cost() -> None:
    assert told([]) == []


@pytest.mark.parametrize(
    ("locale", "amount", "dash"), [(EN, "≈0.5000 USD", "1 without"), (DE, "≈0,5000 USD", "1 ohne")]
)
def test_known_amounts_stand_beside_what_is_unknown(locale: Texts, amount: str, dash: str) -> None:
    shown = told(BOTH, locale=locale)
    (opus,) = [line for line in shown if line.startswith(OPUS)]
    (house,) = [line for line in shown if line.startswith(UNKNOWN)]
    assert opus.split(None, 1)[1] == f"1     {amount}"
    assert house.split() == [UNKNOWN, "1", "–", *dash.split()]
    (day,) = [line for line in shown if "2026" in line]
    assert day.split()[-5:] == ["2", *amount.replace("≈", "≥").split(), *dash.split()]


@pytest.mark.parametrize("width", [20, 30, 40, 60, 100])
@pytest.mark.parametrize("locale", [EN, DE])
def test_no_line_is_wider_than_the_screen(width: int, locale: Texts) -> None:
    assert max(line_cells(line) for line in cost_lines(watching(BOTH).costs, locale, width)) <= width


def call_of(lines: Lines, name: str) -> Call:
    return watching(lines).ledger.rounds["a"].calls_by_id[name]


def test_the_inspector_says_amount_source_and_day_of_the_price() -> None:
    watched = watching(BOTH)
    shown = texts(inspector_lines(call_of(BOTH, "c1"), EN, 120, None, watched.pricing))
    place = next(number for number, line in enumerate(shown) if line.startswith("Cost"))
    assert shown[place].split() == ["Cost", "≈0.5000", "USD"]
    assert "price of Oct 24, 2026, https://" in shown[place + 1]


def test_the_inspector_says_why_a_cost_is_unknown() -> None:
    pricing = watching(BOTH).pricing
    said = dict(call_cost_lines(pricing.call(call_of(BOTH, "c2")), EN))
    assert said == {"Cost": "unknown: no price for this model and provider"}


def test_an_amount_that_is_a_bound_says_which() -> None:
    lines = [*start("a", 0), *priced("a", "c1", 0)]
    for line in lines:
        if line["type"] == "call.finished":
            del line["usage"]["cache_read_tokens"]
    pricing = watching(lines).pricing
    said = list(call_cost_lines(pricing.call(call_of(lines, "c1")), EN))
    assert said[0] == ("Cost", "≤0.5000 USD")
    assert said[1] == ("", "at most: how much came from a cache is not reported")


def test_the_facts_of_a_round_say_what_its_sum_lacks() -> None:
    watched = watching(BOTH)
    shown = texts(facts_lines(watched.ledger.rounds["a"], NOW, None, EN, 140, watched.spent("a")))
    (cost,) = [line for line in shown if line.startswith("Cost")]
    assert "≥0.5000 USD   1 call without a known cost: no price for this model and provider" in cost


def test_the_table_for_spreadsheets_keeps_amounts_exact() -> None:
    watched = watching(BOTH)
    lines = b"".join(csv_pieces([watched.listed("a", 0, NOW)])).decode("utf-8-sig").splitlines()
    assert lines[0].endswith("cost,currency,cost_bound,calls_without_cost")
    assert lines[1].endswith(",0.50,USD,at_least,1")
