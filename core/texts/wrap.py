"""Lines of prose for a given width; a number keeps its unit, a quoted value stays whole where it fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .cells import cell_width, clusters

_WORD = re.compile(r"([^ \n]+)( *)")
_NUMBER = re.compile(r"""[("'„“‚‘«≈~]*[-+]?\d(?:[\d.,]*\d)?\Z""")
_APPROXIMATELY = "≈"
_OPENING = {"„": "“", "“": "”", '"': '"', "«": "»"}


def wrap(text: str, width: int) -> list[str]:
    """Return ``text`` in lines of at most ``width`` cells; line feeds in it stay line ends.

    A break never parts a number from the word after it, nor a quoted value, unless one of them alone is
    wider than a line. A word wider than a line is cut between characters, never between one and its marks.

    Args:
        text: cleaned text.
        width: cells, at least 1; a wide character in a width of 1 still takes its two.
    """
    width = max(1, width)
    return [line for paragraph in text.split("\n") for line in _fill(_pieces(paragraph, width), width)]


def _fill(pieces: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Put as many pieces on each line as fit; yields at least one line."""
    line, used, gap = "", 0, ""
    for piece, spaces in pieces:
        needed = cell_width(piece)
        if line and used + len(gap) + needed > width:
            yield line
            line, used, gap = "", 0, ""
        line += gap + piece
        used += len(gap) + needed
        gap = spaces
    yield line


def _pieces(paragraph: str, width: int) -> Iterator[tuple[str, str]]:
    """Yield what stays together, none wider than ``width``, each with the spaces behind it."""
    words = [(found.group(1), found.group(2)) for found in _WORD.finditer(paragraph.lstrip(" "))]
    lead = paragraph[: len(paragraph) - len(paragraph.lstrip(" "))]
    if lead and words and len(lead) + cell_width(words[0][0]) <= width:
        words[0] = (lead + words[0][0], words[0][1])
    index = 0
    while index < len(words):
        count = _quoted(words, index, width) or _number_and_unit(words, index, width) or 1
        whole = _joined(words[index : index + count])
        yield from _cut(whole, words[index + count - 1][1], width)
        index += count


def _joined(words: list[tuple[str, str]]) -> str:
    return "".join(word + spaces for word, spaces in words[:-1]) + words[-1][0]


def _quoted(words: list[tuple[str, str]], index: int, width: int) -> int:
    """Return how many words a quotation that opens here takes; 0 when none does or it does not fit."""
    word = words[index][0].lstrip("(")
    closing = _OPENING.get(word[:1])
    if closing is None:
        return 0
    used = 0
    for ahead, (other, spaces) in enumerate(words[index:], start=1):
        used += cell_width(other)
        if used > width:
            return 0
        if closing in (word[1:] if ahead == 1 else other):
            return ahead
        used += len(spaces)
    return 0


def _number_and_unit(words: list[tuple[str, str]], index: int, width: int) -> int:
    """Return how many words a number and its unit take; 0 when none stands here or they do not fit."""
    at = index + 1 if words[index][0] == _APPROXIMATELY else index
    unit = at + 1
    if unit >= len(words) or not _NUMBER.match(words[at][0]) or _NUMBER.match(words[unit][0]):
        return 0
    return unit + 1 - index if cell_width(_joined(words[index : unit + 1])) <= width else 0


def _cut(piece: str, spaces: str, width: int) -> Iterator[tuple[str, str]]:
    """Yield ``piece`` itself, or, where it is too wide, parts of it that fit."""
    if cell_width(piece) <= width:
        yield piece, spaces
        return
    part, used = "", 0
    for cluster, cells in clusters(piece):
        if part and used + cells > width:
            yield part, ""
            part, used = "", 0
        part += cluster
        used += cells
    yield part, spaces
