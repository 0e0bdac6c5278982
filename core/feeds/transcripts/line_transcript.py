"""Transcripts of one JSON object a line, as most agents write them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, cast

from ...rounds import Event
from .lines import Line, LineSplitter
from .surrogates import from_any_json
from .transcript import Transcript

Record = dict[str, Any]
"""One line's object; nothing is known of its values: each is looked at before it is used."""


class LineTranscript(Transcript):
    """A parser that is handed record after record. A line that is no object is counted and the next one read."""

    def __init__(self) -> None:
        """Begin before the first byte."""
        super().__init__()
        self._lines = LineSplitter()

    @property
    def offset(self) -> int:
        """First byte that no event depends on yet: the beginning of an unfinished last line."""
        return self._lines.offset

    @abstractmethod
    def take(self, record: Record, line: Line) -> Iterable[Event]:
        """Yield what one record tells."""

    def conclude(self) -> Iterable[Event]:
        """Yield what the end of the whole file tells; nothing unless a source knows of ends."""
        return ()

    def skips(self, data: bytes) -> bool:
        """Return whether a line, which can be read, holds nothing for us; told by its bytes."""
        return False

    def feed(self, data: bytes) -> list[Event]:
        """Return the events of the lines that the next bytes finish."""
        return [event for line in self._lines.feed(data) for event in self._read(line)]

    def close(self) -> list[Event]:
        """Return the events of a last line without an end, and what the end of the file concludes.

        A last line that was cut in the middle of writing is counted as unreadable: nothing will finish it.
        """
        last = self._lines.close()
        events = [] if last is None else list(self._read(last))
        return [*events, *self.conclude()]

    def _read(self, line: Line) -> Iterable[Event]:
        if line.too_long:
            self.unreadable.add(line.number, line.offset, "the line is too long", "transcript_line_too_long")
            return ()
        try:
            record = from_any_json(line.data)
        except ValueError as error:
            self.unreadable.add(line.number, line.offset, "no JSON", "transcript_no_json", str(error))
            return ()
        if not isinstance(record, dict):
            self.unreadable.add(line.number, line.offset, "no JSON object", "transcript_no_object")
            return ()
        if self.skips(line.data):
            return ()  # only now: a damaged line is counted, whatever it would have held
        return self.take(cast(Record, record), line)
