"""Typing words to search for in the round: the cursor goes to the first entry that holds them."""

from __future__ import annotations

from collections.abc import Callable

from ..core.rounds import Round
from ..core.texts import Texts
from .round_search import entries_with, excerpt
from .safe_text import BLANK, Line, Span, Tone

EXCERPT_CHARS = 160


class SearchEntry:
    """What is typed is searched at once; arrow keys go from one place to the next."""

    prompt = "tui.search.prompt"
    offers = frozenset(("accept", "drop", "other"))
    placeholder = "tui.search.placeholder"

    def __init__(self, round_: Round, texts: Callable[[], Texts], show: Callable[[int], None], words: str) -> None:
        """Search ``round_``.

        Args:
            show: puts the cursor on an entry, by its number.
            words: what was searched for last.
        """
        self._round = round_
        self._texts = texts
        self._show = show
        self._found: list[int] = []
        self._place = 0
        self.words = words

    def begin(self) -> str:
        """Return the last words."""
        self._search(self.words)
        return self.words

    def edited(self, text: str) -> None:
        """Search for ``text``."""
        self._search(text)

    def _search(self, text: str) -> None:
        self.words = text
        self._found, self._place = entries_with(self._round, text), 0
        if self._found:
            self._show(self._found[0])

    def go(self, steps: int) -> None:
        """Go to another place, round and round."""
        if self._found:
            self._place = (self._place + steps) % len(self._found)
            self._show(self._found[self._place])

    def hint(self, text: str, cursor: int, offset: int) -> Line:
        """Return which of how many places it is, and what stands there."""
        texts = self._texts()
        if not text.strip():
            return BLANK
        if not self._found:
            return (Span(" " * max(0, offset)), Span(texts("tui.search.nothing"), Tone.WARN))
        entry = self._round.entries[self._found[self._place]]
        told = texts("tui.search.place", place=self._place + 1, n=len(self._found))
        said = excerpt(entry, text, EXCERPT_CHARS)
        return (Span(" " * max(0, offset)), Span(f"{told}   ", Tone.INFO), Span(said, Tone.DIM))

    def complete(self, text: str, cursor: int) -> tuple[str, int] | None:
        """Go to the next place; there is nothing to complete."""
        self.go(1)
        return None

    def other(self, text: str, steps: int) -> str | None:
        """Go to the next place, or to the one before."""
        self.go(steps)
        return None

    def remember(self, text: str) -> None:
        """Keep nothing: the words are still there the next time."""

    def accept(self, text: str) -> bool:
        """Stay at the place; words that are nowhere leave the field open."""
        return bool(self._found) or not text.strip()

    def drop(self) -> None:
        """Stay where the search led to."""
