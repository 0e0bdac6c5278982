"""Lines of prose for a given width; a number keeps its unit, a quoted value stays whole where it fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain

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
    words = _Words(paragraph, width)
    index = 0
    while index < len(words.texts):
        last = words.end_of_quotation(index) or words.end_of_quantity(index) or index
        yield from _cut(words.joined(index, last), words.spaces[last], width)
        index = last + 1


class _Words:
    """The words of a paragraph, with what is needed to say in constant time what belongs together."""

    def __init__(self, paragraph: str, width: int) -> None:
        found = _WORD.findall(paragraph.lstrip(" "))
        self.width = width
        self.texts: list[str] = [word for word, _ in found]
        self.spaces: list[str] = [spaces for _, spaces in found]
        indent = paragraph[: len(paragraph) - len(paragraph.lstrip(" "))]
        if indent and self.texts and len(indent) + cell_width(self.texts[0]) <= width:
            self.texts[0] = indent + self.texts[0]
        cells = [cell_width(word) for word in self.texts]
        steps = (own + len(gap) for own, gap in zip(cells, self.spaces, strict=True))
        self._starts = list(accumulate(steps, initial=0))
        self._ends = [start + own for start, own in zip(self._starts, cells, strict=False)]
        self._closing: dict[str, list[int]] = {}

    def joined(self, first: int, last: int) -> str:
        """Return the words ``first`` to ``last`` with the spaces between them."""
        parts = zip(self.texts[first:last], self.spaces[first:last], strict=True)
        return "".join(chain.from_iterable(parts)) + self.texts[last]

    def fits(self, first: int, last: int) -> bool:
        """Say whether the words ``first`` to ``last`` fit on a line of their own."""
        return self._ends[last] - self._starts[first] <= self.width

    def end_of_quotation(self, index: int) -> int | None:
        """Return the word that closes a quotation which opens here; None when none does or it does not fit."""
        word = self.texts[index].lstrip("( ")
        closing = _OPENING.get(word[:1])
        if closing is None or closing in word[1:]:
            return None
        last = self._next_with(closing)[index + 1]
        return last if last < len(self.texts) and self.fits(index, last) else None

    def _next_with(self, closing: str) -> list[int]:
        """Return, by word, the first word from there on that has ``closing`` in it."""
        if closing not in self._closing:
            found = [len(self.texts)] * (len(self.texts) + 1)
            for index in range(len(self.texts) - 1, -1, -1):
                found[index] = index if closing in self.texts[index] else found[index + 1]
            self._closing[closing] = found
        return self._closing[closing]

    def end_of_quantity(self, index: int) -> int | None:
        """Return the word after a number that stands here; None when none stands here or they do not fit."""
        number = index + 1 if self.texts[index] == _APPROXIMATELY else index
        unit = number + 1
        if unit >= len(self.texts) or not _NUMBER.match(self.texts[number]) or _NUMBER.match(self.texts[unit]):
            return None
        return unit if self.fits(index, unit) else None


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
