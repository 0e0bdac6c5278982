"""What every parser of a transcript is: a fold from the file's bytes to round events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from ...rounds import Event
from .unreadable import Unreadable


class Transcript(ABC):
    """One transcript on its way in.

    The events depend on the bytes alone, not on the pieces they come in nor on any clock: the same file gives
    the same events in the same order, so that a follower that starts again can number them as before. Nothing
    raises, whatever the bytes are. Moments are the file's own; what it does not record is left out of the event.
    """

    source: ClassVar[str]
    """Name of the format, as ``round.started`` carries it."""

    def __init__(self) -> None:
        """Begin before the first byte."""
        self.unreadable = Unreadable()

    @abstractmethod
    def feed(self, data: bytes) -> list[Event]:
        """Return the events that the next bytes complete."""

    @abstractmethod
    def close(self) -> list[Event]:
        """Return what the file's end concludes; only where the file is known to be whole."""
