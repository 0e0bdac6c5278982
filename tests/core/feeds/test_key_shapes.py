from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.key_shapes import GONE, without_keys


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
