from __future__ import annotations

import tomllib
from importlib import resources

import pytest
from babel.core import Locale
from roundwatch.core.texts import LANGUAGES, clean
from roundwatch.core.texts.tables import built_in, entry, placeholders

OTHERS = [language for language in LANGUAGES if language != "en"]


def values(language: str, key: str) -> set[str]:
    """Return the placeholders of a text in any of its forms."""
    return {name for text in built_in(language)[key].values() for name in placeholders(text)}


def test_there_is_a_table_for_every_language_and_no_other_file() -> None:
    files = {entry.name for entry in resources.files("roundwatch.locales").iterdir() if entry.name.endswith(".toml")}
    assert files == {f"{language}.toml" for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_well_formed(language: str) -> None:
    for key, forms in built_in(language).items():
        assert entry(key, forms) == forms


@pytest.mark.parametrize("language", OTHERS)
def test_every_table_has_the_same_keys(language: str) -> None:
    assert set(built_in(language)) ^ set(built_in("en")) == set()


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_has_the_same_placeholders_in_every_language(language: str) -> None:
    differing = {key for key in built_in("en") if values(language, key) != values("en", key)}
    assert differing == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_by_number_has_exactly_the_forms_its_language_needs(language: str) -> None:
    needed = {*Locale.parse(language).plural_form.tags, "other"}
    wrong = {key for key, forms in built_in(language).items() if len(forms) > 1 and set(forms) != needed}
    assert wrong == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_by_number_is_one_in_every_language(language: str) -> None:
    by_number = {key for key, forms in built_in(language).items() if len(forms) > 1}
    assert by_number == {key for key, forms in built_in("en").items() if len(forms) > 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_general_form_of_a_counted_text_shows_the_number(language: str) -> None:
    silent = {
        key
        for key, forms in built_in(language).items()
        if len(forms) > 1 and not placeholders(forms["other"]) & {"n", "count"}
    }
    assert silent == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_or_hides_a_character(language: str) -> None:
    for key, forms in built_in(language).items():
        for text in forms.values():
            assert text.strip(), key
            assert clean(text, multi_line=True) == text, key


def test_german_quotes_the_german_way() -> None:
    for key, forms in built_in("de").items():
        for text in forms.values():
            assert '"' not in text, key
            assert text.count("„") == text.count("“"), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_groups_are_opened_once_and_keys_are_lower_case(language: str) -> None:
    tree = tomllib.loads(resources.files("roundwatch.locales").joinpath(f"{language}.toml").read_text("utf-8"))
    assert all(isinstance(value, dict) for value in tree.values())
    assert all(key == key.lower() and " " not in key for key in built_in(language))
