"""What could not be read of a transcript: counted, with the first places, never at length."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...rounds.faults import CodedError

PLACES_KEPT = 20
WHY_CHARS = 120


@dataclass(frozen=True, slots=True)
class Place:
    """Where something could not be read."""

    line: int
    """Line or record number, from 1 on."""
    offset: int
    """Its first byte in the file, from 0 on."""
    why: str
    """What is wrong with it, in English; quotes nothing of it."""
    code: str | None = None
    """Names that in texts, see ``CodedError``."""
    said: str = ""
    """What the program that read it says."""

    @property
    def fault(self) -> CodedError:
        """What is wrong, for a front end to say in its reader's language."""
        return CodedError(self.why, code=self.code, said=self.said)


@dataclass(slots=True)
class Unreadable:
    """All that could not be read of one transcript."""

    count: int = 0
    places: list[Place] = field(default_factory=list[Place])
    """The first few; ``count`` counts the others too."""

    def add(self, line: int, offset: int, why: str, code: str | None = None, said: str = "") -> None:
        """Count one more; ``said`` is added to the sentence ``why``."""
        self.count += 1
        if len(self.places) < PLACES_KEPT:
            self.places.append(
                Place(line, offset, f"{why}: {said}"[:WHY_CHARS] if said else why, code, said[:WHY_CHARS])
            )
