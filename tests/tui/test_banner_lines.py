from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import Outcome
from roundwatch.core.texts import Texts, banner
from roundwatch.tui.banner_lines import banner_lines
from roundwatch.tui.safe_text import line_cells

from tests.banners import outcomes
from tests.scenes import outcome_of, sub_agent
from tests.tui.lines import DE, EN, texts

EVERY = list(outcomes().values())


@given(st.sampled_from(EVERY), st.sampled_from([EN, DE]), st.integers(12, 130))
def test_every_line_of_a_banner_is_as_wide_as_its_box(outcome: Outcome, locale: Texts, width: int) -> None:
    assert {line_cells(line) for line in banner_lines(outcome, locale, width)} == {width}


@pytest.mark.parametrize("width", [24, 36, 60, 100])
@pytest.mark.parametrize("locale", [EN, DE])
def test_no_word_of_a_headline_is_ever_cut_off(locale: Texts, width: int) -> None:
    for outcome in EVERY:
        shown = " ".join(" ".join(texts(banner_lines(outcome, locale, width))).replace("┃", " ").split())
        for word in banner(outcome, locale).title.split():
            assert word in shown


def test_severities_differ_in_border_and_word_without_any_colour() -> None:
    found = outcomes()
    borders = {
        name: banner_lines(found[name], EN, 80)[0][0].text[0]
        for name in ("completed", "completed_unconfirmed", "output_cap_reached", "no_output")
    }
    assert len(set(borders.values())) == 4
    words = {name: texts(banner_lines(found[name], EN, 80))[0].split("  ")[-1][-20:] for name in borders}
    assert len(set(words.values())) == 4


def test_figures_stand_after_the_cause_with_a_line_between_where_there_is_room() -> None:
    wide = texts(banner_lines(outcomes()["no_output"], EN, 80))
    narrow = texts(banner_lines(outcomes()["no_output"], EN, 40))
    assert [line.strip("┃ ") for line in wide].count("") == 1
    assert "" not in [line.strip("┃ ") for line in narrow[1:-1]]


@pytest.mark.parametrize(("locale", "word"), [(EN, "Running"), (DE, "Läuft")])
@pytest.mark.parametrize("width", [36, 80])
def test_the_box_of_a_running_round_says_so_once(locale: Texts, word: str, width: int) -> None:
    running = outcome_of(sub_agent())
    shown = " ".join(texts(banner_lines(running, locale, width)))
    assert shown.count(word) == 1
    assert locale("banner.running").split("; ")[1].rstrip(".").split()[-1] in shown


def test_the_box_of_a_silent_round_asks_for_attention() -> None:
    silent = replace(outcome_of(sub_agent()), stalled_ms=90_000.0)
    assert EN("tui.severity.attention") in texts(banner_lines(silent, EN, 80))[0]
