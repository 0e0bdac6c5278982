from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import LANGUAGES, locale_from_env, match_locale


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("de", "de"),
        ("DE", "de"),
        ("de_AT.UTF-8", "de"),
        ("de_DE@euro", "de"),
        ("de-CH", "de"),
        ("en_GB.UTF-8", "en"),
        ("C", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("fr_FR.UTF-8", None),
        ("xx_YY", None),
        ("deutsch", None),
        ("", None),
        (None, None),
        ("../../etc", None),
    ],
)
def test_a_locale_name_leads_to_one_of_our_languages(name: str | None, language: str | None) -> None:
    assert match_locale(name) == language


@pytest.mark.parametrize(
    ("env", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "C"}, "en"),
        ({"LC_ALL": "", "LANG": ""}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "de_AT"}, "de"),
        ({"LC_ALL": "C", "LC_MESSAGES": "de_DE", "LANG": "de_DE"}, "en"),
        ({"LC_MESSAGES": "de_DE", "LANG": "en_US"}, "de"),
        ({"LC_NUMERIC": "de_DE"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "\x1b[31m"}, "en"),
    ],
)
def test_the_environment_decides_in_posix_order(env: dict[str, str], language: str) -> None:
    assert locale_from_env(env) == language


def test_an_explicit_wish_wins() -> None:
    assert locale_from_env({"LC_ALL": "en_US.UTF-8"}, "de_DE") == "de"
    assert locale_from_env({"LC_ALL": "de_DE.UTF-8"}, "fr") == "en"
    assert locale_from_env({"LC_ALL": "de_DE.UTF-8"}, "") == "de"


@given(st.text())
def test_any_name_at_all_gives_a_language_there_is(name: str) -> None:
    assert locale_from_env({"LANG": name}, name) in LANGUAGES
