"""Lone halves of surrogate pairs, as programs write them that cut texts by UTF-16 units."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.transcripts.surrogates import from_any_json


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (rb'"\ud83d"', "\ufffd"),
        (rb'"a\uDE00b"', "a\ufffdb"),
        (rb'"\ud83d\ude00"', "\U0001f600"),
        (rb'"\ud83d\ud83d\ude00"', "\ufffd\U0001f600"),
        (rb'"\\ud83d"', r"\ud83d"),
    ],
)
def test_a_half_is_replaced_and_whatever_only_looks_like_one_stays(line: bytes, text: str) -> None:
    assert from_any_json(line) == text


def test_what_is_no_json_is_said() -> None:
    with pytest.raises(ValueError, match="expected value"):
        from_any_json(rb'{"a": \ud83d}')


@given(st.text(st.characters()))
def test_any_text_that_python_escapes_can_be_read(text: str) -> None:
    read = from_any_json(json.dumps(text).encode())
    assert isinstance(read, str)
    assert "\ufffd" in read or read == text
    read.encode("utf-8")
