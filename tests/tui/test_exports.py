from __future__ import annotations

import pytest
from roundwatch.core.prices import PriceTable, Pricing, shipped_prices
from roundwatch.core.texts import Texts
from roundwatch.tui.exports import ROUND_EXPORTS, list_pieces, report_text

from tests.scenes import NOW, asks, call, cap_cut, end, everything, start
from tests.tui.filtering import watching
from tests.tui.lines import DE, EN, round_of

FORMS = {each.name: each for each in ROUND_EXPORTS}

PRICING = Pricing(PriceTable(shipped_prices()))


@pytest.mark.parametrize(("texts", "words"), [(EN, "Stream ended without a finish"), (DE, "Datenstrom ohne Abschluss")])
def test_markdown_and_picture_say_how_it_ended_in_the_viewers_language(texts: Texts, words: str) -> None:
    round_ = round_of(cap_cut())
    assert words in FORMS["markdown"].make(round_, texts, NOW, PRICING)
    assert words.replace(" ", "&#160;") in FORMS["svg"].make(round_, texts, NOW, PRICING)
    assert words in report_text(round_, texts, NOW)


def test_markdown_has_one_row_a_call_with_the_reason_quoted() -> None:
    told = FORMS["markdown"].make(round_of(cap_cut()), EN, NOW, PRICING)
    rows = [line for line in told.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 3
    assert '"max\\_tokens"' in rows[1]
    assert "none reported" in rows[2]


def test_hostile_text_stays_text_in_every_form() -> None:
    evil = "](http://x) | <script> `\x1b[2J` \n# head"
    told = call("r", "c", 0, first=1, total=2, finish=evil, model=evil, between=asks("r", "c", "t", evil, 1))
    round_ = round_of([*start("r", 0, evil), *told, *end("r", 3)])
    for form in ("markdown", "svg"):
        made = FORMS[form].make(round_, EN, NOW, PRICING)
        assert "\x1b" not in made
        assert "<script>" not in made.replace("\\<script\\>", "")
        assert "\n# head" not in made


def test_the_list_is_exported_as_it_is_shown() -> None:
    watched = watching(everything())
    assert b"".join(list_pieces(watched, NOW)).count(b"\r\n") == 13
