from __future__ import annotations

from decimal import Decimal

import pytest
from babel.core import Locale
from babel.numbers import get_decimal_symbol, get_group_symbol
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import LANGUAGES
from roundwatch.core.texts.number_rules import NUMBER_RULES, plural_form

PLURALS = {language: Locale.parse(language).plural_form for language in LANGUAGES}


def test_the_marks_of_every_language_are_those_of_the_cldr() -> None:
    assert {name: tuple(rules) for name, rules in NUMBER_RULES.items()} == {
        language: (get_decimal_symbol(language), get_group_symbol(language)) for language in LANGUAGES
    }


@pytest.mark.parametrize("language", LANGUAGES)
@given(n=st.integers(0, 10**6) | st.decimals(0, 10**6, places=3).filter(lambda n: n % 1 != 0))
def test_plural_forms_are_those_of_the_cldr(language: str, n: int | Decimal) -> None:
    assert plural_form(n, language) == PLURALS[language](n)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("n", [0, 1, 2, Decimal("1.5"), Decimal("0.1")])
def test_the_numbers_around_one_have_the_forms_of_the_cldr(language: str, n: int | Decimal) -> None:
    assert plural_form(n, language) == PLURALS[language](n)


def test_a_language_without_rules_is_refused() -> None:
    with pytest.raises(KeyError):
        plural_form(1, "fr")
