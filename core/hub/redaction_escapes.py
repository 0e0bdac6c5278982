"""JSON inside a text, such as the arguments of a tool call: what it says once its escapes are read, and where.

A secret must not pass because somebody wrote ``\\u0073k-…`` for ``sk-…``, or a quote inside of it as ``\\"``. A text
need not be whole or valid for that: pieces of arguments come as they were streamed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

ESCAPE = re.compile(
    r"\\(?:u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r'|u(?P<unit>[0-9a-fA-F]{4})|(?P<short>["\\/bfnrt]))'
)
SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
LEVELS = 3
"""Arguments inside of arguments: deeper than this nobody looks."""


class Unescaped:
    """A text with its escapes read."""

    def __init__(self, raw: str, outer: Unescaped | None = None) -> None:
        """Read ``raw``, which may itself be what ``outer`` reads."""
        self.text = ESCAPE.sub(_char, raw)
        self._raw = raw
        self._outer = outer

    @cached_property
    def _parts(self) -> tuple[list[int], list[int]]:
        """Where in ``text`` and in the raw text each part begins: an escape, or what stands between two."""
        here, there = [0], [0]
        for found in ESCAPE.finditer(self._raw):
            before = here[-1] + found.start() - there[-1]
            here += (before, before + 1)
            there += found.span()
        return here, there

    def place(self, index: int) -> int:
        """Return where in the outermost text the character at ``index``, or the end, stands."""
        here, there = self._parts
        part = bisect_right(here, index) - 1
        place = there[part] + index - here[part]
        return place if self._outer is None else self._outer.place(place)


def readings(raw: str) -> Iterator[Unescaped]:
    """Yield what a text says with its escapes read once, twice, …, for as long as there are any."""
    reading: Unescaped | None = None
    for _ in range(LEVELS):
        said = raw if reading is None else reading.text
        if "\\" not in said or ESCAPE.search(said) is None:
            return
        reading = Unescaped(said, reading)
        yield reading


def _char(found: re.Match[str]) -> str:
    if (short := found["short"]) is not None:
        return SHORT[short]
    if (unit := found["unit"]) is not None:
        return chr(int(unit, 16))
    return chr(0x10000 + ((int(found["high"], 16) & 0x3FF) << 10) + (int(found["low"], 16) & 0x3FF))
