"""A field to type in that takes no control characters, whatever is pasted into it."""

from __future__ import annotations

from textual.widgets import Input

from ..core.texts import clean

MOST_CHARS = 500


class CleanInput(Input):
    """One line of text; what comes in by keys or paste is made visible like any text from outside."""

    DEFAULT_CSS = """
    CleanInput, CleanInput:focus { height: 1; border: none; padding: 0; background: transparent; }
    """

    def replace(self, text: str, start: int, end: int) -> None:
        """Put ``text`` between two places, its controls made visible."""
        super().replace(clean(text, limit=MOST_CHARS), start, end)
