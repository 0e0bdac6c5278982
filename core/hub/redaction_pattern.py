"""RE2 patterns; needs the extra ``redaction``."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Protocol, cast

re2: Any = import_module("re2")  # it comes without types

LONE_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)
"""RE2 reads UTF-8, which cannot hold them; JSON can escape them."""


class Found(Protocol):
    """What is used of a match."""

    def span(self) -> tuple[int, int]:
        """Return its begin and end in characters."""
        ...


class Pattern(Protocol):
    """What is used of the library's own type."""

    def sub(self, repl: str, text: str, /) -> str:
        """Return ``text`` with every match replaced."""
        ...

    def search(self, text: str, /) -> object | None:
        """Return the first match."""
        ...

    def finditer(self, text: str, /) -> Iterator[Found]:
        """Return the matches."""
        ...


def compiled(pattern: str) -> Pattern:
    """Return a pattern ready to use.

    Raises:
        ValueError: it is no RE2 pattern, or matches the empty text and so everything.
    """
    options = re2.Options()
    options.log_errors = False  # it would write the pattern to stderr by itself
    try:
        found = cast(Pattern, re2.compile(pattern, options))
    except re2.error as error:
        said = error.args[0] if error.args else ""
        raise ValueError(said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)) from None
    if found.search("") is not None:
        raise ValueError("it matches the empty text, so it would blot out everything")
    return found


def blot(pattern: Pattern, mark: str, text: str) -> str:
    """Return ``text`` with ``mark`` in place of every match; its very self where there is none."""
    try:
        return pattern.sub(mark, text)
    except UnicodeEncodeError:
        whole = text.translate(LONE_SURROGATES)
        clean = pattern.sub(mark, whole)
        return text if clean == whole else clean


def spans(pattern: Pattern, text: str) -> list[tuple[int, int]]:
    """Return where the matches stand."""
    try:
        return [found.span() for found in pattern.finditer(text)]
    except UnicodeEncodeError:
        return [found.span() for found in pattern.finditer(text.translate(LONE_SURROGATES))]
