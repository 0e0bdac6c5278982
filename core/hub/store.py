"""What the hub asks of a store. SQLite is one, an engine that several machines share can be another.

Every store passes the same tests (``tests/core/hub/test_store.py``); what they hold a store to is said here.

*Numbers.* A store gives each event ``seq``, rising by 1 within ``stream``. Event, producer number and ``seq`` are
written together or not at all. A number is never given twice: a store that cannot be sure (its history was lost, set
back, or another writer took over where only one may be) either fails or takes a new ``stream``.

*Several processes.* A store that several hubs have open at once gives every one of them all events in the same order,
also those that another hub appended. One that only one process may use refuses the second (``StoreError``).

*Trimming.* Old events go by ``Retention`` in small steps beside the traffic. ``first`` rises; a ``read`` that begins
before it says so by ``Page.first``. Producer numbers and owners stay for ever.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from ..rounds.events import Event
from .store_health import WELL, Health, Promise


@dataclass(slots=True)  # a frozen one takes six times as long to make, and there is one of these for every event
class Submission:
    """One event on its way into the store, or the number of one that was found bad (``fault``). Nobody changes it.

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
    event: Event | None = field(default=None, compare=False, repr=False)
    """What the line was read as, for whoever looks at it too; a store does not."""

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


@dataclass(slots=True)  # not frozen for the same reason
class Receipt:
    """The store's answer to one submission, given after the commit. Nobody changes it."""

    fate: Fate
    settled: int
    """The producer's highest settled number now (0 for a name that is not ours)."""
    seq: int | None = None
    """The number of the event in the stream; only of one that was stored now."""


@dataclass(frozen=True, slots=True)
class Producer:
    """What is known of a producer name."""

    owner: str
    """Identity that first used it."""
    settled: int
    """Highest settled number."""


@dataclass(slots=True)  # not frozen for the same reason
class StoredEvent:
    """One event as it is kept; ``line`` is the producer's text in UTF-8. Nobody changes it."""

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
    """A piece of the kept stream, oldest first; it ends with the event that brings it to ``SEND_BYTES``: one frame."""

    wires: Sequence[bytes]
    """Events as they go out: the producer's own text with ``seq`` put first. Made from stored text, never parsed."""
    first: int
    """Oldest seq that was kept at the time of reading (``last + 1``: none). Above ``after + 1``: events between were
    trimmed, whether before the call or since."""
    through: int
    """Every event up to here that matches is in this page or an earlier one. ``after`` itself: nothing follows now."""


def _ignore(*_: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class StoreListener:
    """What a store tells; each is called on the event loop, returns at once and raises nothing."""

    committed: Callable[[Sequence[StoredEvent]], None] = _ignore
    """Events were committed, by whichever process: in order of seq, each once, before their receipts are given.

    A jump in seq between two calls says that those between were trimmed before this process could read them.
    """
    health: Callable[[Health], None] = _ignore
    """``Store.health`` changed."""
    restarted: Callable[[], None] = _ignore
    """The numbering is another one now (``stream``), or was set back: whoever follows it has to begin anew."""


class Store(ABC):
    """Numbered, durable events. All methods are called on one event loop and none blocks it.

    ``open`` comes first and once; a closed store stays closed.
    """

    stream: str = ""
    """Names this numbering; another history has another one."""
    last: int = 0
    """Newest seq whose commit the listener has been told of."""
    first: int = 1
    """Oldest seq that is kept; ``last + 1`` when none is."""
    health: Health = WELL
    """Whether it works; the listener hears of every change."""
    promise: Promise = Promise.POWER_CUT
    """What an acknowledgement is worth; known once it is open."""
    is_shared: ClassVar[bool] = False
    """Several hubs may have it open at once."""

    @property
    @abstractmethod
    def place(self) -> str:
        """Where it is, for people: a path, an address without credentials."""

    @abstractmethod
    async def open(self, listener: StoreListener) -> None:
        """Open or make the store, and start trimming and checking beside the traffic.

        Returns as soon as events can be taken: nothing that takes longer with a longer history is awaited, except a
        migration to a newer schema.

        Raises:
            StoreError: it cannot be used: not ours, of a newer version, in use where one hub alone may use it, damaged
                so that it does not open, or not durable where that was not allowed. It was not changed.
        """

    @abstractmethod
    async def append(self, batch: Sequence[Submission]) -> list[Receipt]:
        """Commit the batch and return one receipt for each of it, given after the commit. Order is kept, also
        between calls. Batches of several callers may share one commit.

        Cancelling the call does not undo the commit.

        Raises:
            StoreUnavailable: nothing of it is acknowledged. Whether it was kept may be unknown (a connection broke);
                handing in the same again is harmless. ``health`` says what is wrong, and is well again by itself once
                writing works.
        """

    @abstractmethod
    async def read(self, after: int, selection: Selection = EVERYTHING) -> Page:
        """Return what follows ``after``, at most one page of it; may be ahead of what the listener was told.

        Raises:
            StoreUnavailable: it cannot be read just now.
        """

    @abstractmethod
    async def producer(self, name: str) -> Producer | None:
        """Return owner and highest settled number of a producer name, or None when nothing of it was settled.

        Raises:
            StoreUnavailable: it cannot be read just now.
        """

    @abstractmethod
    async def trim(self) -> int:
        """Take one small step towards what is to be kept; return how many events went, 0 when nothing has to go.

        The store does this by itself while it is open. ``first`` has risen when it returns.

        Raises:
            StoreUnavailable: it cannot be written just now.
        """

    @abstractmethod
    async def close(self) -> None:
        """Commit what was handed in, and release the store. Later calls do nothing, or raise StoreUnavailable."""
