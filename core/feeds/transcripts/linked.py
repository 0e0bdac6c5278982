"""Transcripts that one file alone does not tell whole: their sessions copy from and start each other."""

from __future__ import annotations

from collections.abc import Iterator

from ...rounds import Event
from ...rounds.base import Parent
from ...rounds.events import RoundStarted
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
        self._placed: dict[str, Parent] = {}

    def placed(self, round_: str, parent: Parent) -> Iterator[Event]:
        """Yield that a sub-agent's round was started by a tool call of this file; once, whatever others told."""
        self._seen.place(round_, parent)
        if self._placed.get(round_) != parent:
            self._placed[round_] = parent
            yield RoundStarted(round=round_, parent=parent)
