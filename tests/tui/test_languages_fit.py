"""Longer languages on the same screen: what decides is never cut off, and nothing pushes anything else out."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from roundwatch.core.rounds import Verdict, classify
from roundwatch.core.texts import Texts, banner, cell_width, mark
from roundwatch.core.texts.pseudo import PSEUDO_LOCALE
from roundwatch.tui.banner_lines import BOXED_FROM, EDGES, banner_lines, severity_word
from roundwatch.tui.bars import FooterBar
from roundwatch.tui.keys import key_name
from roundwatch.tui.link_lines import link_wordings
from roundwatch.tui.safe_text import Line, line_cells

from tests.banners import outcomes
from tests.scenes import SCENES
from tests.stage import app_of, keys, screen_text
from tests.tui.lines import text

LOCALES = ("en", "de", PSEUDO_LOCALE)
SPOKEN = {locale: Texts.load(locale) for locale in LOCALES}
OUTCOMES = outcomes()
BORDERS = re.compile(r"[╭─╮│╰╯┌╌┐╎└┘╔═╗║╚╝┏━┓┃┗┛]")


def letters(lines: Iterable[str]) -> str:
    """What the lines say when line ends do not count; case and the pseudo-locale's filling do not either."""
    return re.sub(r"\s|ŷ", "", BORDERS.sub("", "".join(lines))).casefold()


def said(lines: Iterable[Line]) -> list[str]:
    return [text(line) for line in lines]


@given(st.sampled_from(sorted(OUTCOMES)), st.sampled_from(LOCALES), st.integers(1, 200))
@example("stream_ended_without_finish", "de", 1)
@example("output_cap_reached", PSEUDO_LOCALE, BOXED_FROM)
@example("running", "de", BOXED_FROM - 1)
def test_a_banner_never_loses_its_deciding_word(name: str, locale: str, width: int) -> None:
    outcome, texts = OUTCOMES[name], SPOKEN[locale]
    lines = banner_lines(outcome, texts, width)
    told = banner(outcome, texts)
    shown = letters(said(lines))
    assert letters([told.title]) in shown
    assert letters([severity_word(outcome, told.severity, texts)]) in shown
    assert mark(outcome).sign() in "".join(said(lines))
    assert {line_cells(line) for line in lines} == {width}


@pytest.mark.parametrize("locale", ["de", PSEUDO_LOCALE])
@pytest.mark.parametrize("name", sorted(OUTCOMES))
def test_every_verdict_is_said_whole_in_a_longer_language_at_every_width(name: str, locale: str) -> None:
    outcome, texts = OUTCOMES[name], SPOKEN[locale]
    told = banner(outcome, texts)
    deciding = (letters([told.title]), letters([severity_word(outcome, told.severity, texts)]))
    for width in range(20, 201):
        lines = banner_lines(outcome, texts, width)
        shown = letters(said(lines))
        assert all(word in shown for word in deciding), width
        assert {line_cells(line) for line in lines} == {width}


@given(st.sampled_from(sorted(OUTCOMES)), st.sampled_from(LOCALES), st.integers(1, 200))
def test_a_word_of_the_headline_stands_whole_wherever_a_line_has_room_for_it(
    name: str, locale: str, width: int
) -> None:
    outcome, texts = OUTCOMES[name], SPOKEN[locale]
    if outcome.verdict is Verdict.RUNNING and outcome.stalled_ms is None:
        return  # its headline is its sentence
    lines = " ".join(BORDERS.sub(" ", line) for line in said(banner_lines(outcome, texts, width))).split()
    room = width - EDGES if width >= BOXED_FROM else width
    for word in banner(outcome, texts).title.split():
        if cell_width(word) <= room:
            assert word in lines


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize(
    "label",
    [
        "Stream ended without finish reason", "Cut at output cap", "Unfinished tool call", "Selected agent unresolved",
        "Datenstrom endete ohne Abschlussgrund", "An der Ausgabegrenze abgeschnitten", "Unvollständiger Werkzeugaufruf",
        "Gewählter Agent nicht auflösbar", "Mittelabflussplanungsverordnungsänderungsbekanntmachung",
    ],
)  # fmt: skip
def test_a_headline_of_another_wording_wraps(label: str, width: int) -> None:
    class Worded(Texts):
        def __call__(self, key: str, /, **values: object) -> str:
            return label if key.startswith("verdict.") else SPOKEN["de"](key, **values)  # type: ignore[arg-type]

    shown = said(banner_lines(OUTCOMES["no_output"], Worded("de", {}, {}), width))
    assert letters([label]) in letters(shown)
    assert all(cell_width(line) <= width for line in shown)


WIDE = 1000


def hints(footer: FooterBar, width: int) -> list[str]:
    (line,) = footer.lines(width, 1)
    assert line_cells(line) == width
    return text(line).strip().split("  ") if text(line).strip() else []


@pytest.mark.parametrize("pressed", [(), ("enter",), ("slash",), ("colon",)])
@pytest.mark.parametrize("locale", LOCALES)
async def test_footer_keys_stand_whole_in_their_order_and_push_nothing_out(
    locale: str, pressed: tuple[str, ...]
) -> None:
    app = app_of("cut", locale)
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(*pressed)(pilot)
        footer = app.screen.query_one(FooterBar)
        every = hints(footer, WIDE)
        assert len(every) > 2
        for width in range(1, 201):
            shown = hints(footer, width)
            assert shown == every[: len(shown)]
            if len(shown) < len(every):
                assert cell_width("  ".join(every[: len(shown) + 1])) + 1 > width


@pytest.mark.parametrize("locale", LOCALES)
async def test_help_is_named_from_forty_columns_on(locale: str) -> None:
    app = app_of("cut", locale)
    async with app.run_test(size=(40, 10)) as pilot:
        await keys()(pilot)
        texts = app.current_texts()
        assert f"{key_name('?', texts)} {texts('key.help')}" in hints(app.screen.query_one(FooterBar), 40)


@pytest.mark.parametrize("size", [(60, 24), (80, 24), (120, 40)])
@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("scene", list(SCENES))
async def test_every_scene_fits_the_screen(scene: str, locale: str, size: tuple[int, int]) -> None:
    app = app_of(scene, locale)
    async with app.run_test(size=size) as pilot:
        await keys()(pilot)
        shown = screen_text(app).splitlines()
        assert len(shown) == size[1]
        assert all(cell_width(line) <= size[0] for line in shown)
        texts = app.current_texts()
        wordings = [text(line) for line in link_wordings(app.watched.hubs, texts, 0.0)]
        assert any(wording in shown[0] for wording in wordings), wordings
        assert shown[-1].strip() == "  ".join(hints(app.screen.query_one(FooterBar), size[0]))
        row = app.watched.position.selected
        if row is not None and row in app.watched.ledger.rounds:
            assert letters([mark(classify(app.watched.ledger.rounds[row])).word(texts)]) in letters(shown)


@pytest.mark.parametrize("size", [(60, 24), (80, 24), (120, 40)])
@pytest.mark.parametrize("pressed", [("question_mark",), ("ctrl+p",), ("s",), ("enter",), ("enter", "enter")])
async def test_every_other_screen_fits_in_a_longer_language(pressed: tuple[str, ...], size: tuple[int, int]) -> None:
    app = app_of("cut", PSEUDO_LOCALE)
    async with app.run_test(size=size) as pilot:
        await keys(*pressed)(pilot)
        shown = screen_text(app).splitlines()
        assert len(shown) == size[1]
        assert all(cell_width(line) <= size[0] for line in shown)
        assert "ŷ" in "".join(shown)
