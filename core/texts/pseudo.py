"""A language that nobody speaks: English with longer words, to see where a layout has no room for a translation."""

from __future__ import annotations

import re
from functools import cache
from math import ceil

from .tables import Entry, Table, built_in
from .viewer_locale import FALLBACK

PSEUDO_LOCALE = "xx-long"
"""Asked for by this very name; it matches no setting, option or variable of a viewer."""
LONGER = 0.4
"""What German and its like take more than English, as a share of what stands outside placeholders."""
_PLACE = re.compile(r"\{[^}]*\}")
_WORD = re.compile(r"[A-Za-z]+")
_WORD_OR_PLACE = re.compile(f"{_PLACE.pattern}|{_WORD.pattern}")
_MARKED = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")
_FILLING = "ŷ"


@cache
def pseudo_table() -> Table:
    """Return the English table with every text longer by two fifths; placeholders and plural forms stay."""
    return {key: _entry(entry) for key, entry in built_in(FALLBACK).items()}


def _entry(entry: Entry) -> Entry:
    return {form: lengthened(text) for form, text in entry.items()}


def lengthened(text: str) -> str:
    """Return ``text`` with longer words and marked vowels; placeholders, digits and signs as they were.

    Words grow, and no word is added: what breaks a layout is a word that does not fit.
    """
    literal = len(_PLACE.sub("", text))
    letters = sum(len(word) for word in _WORD.findall(_PLACE.sub("", text)))
    filling, done, filled = ceil(literal * LONGER), 0, 0

    def longer(found: re.Match[str]) -> str:
        nonlocal done, filled
        word = found.group()
        if word.startswith("{"):
            return word
        done += len(word)
        due = filling * done // letters
        more, filled = due - filled, due
        return word.translate(_MARKED) + _FILLING * more

    return _WORD_OR_PLACE.sub(longer, text)
