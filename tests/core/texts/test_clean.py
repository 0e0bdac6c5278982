from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import clean

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too
VISIBLE_FORMAT_CHARACTERS = set(map(chr, (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)))
"""Format characters that are drawn: Arabic, Syriac and Kaithi number and verse signs."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]52;c;eA==\x07", "␛]52;c;eA==␇"),
        ("FAILED\rPASSED", "FAILED␍PASSED"),
        ("a\x00b\x7f", "a␀b␡"),
        ("\x9b31m", "‹U+009B›31m"),
        ("\u202eevil\u202c", "‹U+202E›evil‹U+202C›"),
        ("\u2066x\u2069\u200e\u200f\u061c", "‹U+2066›x‹U+2069›‹U+200E›‹U+200F›‹U+061C›"),
        ("a\u200bb\ufeff", "a‹U+200B›b‹U+FEFF›"),
        ("a\u2028b\u2029", "a‹U+2028›b‹U+2029›"),
        ("\ud800", "‹U+D800›"),
        ("hi\U000e0041", "hi‹U+E0041›"),
        ("[red]x[/red] \\[/]", "[red]x[/red] \\[/]"),
        ("größer – „x“ 日本 ✓ ⚠\ufe0f", "größer – „x“ 日本 ✓ ⚠\ufe0f"),
    ],
)
def test_what_a_terminal_obeys_or_an_eye_misses_is_shown(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_line_feeds_and_tabs_are_pictures_on_one_line_and_themselves_on_many() -> None:
    assert clean("a\tb\nc") == "a␉b␊c"
    assert clean("a\tb\nc", multi_line=True) == "a   b\nc"
    assert clean("a\r\nb", multi_line=True) == "a␍\nb"


def test_a_long_text_ends_in_an_ellipsis_and_never_exceeds_its_limit() -> None:
    assert clean("abcdef", limit=6) == "abcdef"
    assert clean("abcdefg", limit=6) == "abcde…"
    assert clean("\x1b" * 10, limit=3) == "␛␛…"


def test_a_selector_that_has_nothing_to_choose_is_shown() -> None:
    assert clean("\ufe0f") == "‹U+FE0F›"
    assert clean("✂\ufe0f\ufe0f") == "✂\ufe0f‹U+FE0F›"


@given(ANY_TEXT, st.booleans())
def test_no_control_and_nothing_invisible_survives(text: str, multi_line: bool) -> None:
    for char in clean(text, multi_line=multi_line):
        category = unicodedata.category(char)
        assert category not in ("Cc", "Cs", "Zl", "Zp") or (multi_line and char == "\n")
        assert category != "Cf" or char in VISIBLE_FORMAT_CHARACTERS


@pytest.mark.parametrize("category", ["Cc", "Cf", "Cs", "Zl", "Zp"])
def test_every_character_of_a_hidden_category_is_shown(category: str) -> None:
    found = [char for char in map(chr, range(0x110000)) if unicodedata.category(char) == category]
    survivors = [char for char in found if clean(char) == char and char not in VISIBLE_FORMAT_CHARACTERS]
    assert survivors == []


@given(ANY_TEXT, st.booleans(), st.none() | st.integers(1, 50))
def test_clean_text_stays_as_it_is(text: str, multi_line: bool, limit: int | None) -> None:
    once = clean(text, multi_line=multi_line, limit=limit)
    assert clean(once, multi_line=multi_line, limit=limit) == once
    once.encode("utf-8")


@given(st.text(st.characters(codec="ascii", min_codepoint=0x20, max_codepoint=0x7E)))
def test_plain_ascii_comes_back_character_for_character(text: str) -> None:
    assert clean(text) == text


@given(ANY_TEXT, ANY_TEXT)
def test_on_one_line_each_character_is_judged_by_itself(left: str, right: str) -> None:
    # Only a variation selector looks at what stands before it.
    if not right.startswith(("\ufe0e", "\ufe0f")):
        assert clean(left + right) == clean(left) + clean(right)


@given(ANY_TEXT, st.booleans(), st.integers(1, 30))
def test_a_limit_holds_whatever_the_characters_become(text: str, multi_line: bool, limit: int) -> None:
    assert len(clean(text, multi_line=multi_line, limit=limit)) <= limit
