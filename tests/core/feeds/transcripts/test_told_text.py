from __future__ import annotations

import json
from typing import Any

import pytest
from roundwatch.core.feeds.capture import TITLE_CHARS
from roundwatch.core.feeds.key_shapes import GONE
from roundwatch.core.feeds.transcripts.told_text import STRING_CHARS, arguments_text, bounded, keyless, title_of

KEYS = [
    "sk-" + "aB3_" * 8,
    "ghp_" + "a1" * 18,
    "github_pat_" + "a1" * 20,
    "xoxb-1234567890-abc",
    "AKIA" + "ABCD1234" * 2,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
]


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_taken_out_by_their_looks(key: str) -> None:
    assert keyless(f"use {key} here") == f"use {GONE} here"


@pytest.mark.parametrize("before", ["API_KEY=", "token=", "DB_PASSWORD="])
def test_keys_are_taken_out_by_the_word_before_them(before: str) -> None:
    assert keyless(f"curl {before}abcdefgh12345678 x") == f"curl {before}{GONE} x"


def test_an_authorisation_is_taken_out() -> None:
    assert keyless("curl -H 'Authorization: Bearer abcdefgh12345678'") == f"curl -H 'Authorization: {GONE}'"


def test_what_only_looks_a_little_like_a_key_stays() -> None:
    text = "task-list, sk-ip, the token=yes, monkey=1, a bearer of news"
    assert keyless(text) == text


@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_the_cut_goes_through_is_known_as_one(key: str) -> None:
    assert key[:16] not in bounded(f"1234 {key}", 22)


def test_titles_are_one_short_line() -> None:
    assert title_of("\n\n  Mend   the roof\nsoon") == "Mend the roof"
    assert len(title_of("x" * 5000) or "") == TITLE_CHARS
    assert title_of(" \n ") is None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"command": "ls"}, {"command": "ls"}),
        ('{"command": "ls"}', {"command": "ls"}),
        (
            {"api_key": "hunter2", "headers": {"Authorization": ["x y"]}},
            {"api_key": GONE, "headers": {"Authorization": [GONE]}},
        ),
        ({"token": 5, "secret": "", "on": True, "none": None}, {"token": 5, "secret": "", "on": True, "none": None}),
        ({"author": "Ada"}, {"author": "Ada"}),
    ],
)
def test_arguments_are_told_as_json_without_secrets(given: Any, told: Any) -> None:
    assert json.loads(arguments_text(given) or "") == told


def test_long_strings_among_the_arguments_are_cut_and_stay_json() -> None:
    found = json.loads(arguments_text({"content": "x" * 100_000}) or "")
    assert found == {"content": "x" * STRING_CHARS + GONE}


def test_arguments_that_are_no_json_stay_the_text_they_are() -> None:
    assert arguments_text("*** Begin Patch") == "*** Begin Patch"
    assert arguments_text('"only a string"') == '"only a string"'


def test_arguments_too_many_to_look_at_are_left_out() -> None:
    assert arguments_text({str(number): number for number in range(1000)}) is None
    deep: Any = "sk"
    for _ in range(100):
        deep = [deep]
    assert (arguments_text(deep) or "").count(GONE) == 1
