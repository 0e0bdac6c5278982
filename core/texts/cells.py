"""How many terminal cells a text takes, by the Unicode data that Python carries."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_EMOJI_SELECTOR = "\ufe0f"
_ZERO_WIDTH = frozenset(("Mn", "Me", "Cf"))
_JAMO_MEDIAL_TO_FINAL = range(0x1160, 0x1200)
"""Hangul vowels and finals: they join the syllable that an initial has opened."""


@lru_cache(maxsize=4096)
def _char_width(char: str) -> int:
    if unicodedata.category(char) in _ZERO_WIDTH or ord(char) in _JAMO_MEDIAL_TO_FINAL:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def clusters(text: str) -> Iterator[tuple[str, int]]:
    """Yield what must not be split, each with its cells: a character and the marks that sit on it."""
    start, width = 0, 0
    for index, char in enumerate(text):
        own = _char_width(char)
        if own == 0 and index > start:
            if char == _EMOJI_SELECTOR and width == 1:
                width = 2  # the selector asks for the emoji picture, which is two cells wide
            continue
        if index > start:
            yield text[start:index], width
        start, width = index, own
    if start < len(text):
        yield text[start:], width


def cell_width(text: str) -> int:
    """Return the cells that cleaned text takes on one line.

    Ambiguous characters count as one cell, as terminals outside East Asian legacy settings draw them.
    """
    if text.isascii():
        return len(text)
    return sum(width for _, width in clusters(text))
