"""Transcripts that are rewritten as a whole: read again at every change, told as far as they will not change."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import BinaryIO

from ...rounds import Event
from .transcript import Transcript

BLOCK_BYTES = 1024 * 1024
DOCUMENT_BYTES = 256 * 1024 * 1024
"""A longer document is given up: it is held in memory as a whole."""


class SnapshotTranscript(Transcript):
    """A parser of one state of a document.

    What a later state only adds to gives the same first events as the earlier one: nothing is told of a part before
    it is settled. So a reader of the next state skips as many events as it had before.
    """

    def __init__(self) -> None:
        """Begin before the first byte."""
        super().__init__()
        self._pieces: list[bytes] = []
        self._size = 0

    @property
    def offset(self) -> int:
        """First byte that no event depends on yet: nothing is settled before the whole was read."""
        return 0

    def feed(self, data: bytes) -> list[Event]:
        """Keep the next bytes; a document tells nothing before it is whole."""
        self._size += len(data)
        if self._size <= DOCUMENT_BYTES:
            self._pieces.append(data)
        else:
            self._pieces.clear()
        return []

    def close(self) -> list[Event]:
        """Return all that the document tells, and what its end concludes."""
        return [*self.settled(), *self.conclude()]

    def settled(self) -> list[Event]:
        """Return what no later state of the document will change."""
        if self._size > DOCUMENT_BYTES:
            self.unreadable.add(1, 0, "the document is too long", "transcript_too_long")
            return []
        document = b"".join(self._pieces)
        self._pieces.clear()
        return list(self.told(document)) if document.strip() else []

    def read(self, file: BinaryIO) -> list[Event]:
        """Return what is settled of an open file; raises OSError where it cannot be read."""
        while self._size <= DOCUMENT_BYTES and (block := file.read(BLOCK_BYTES)):
            self.feed(block)
        return self.settled()

    @abstractmethod
    def told(self, document: bytes) -> Iterable[Event]:
        """Yield the settled events of one document."""

    @abstractmethod
    def conclude(self) -> Iterable[Event]:
        """Yield what follows where no later state comes."""
