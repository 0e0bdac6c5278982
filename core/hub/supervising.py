"""The hub speaking about open rounds: feeds the pure part, and stores each word once, as a producer of its own."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from ..rounds.events import Event
from ..rounds.parse import EventError, parse_event
from .errors import StoreUnavailable
from .intake import split_id
from .redaction import Redaction
from .store import Fate, Receipt, Store, StoredEvent, Submission
from .supervision import Supervision, SupervisionLimits
from .supervision_words import Word

log = logging.getLogger(__name__)

OWNER = "the hub"  # no token's name has a space: nobody else can own the hub's producer names
TICK_S = 1.0
TAIL_EVENTS = 20_000  # read at the start, so that what was open before it is not forgotten
BATCH = 500
Told = tuple[Event, str, int]


class Supervising:
    """One hub's supervision of the rounds whose publishers are connected to it."""

    def __init__(
        self,
        store: Store,
        limits: SupervisionLimits,
        redaction: Redaction | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Speak through ``store``; nothing is said before ``run``."""
        self._store = store
        self._redaction = redaction
        self._clock, self._wall = clock, wall
        self._seen = Supervision(limits)
        self._early: list[Told] | None = []
        """What came before the tail was read."""
        self._unnamed: dict[object, float] = {}
        """Publishers that have not sent anything yet: nobody knows who they are."""
        self._unsaid: deque[Word] = deque()
        self._batch: list[Submission] = []
        self._begin_anew()

    @property
    def is_recalling(self) -> bool:
        """The tail of the store has not been read yet: nothing is said before."""
        return self._early is not None

    async def run(self) -> None:
        """Read the tail of the store, then look once a second, until cancelled."""
        await self._recall()
        while True:
            await asyncio.sleep(TICK_S)
            with suppress(StoreUnavailable):  # the same batch is handed in again
                await self.look()

    async def look(self) -> int:
        """Say what is due; return how many words were stored.

        Raises:
            StoreUnavailable: what is left is said at the next look.
        """
        self._unsaid += self._seen.due(self._clock(), self._may_be_back)
        said = 0
        while self._unsaid or self._batch:
            said += await self._say()
        return said

    def connected(self, link: object) -> None:
        """Take note of a publisher that has not said who it is."""
        self._unnamed[link] = self._clock()

    def named(self, link: object, producer: str) -> None:
        """Take note of who it is."""
        self._unnamed.pop(link, None)
        self._seen.came(producer)

    def gone(self, link: object, producers: Collection[str], *, is_clean: bool) -> None:
        """Take note that a publisher's connection ended; ``producers``: the names that no newer one has taken."""
        self._unnamed.pop(link, None)
        for producer in producers:
            self._seen.left(producer, self._clock(), is_clean=is_clean)

    def stored(self, submissions: Sequence[Submission], receipts: Sequence[Receipt]) -> None:
        """Take in what a publisher of this hub had stored."""
        now_s, wall_s = self._clock(), self._wall()
        for submission, receipt in zip(submissions, receipts, strict=True):
            if receipt.seq is None or submission.event is None:
                continue
            if self._early is None:
                self._seen.take(submission.event, submission.producer, receipt.seq, now_s, wall_s)
            elif len(self._early) < TAIL_EVENTS:
                self._early.append((submission.event, submission.producer, receipt.seq))

    def committed(self, events: Sequence[StoredEvent]) -> None:
        """Take note of what any hub stored: a round that moved to another hub is that one's to speak about."""
        if self._store.is_shared:
            for event in events:
                if event.round is not None:
                    self._seen.elsewhere(event.round, event.seq)

    def _may_be_back(self, since_s: float) -> bool:
        return any(opened >= since_s for opened in self._unnamed.values())

    def _take(self, event: Event, producer: str, seq: int) -> None:
        self._seen.take(event, producer, seq, self._clock(), self._wall())

    async def _recall(self) -> None:
        """Fold the newest events anew. Of a shared store nothing: another hub may know more of those rounds."""
        through = self._store.last
        if not self._store.is_shared:
            position = max(self._store.first - 1, through - TAIL_EVENTS)
            with suppress(StoreUnavailable):
                while position < through:
                    page = await self._store.read(position)
                    told = await asyncio.to_thread(_parsed, page.wires)
                    for event, producer, seq in told:
                        if seq <= through:
                            self._take(event, producer, seq)
                    position = max(page.through, position + 1)
            self._seen.all_left(self._clock())
        early, self._early = self._early or [], None
        for event, producer, seq in early:
            self._seen.came(producer)
            if seq > through:
                self._take(event, producer, seq)

    async def _say(self) -> int:
        if not self._batch:
            self._batch = await self._next_batch()
        receipts = await self._store.append(self._batch)
        if any(receipt.fate in (Fate.GAP, Fate.NOT_OWNER) for receipt in receipts):
            # the store was set back, or the name is taken: what was not stored is said under a new one
            settled = [receipt.fate in (Fate.STORED, Fate.DUPLICATE) for receipt in receipts]
            self._begin_anew()
            self._batch = [
                self._submission(item.thread or "", item.line.replace(f'"{item.id}"', f'"{self.producer}:{n}"', 1), n)
                for n, item in enumerate((b for b, done in zip(self._batch, settled, strict=True) if not done), 1)
            ]
            self._n = len(self._batch)
            return 0
        said, self._batch = len(self._batch), []
        log.info("said of %d threads that something is wrong with their newest round", said)
        return said

    async def _next_batch(self) -> list[Submission]:
        batch: list[Submission] = []
        while self._unsaid and len(batch) < BATCH:
            word = self._unsaid.popleft()
            self._n += 1
            line = word.line(f"{self.producer}:{self._n}", self._wall())
            batch.append(self._submission(word.thread, line, self._n))
        if self._redaction is not None:
            batch = await asyncio.to_thread(self._redaction.blotted, batch)
        return batch

    def _submission(self, thread: str, line: str, n: int) -> Submission:
        return Submission(OWNER, self.producer, n, line, thread=thread)

    def _begin_anew(self) -> None:
        self.producer, self._n = f"hub-{uuid.uuid4().hex[:12]}", 0


def _parsed(wires: Sequence[bytes]) -> list[Told]:
    """Return the events of a page that can be read, each with its producer and seq."""
    told: list[Told] = []
    for wire in wires:
        try:
            event = parse_event(wire)
        except (EventError, RecursionError):
            continue
        named = split_id(event.id or "")
        if named is not None and event.seq is not None:
            told.append((event, named[0], event.seq))
    return told
