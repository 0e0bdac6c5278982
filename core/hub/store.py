"""What the hub asks of a store; SQLite is one, an engine for several machines can be another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Submission:
    """One event on its way into the store, or the number of one that was found bad (``fault``).

    A bad event settles its number too, or its producer could never get past it.
    """

    owner: str
    """Name of the identity that sends it; owns the producer name from the first use on."""
    producer: str
    n: int
    """The producer's number of this event, from 1 on."""
    line: str = ""
    """The producer's own text, on one line, without ``seq``."""
    round: str | None = None
    thread: str | None = None
    parent: str | None = None
    """Round whose thread this round belongs to when it names none itself."""
    fault: str | None = None

    @property
    def id(self) -> str:
        """The event's id on the wire."""
        return f"{self.producer}:{self.n}"


class Fate(StrEnum):
    """What became of a submission."""

    STORED = "stored"
    REJECTED = "rejected"
    """It was bad; its number is settled."""
    DUPLICATE = "duplicate"
    """Its number was settled before; nothing was stored now."""
    GAP = "gap"
    """A number before it is missing; nothing happened."""
    NOT_OWNER = "not_owner"
    """The producer name belongs to another identity; nothing happened."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The store's answer to one submission, given after the commit."""

    fate: Fate
    settled: int
    """The producer's highest settled number now (0 for a name that is not ours)."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event as it is kept; ``line`` is the producer's text in UTF-8."""

    seq: int
    round: str | None
    thread: str | None
    """The event's own thread, or that of its round."""
    line: bytes


@dataclass(frozen=True, slots=True)
class Selection:
    """Which events a watcher wants: of any of these rounds and of any of these threads; empty means all."""

    rounds: frozenset[str] = field(default_factory=frozenset[str])
    threads: frozenset[str] = field(default_factory=frozenset[str])

    def matches(self, event: StoredEvent) -> bool:
        """Return whether a watcher with this selection gets ``event``."""
        return (not self.rounds or event.round in self.rounds) and (not self.threads or event.thread in self.threads)


EVERYTHING = Selection()


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of the kept stream, oldest first."""

    events: Sequence[StoredEvent]
    first: int
    """Oldest seq that was kept at the time of reading (last + 1: none)."""
    through: int
    """Every event up to here that matches is in this page or an earlier one."""


CommitListener = Callable[[Sequence[StoredEvent]], None]


class Store(ABC):
    """Numbered, durable events. All methods are called on one event loop and none blocks it."""

    stream: str = ""
    """Names this numbering; another store has another one."""
    last: int = 0
    """Newest seq whose commit the listener has been told of."""
    first: int = 1
    """Oldest seq that is kept; ``last + 1`` when none is."""
    failure: str | None = None
    """Why the newest write failed; None while all is well."""

    @abstractmethod
    async def open(self, listener: CommitListener) -> None:
        """Open or make the store. ``listener`` is called on the loop after each commit, in order of seq.

        Raises:
            StoreError: it cannot be used.
        """

    @abstractmethod
    async def append(self, batch: Sequence[Submission]) -> list[Receipt]:
        """Commit the batch and return one receipt for each of it. Order is kept, also between calls.

        Raises:
            StoreUnavailable: nothing of it was kept.
        """

    @abstractmethod
    async def read(self, after: int, selection: Selection = EVERYTHING) -> Page:
        """Return what follows ``after``, at most one page of it.

        Raises:
            StoreUnavailable: it cannot be read just now.
        """

    @abstractmethod
    async def close(self) -> None:
        """Commit what was handed in, and release the store. Later calls do nothing."""
