"""Text from outside, made safe to show: every control and every invisible character becomes visible."""

from __future__ import annotations

import re

_INVISIBLE: tuple[tuple[int, int], ...] = (
    (0x00, 0x1F),  # C0: a terminal obeys them
    (0x7F, 0x9F),  # DEL and C1: a terminal obeys them too
    (0xAD, 0xAD),  # soft hyphen
    (0x34F, 0x34F),  # combining grapheme joiner
    (0x61C, 0x61C),  # Arabic letter mark: changes direction
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian selectors and vowel separator
    (0x200B, 0x200F),  # zero width, LRM, RLM
    (0x2028, 0x202E),  # line and paragraph separator, bidi embeddings and overrides
    (0x2060, 0x206F),  # word joiner, invisible operators, bidi isolates, deprecated format characters
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xDFFF),  # lone surrogates: no output encoding takes them
    (0xFE00, 0xFE0D),  # variation selectors 1 to 14; 15 and 16 choose emoji or text and are common
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFFB),  # interlinear annotation
    (0x13430, 0x1345F),  # Egyptian format controls
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0xE0FFF),  # tags and supplementary variation selectors: carry hidden text
)
"""Inclusive code point ranges that must never reach a terminal as they are."""


def _pattern(keep: str = "") -> re.Pattern[str]:
    ranges = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _INVISIBLE)
    kept = f"(?![{keep}])" if keep else ""
    # A selector that follows no visible character chooses nothing; it can only hide data.
    return re.compile(f"{kept}[{ranges}]|(?<![^\\s\\ufe0e\\ufe0f])[\\ufe0e\\ufe0f]")


_ONE_LINE = _pattern()
_MULTI_LINE = _pattern(keep="\\n")

TAB_COLUMNS = 4
"""Characters between two tab stops where tabs are expanded."""
_DEL = 0x7F
_PICTURES = 0x2400
_PICTURE_OF_DEL = "\u2421"


def clean(text: str, *, multi_line: bool = False, limit: int | None = None) -> str:
    """Return ``text`` with nothing in it that a terminal obeys or an eye cannot see.

    Controls become their pictures (``␛``), everything else that hides or turns text around becomes its
    number (``‹U+202E›``). Clean text comes back unchanged; the cost is linear in the length.

    Args:
        multi_line: keep line feeds and expand tabs; otherwise both are shown as pictures.
        limit: characters of the result at most, above 0; a longer one ends in ``…``.
    """
    if limit is not None and len(text) > limit:
        text = text[: limit + 1]  # one too many, so that the cut below sees that something is missing
    if not (text.isascii() and text.isprintable()):
        if multi_line:
            text = _MULTI_LINE.sub(_visible, text.expandtabs(TAB_COLUMNS) if "\t" in text else text)
        else:
            text = _ONE_LINE.sub(_visible, text)
    if limit is not None and len(text) > limit:
        return text[: limit - 1] + "…"
    return text


def _visible(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(_PICTURES + code)
    return _PICTURE_OF_DEL if code == _DEL else f"‹U+{code:04X}›"
