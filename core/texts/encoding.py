"""What a terminal without Unicode can show: stand-ins instead of an error."""

from __future__ import annotations

import unicodedata

_STAND_INS = str.maketrans(
    {
        "„": '"', "“": '"', "”": '"', "‚": "'", "‘": "'", "’": "'", "«": '"', "»": '"', "‹": "<", "›": ">",
        "–": "-", "—": "-", "‑": "-", "−": "-", "…": "...", "·": ".", "•": "*", "×": "x", "≈": "~", "≤": "<=",
        "→": "->", "←": "<-", "↑": "^", "↓": "v", "↵": "Enter", "\u00a0": " ", "\u202f": " ", "\u2421": "^?",
        "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "€": "EUR",
    }
    | {chr(0x2400 + code): "^" + chr(0x40 + code) for code in range(0x20)}
)  # fmt: skip
"""What a reader takes for the same thing; control pictures become the caret form."""


def to_ascii(text: str) -> str:
    """Return ``text`` in ASCII: stand-ins first, then letters without their marks, then ``\\u`` escapes."""
    return fit_encoding(text, "ascii")


def fit_encoding(text: str, encoding: str | None) -> str:
    """Return ``text`` such that ``encoding`` can write it; unchanged where it can already.

    Args:
        encoding: the output's name for it; None or an unknown one counts as ASCII.
    """
    try:
        text.encode(encoding or "ascii")
    except LookupError:
        return fit_encoding(text, "ascii")
    except UnicodeEncodeError:
        return "".join(char if char.isascii() else _fitted(char, encoding or "ascii") for char in text)
    return text


def _fitted(char: str, encoding: str) -> str:
    for candidate in (char, char.translate(_STAND_INS), _without_marks(char)):
        if candidate and _fits(candidate, encoding):
            return candidate
    return char.encode("ascii", "backslashreplace").decode("ascii")


def _without_marks(char: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFKD", char) if not unicodedata.combining(part))


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
