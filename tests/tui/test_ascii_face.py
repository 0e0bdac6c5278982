from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from roundwatch.core.texts import TOOL_MARKS, VERDICT_MARKS
from roundwatch.tui.ascii_face import AsciiFace, ascii_char, has_unicode
from textual.color import Color

from tests.stage import app_of, screen_text, settle


@given(st.characters(exclude_categories=["Cs", "Cc", "Mn", "Me", "Cf"]))
def test_every_sign_has_a_stand_in_of_the_same_width(char: str) -> None:
    shown = ascii_char(char)
    assert shown.isascii()
    assert cell_len(shown) == cell_len(char)


def test_every_mark_keeps_a_sign_of_its_own() -> None:
    for mark in (*VERDICT_MARKS.values(), *TOOL_MARKS.values()):
        if mark.glyph != "…":
            assert ascii_char(mark.glyph) == mark.ascii


def test_what_the_encoding_has_stays() -> None:
    assert ascii_char("ä", "latin-1") == "ä"
    assert ascii_char("ä") == "a"
    assert ascii_char("│", "latin-1") == "|"
    assert ascii_char("漢") == "??"


def test_style_and_width_of_a_line_stay() -> None:
    (made,) = AsciiFace("no such encoding").apply([Segment("│ ✓ ä…")], Color(0, 0, 0))
    assert made.text == "| + a~"


@pytest.mark.parametrize(("encoding", "has"), [("utf-8", True), ("UTF8", True), ("latin-1", False), (None, False)])
def test_a_terminal_without_unicode_is_known_by_its_encoding(encoding: str | None, has: bool) -> None:
    assert has_unicode(encoding) is has


@pytest.mark.parametrize("scene", ["everything", "cut"])
async def test_the_whole_screen_is_ascii_when_that_is_chosen(scene: str) -> None:
    app = app_of(scene)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert not screen_text(app).isascii()
        app.choose(ascii_marks=True)
        await settle(pilot)
        shown = screen_text(app)
        assert shown.isascii()
        assert "~ worker" in shown
        app.choose(ascii_marks=False)
        await settle(pilot)
        assert not screen_text(app).isascii()
