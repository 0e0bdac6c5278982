from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.key_shapes import GONE, HELD_CHARS, begun_key, without_keys


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-abcdefghijklmnop1234",
        "AIza" + "b" * 35,
        "AKIA" + "C" * 16,
        "ghp_" + "d" * 36,
        "xoxb-1234567890-abc",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.c2lnbmF0dXJl",
        "Bearer abcdefghijklmnopqrstu",
    ],
)
def test_what_looks_like_a_key_is_blotted_out(key: str) -> None:
    assert without_keys(f"the key {key}, was wrong") == f"the key {GONE}, was wrong"


def test_ordinary_words_stay() -> None:
    text = "the risk-averse bearer of task-lists asked sk-1, AKIA and basic questions about eyJ"
    assert without_keys(text) == text


@given(st.text())
def test_a_second_look_finds_nothing_more(text: str) -> None:
    assert without_keys(without_keys(text)) == without_keys(text)


@pytest.mark.parametrize(
    ("text", "begun"),
    [
        ("see", ""),
        ("the ", ""),
        ("tusk", ""),
        ("the s", "s"),
        ("key=sk-abc", "sk-abc"),
        ("use sk-" + "a" * 30, "sk-" + "a" * 30),
        ("Authorization: Bear", "Bear"),
        ("Authorization: bearer\n ", "bearer\n "),
        ("Authorization: Bearer abc", "Bearer abc"),
        ("eyJhb.eyJ", "eyJhb.eyJ"),
        ("sk-abcdefghi-bearer ", "sk-abcdefghi-bearer "),
        ("Bearer sk-aaaabb.Bearer ", "Bearer sk-aaaabb.Bearer "),
        ("x" * 2 * HELD_CHARS, ""),
    ],
)
def test_the_end_of_a_text_that_a_key_may_have_begun_in_is_found(text: str, begun: str) -> None:
    assert begun_key(text) == len(text) - len(begun)


def test_half_a_character_does_not_hide_a_key() -> None:
    assert without_keys("\ud83d sk-proj-abcdefghijklmnop1234") == f"\ud83d {GONE}"
