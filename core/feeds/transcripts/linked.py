"""Transcripts that one file alone does not tell whole: their sessions copy from and start each other."""

from __future__ import annotations

from .line_transcript import LineTranscript
from .seen import Seen


class LinkedTranscript(LineTranscript):
    """A parser that is told its file's name, and shares with the parsers of its source's other files what was told."""

    def __init__(self, name: str = "", seen: Seen | None = None) -> None:
        """Begin before the first byte.

        Args:
            name: path of the file; names the session where no record does.
            seen: shared by all files of one source; without it, what another file tells too counts again.
        """
        super().__init__()
        self._name = name
        self._seen = Seen() if seen is None else seen
