"""RE2 patterns; needs the extra ``redaction``."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

re2: Any = import_module("re2")  # it comes without types

LONE_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)
"""RE2 reads UTF-8, which cannot hold them; JSON can escape them."""


class Pattern(Protocol):
    """What is used of the library's own type."""

    def sub(self, repl: str, text: str, /) -> str:
        """Return ``text`` with every match replaced."""
        ...

    def search(self, text: str, /) -> object | None:
        """Return the first match."""
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
