from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.terminal_words import (
    MOST_CLIPBOARD_BYTES,
    MOST_NAME,
    clipboard_sequence,
    notification_sequence,
    outside_name,
    title_sequence,
)

HOSTILE = "\x1b]52;c;ZXZpbA==\x07\x9c\x9d0;x\n\r\x00\u202e\ud800 name"


@pytest.mark.parametrize("make", [notification_sequence, title_sequence])
def test_words_in_a_sequence_cannot_end_it(make: Callable[[str], str]) -> None:
    made = make(HOSTILE)
    assert made.startswith("\x1b]")
    assert made.endswith("\x1b\\")
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in made[2:-2])


@given(st.text())
def test_a_name_from_outside_is_short_clean_and_one_line(name: str) -> None:
    shown = outside_name(name)
    assert len(shown) <= MOST_NAME
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in shown)


@given(st.text(max_size=200))
def test_the_clipboard_gets_exactly_the_text_and_only_base64(text: str) -> None:
    made = clipboard_sequence(text)
    assert made is not None
    data = made.removeprefix("\x1b]52;c;").removesuffix("\x1b\\")
    assert base64.b64decode(data, validate=True) == text.encode("utf-8", "replace")


def test_a_text_that_terminals_drop_is_not_sent() -> None:
    assert clipboard_sequence("x" * (MOST_CLIPBOARD_BYTES + 1)) is None
