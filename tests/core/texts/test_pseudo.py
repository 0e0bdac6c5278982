from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import LANGUAGES, Texts, locale_from_env, match_locale
from roundwatch.core.texts.pseudo import LONGER, PSEUDO_LOCALE, lengthened, pseudo_table
from roundwatch.core.texts.tables import built_in, placeholders

PLACE = re.compile(r"\{[^}]*\}")


def literal(text: str) -> str:
    return PLACE.sub("", text)


def test_every_text_is_there_in_every_form_with_its_placeholders() -> None:
    english, pseudo = built_in("en"), pseudo_table()
    assert pseudo.keys() == english.keys()
    for key, entry in english.items():
        assert pseudo[key].keys() == entry.keys()
        for form, text in entry.items():
            assert placeholders(pseudo[key][form]) == placeholders(text)


def test_every_text_with_a_word_is_two_fifths_longer_and_no_longer_than_that() -> None:
    english = built_in("en")
    seen = 0
    for key, entry in pseudo_table().items():
        for form, text in entry.items():
            before = literal(english[key][form])
            if re.search("[A-Za-z]", before):
                seen += 1
                assert len(before) * (1 + LONGER) <= len(literal(text)) < len(before) * (1 + LONGER) + 1
    assert seen > 500


@given(st.text("ab {}n1.é\n"))
def test_lengthening_adds_no_word_and_changes_no_sign(text: str) -> None:
    longer = lengthened(text)
    assert longer.translate(str.maketrans("áí", "ai", "ŷ")) == text
    assert len(longer.split()) == len(text.split())


def test_words_themselves_grow() -> None:
    assert lengthened("{n} of {total}, 3 ms") == "{n} ófŷŷ {total}, 3 msŷŷ"
    assert lengthened("Answer") == "Ánswérŷŷŷ"
    assert lengthened("{value} %") == "{value} %"


def test_it_counts_and_writes_numbers_as_english_does() -> None:
    texts = Texts.load(PSEUDO_LOCALE)
    assert texts.locale == "en"
    assert texts.number(1234.5) == "1,234.5"
    assert texts("ui.count_running", n=1) == lengthened(built_in("en")["ui.count_running"]["other"]).replace("{n}", "1")
    assert not texts.gaps


@pytest.mark.parametrize("name", [PSEUDO_LOCALE, "xx", "xx_LONG", "XX-LONG.UTF-8"])
def test_no_viewer_can_choose_it(name: str) -> None:
    assert match_locale(name) is None
    assert locale_from_env({"LC_ALL": name}, name) == "en"
    assert PSEUDO_LOCALE not in LANGUAGES


def test_texts_fall_back_to_plain_english_for_any_other_unknown_name() -> None:
    assert Texts.load("xx-LONG")("verdict.completed") == "Answer"
    assert Texts.load(PSEUDO_LOCALE)("verdict.completed") == "Ánswérŷŷŷ"
