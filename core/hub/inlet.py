"""Where events of foreign programs come in: the hub numbers and stores them as it does a publisher's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..rounds.events import Event
from ..rounds.parse import EventError
from .intake import belongs
from .lines import with_member
from .metrics import Counters
from .redaction import Redaction
from .stamping import TooLarge, outgoing_line
from .store import Fate, Receipt, Store, Submission


class Numbered(NamedTuple):
    """One event with its number; the same event always bears the same one, so that a repetition is known by it."""

    owner: str
    """Name of the identity that sent what it was made of."""
    producer: str
    n: int
    """From 1 on, without holes."""
    event: Event


class Inlet:
    """Hands events to the store."""

    beside: Path | None = None
    """What the hub keeps bears this name; files of a handler may stand beside it. None: nothing outlives the hub."""

    def __init__(
        self, store: Store, counters: Counters, redaction: Redaction | None = None, beside: Path | None = None
    ) -> None:
        """Store in ``store`` what ``redaction`` leaves."""
        self._store, self._counters, self._redaction = store, counters, redaction
        self.beside = beside

    async def take(self, events: Sequence[Numbered]) -> list[Receipt]:
        """Commit the events in this order and return what became of each; nothing is done about gaps.

        Raises:
            StoreUnavailable: nothing of it is acknowledged; handing in the same again is harmless.
        """
        submissions = [_submission(each) for each in events]
        if self._redaction is not None:
            clean = await asyncio.to_thread(self._redaction.blotted, submissions)
            for before, after in zip(submissions, clean, strict=True):
                self._counters.redacted += after.line != before.line
            submissions = clean
        receipts = await self._store.append(submissions)
        for receipt in receipts:
            self._counters.duplicates += receipt.fate is Fate.DUPLICATE
            self._counters.gaps += receipt.fate is Fate.GAP
            self._counters.rejected += receipt.fate in (Fate.REJECTED, Fate.NOT_OWNER)
        return receipts

    async def blotted(self, lines: Sequence[str]) -> list[str]:
        """Return lines of JSON without what is never stored, for a handler that keeps a file of its own."""
        if self._redaction is None:
            return list(lines)
        redaction = self._redaction
        return await asyncio.to_thread(lambda: [redaction.line(line) for line in lines])

    async def settled(self, producer: str) -> int:
        """Return a producer's highest settled number; 0 when nothing of it is known.

        Raises:
            StoreUnavailable: it cannot be read just now.
        """
        known = await self._store.producer(producer)
        return known.settled if known is not None else 0


def _submission(each: Numbered) -> Submission:
    owner, producer, n, event = each
    try:
        line = with_member(outgoing_line(event, None), "id", f"{producer}:{n}")
    except (EventError, TooLarge) as error:
        return Submission(owner, producer, n, fault=str(error))
    return Submission(owner, producer, n, line, *belongs(event))
