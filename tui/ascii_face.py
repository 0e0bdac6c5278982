"""The screen in signs that every terminal has: one sign for one cell, so that nothing moves."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from ..core.texts import TOOL_MARKS, VERDICT_MARKS

_SIGNS = {
    **dict.fromkeys("│┃║╎▏▕▎▍▌▋▊▉", "|"),
    **dict.fromkeys("─━═╌┈", "-"),
    **dict.fromkeys("╭╮╰╯┌┐└┘┏┓┗┛╔╗╚╝├┤┬┴┼⌐", "+"),
    **dict.fromkeys("█▇▆▅", "#"),
    "░": "=",
    **dict.fromkeys("▄▃▂▁", "_"),
    "·": ".", "…": "~", "–": "-", "—": "-", "»": ">", "›": ">", "→": ">", "↑": "^", "↓": "v", "↵": "<", "↳": ">",
    "▲": "^", "●": "*", "○": "o", "◔": "o", "◐": "o", "↻": "r", "▸": ">", "≈": "~", "≡": "=", "▤": "=", "␣": "_",
    "„": '"', "“": '"', "”": '"', "‘": "'", "’": "'", "×": "x", "★": "*", "␛": "^", "\u00a0": " ",
    "\u202f": " ", "▾": "v", "≤": "<", "≥": ">", "≠": "!", "Δ": "d", "−": "-",
}  # fmt: skip
_MARKS = {mark.glyph: mark.ascii for mark in (*TOOL_MARKS.values(), *VERDICT_MARKS.values()) if mark.glyph != "…"}


@lru_cache(maxsize=4096)
def ascii_char(char: str, encoding: str = "ascii") -> str:
    """Return what stands for a character: itself where ``encoding`` has it, else signs of the same width."""
    if char.isascii():
        return char
    try:
        char.encode(encoding)
    except UnicodeEncodeError:
        pass
    else:
        return char
    found = _SIGNS.get(char) or _MARKS.get(char)
    if found is not None:
        return found
    plain = unicodedata.normalize("NFKD", char)[0]
    width = cell_len(char)
    return plain if plain.isascii() and plain.isprintable() and width == 1 else "?" * width


class AsciiFace(LineFilter):
    """Draws every line in ASCII, or in what another encoding has."""

    def __init__(self, encoding: str = "ascii") -> None:
        """Keep what ``encoding`` can write; an unknown one counts as ASCII."""
        super().__init__()
        self._encoding = known_encoding(encoding)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the same segments, every text in signs of the encoding."""
        return [
            Segment("".join(ascii_char(char, self._encoding) for char in text), style, control)
            for text, style, control in segments
        ]


def known_encoding(name: str) -> str:
    """Return an encoding's name, ``ascii`` for one that Python does not know."""
    try:
        "".encode(name)
    except LookupError:
        return "ascii"
    return name


def has_unicode(encoding: str | None) -> bool:
    """Say whether a terminal's encoding can write all that the screen draws."""
    return known_encoding(encoding or "ascii").replace("-", "").replace("_", "").lower().startswith("utf")
