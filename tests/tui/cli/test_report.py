from __future__ import annotations

import pytest
from roundwatch.core.rounds import classify
from roundwatch.core.texts import Texts, cell_width
from roundwatch.tui.cli.banner import gallery
from roundwatch.tui.cli.report import report

from tests.rounds import call, end, fold, start


@pytest.mark.parametrize("locale", ["en", "de"])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_prose_keeps_to_the_width(locale: str, width: int) -> None:
    texts = Texts.load(locale)
    for round_, outcome in gallery():
        _, *prose = report(round_, outcome, texts, unicode=True, width=width)
        assert all(line.indent + cell_width(line.text) <= width for line in prose)


def test_a_sub_round_is_indented() -> None:
    ledger = fold(start(), end())
    fold(start(parent={"round": "r"}), end(), ledger=ledger, round_="child")
    texts = Texts.load("en")

    indents = [
        next(report(round_, classify(round_), texts, unicode=True, width=80)).indent
        for round_ in ledger.rounds.values()
    ]

    assert indents == [0, 2]


def test_a_name_of_any_length_leaves_room_for_the_verdict() -> None:
    round_ = fold(start(agent="a" * 10_000), call("c1", "length", "x"), end(), round_="r" * 10_000).rounds["r" * 10_000]

    headline = next(report(round_, classify(round_), Texts.load("en"), unicode=True, width=80)).text

    assert len(headline) < 300
    assert headline.endswith("Cut at the output limit")


def test_without_unicode_signs_and_bars_are_ascii() -> None:
    for round_, outcome in gallery():
        lines = list(report(round_, outcome, Texts.load("en"), unicode=False, width=80))
        assert lines[0].text[0].isascii()
        assert all(line.text[0] in "| " for line in lines[1:])
