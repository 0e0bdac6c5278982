"""Streamed text, kept in pieces and joined when somebody reads it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class TextBuffer:
    """Text that arrives in pieces; appending is O(piece)."""

    chars: int = 0
    """Characters seen, those whose text was withheld included."""
    visible: bool = False
    """A non-blank character came, or characters came whose text was withheld."""
    withheld: int = 0
    """Characters that were counted but not sent."""
    _pieces: list[str] = field(default_factory=list[str], repr=False)

    def add(self, text: str | None, chars: int | None) -> bool:
        """Append a piece; return whether it holds anything that can be seen.

        Args:
            text: the piece, None or "" when only its length is told.
            chars: its length where the text is withheld or was cut short.
        """
        came = 0
        seen = False
        if text:
            self._pieces.append(text)
            came = len(text)
            seen = not text.isspace()
        if chars is not None and chars > came:
            self.withheld += chars - came
            seen = seen or not text
            came = chars
        self.chars += came
        if seen:
            self.visible = True
        return seen

    @property
    def text(self) -> str:
        """All of it; the pieces are joined once."""
        if len(self._pieces) > 1:
            self._pieces[:] = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""
