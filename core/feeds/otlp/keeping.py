"""Nothing that was confirmed is lost with the process: what still waits is written down before the answer is sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...hub.errors import StoreUnavailable
from ...hub.inlet import Inlet
from .journal import Journal
from .records import Record, line_of, record_of

log = logging.getLogger(__name__)

SUFFIX = ".spans"
"""Of the journal; before it stands the name of the hub's store."""
SMALL_BYTES = 1024 * 1024
GROWTH = 4
"""A journal that is so many times larger than what is alive of it is written anew."""


class Keeping:
    """Sessions and spans in a journal beside the hub's store; nowhere where the hub keeps nothing itself."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._journal: Journal | None = None
        self._inlet: Inlet | None = None
        self._unwritten: list[Record] = []
        self._lock = asyncio.Lock()
        self._compact_bytes = SMALL_BYTES
        self._is_written = False
        """Since it was last made anew."""

    @property
    def unwritten(self) -> int:
        """How many records the disk did not take."""
        return len(self._unwritten)

    async def open(self, inlet: Inlet) -> list[Record]:
        """Begin, and return what the hub before this one left; one that cannot be used is said and done without."""
        self._inlet = inlet
        if inlet.beside is None:
            return []
        path = inlet.beside.with_name(inlet.beside.name + SUFFIX)
        try:
            self._journal, records = await asyncio.to_thread(_opened, path)
        except OSError as error:
            log.error("%s: %s; spans that wait for their parents are lost if the hub is killed", path, error)
            return []
        self._is_written = bool(records)
        if records:
            log.info("%d spans and sessions that the hub before this one knew are known again", len(records))
        return records

    def note(self, records: Iterable[Record]) -> None:
        """Take what is to be written before the next answer."""
        if self._journal is not None:
            self._unwritten += records

    async def write(self) -> None:
        """Write down what was noted.

        Raises:
            StoreUnavailable: the disk does not take it; it is still noted.
        """
        async with self._lock:
            if self._journal is None or not self._unwritten:
                return
            records = list(self._unwritten)
            try:
                await asyncio.to_thread(self._journal.append, await self._lines(records))
            except OSError as error:
                raise StoreUnavailable(f"the journal of spans cannot be written: {error.strerror}") from None
            del self._unwritten[: len(records)]
            self._is_written = True

    def has_grown(self) -> bool:
        """Return whether most of the journal is about what is over."""
        return self._journal is not None and self._journal.size > self._compact_bytes

    async def rest(self, alive: Iterable[Record]) -> None:
        """Leave nothing in the journal that is over, once something was written."""
        if self._is_written:
            await self.compact(alive)

    async def compact(self, alive: Iterable[Record]) -> None:
        """Write the journal anew with what is still alive, told after the lock is held."""
        async with self._lock:
            if self._journal is None:
                return
            try:
                self._is_written = False
                lines = await self._lines(list(alive))
                await asyncio.to_thread(self._journal.replace, lines)
            except OSError as error:  # the old one is still good
                log.warning("the journal of spans cannot be made smaller: %s", error)
            self._compact_bytes = max(SMALL_BYTES, GROWTH * self._journal.size)

    async def close(self, *, is_all_told: bool) -> None:
        """End; nothing is kept of what is in the store."""
        if is_all_told:
            await self.compact([])
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    async def _lines(self, records: Sequence[Record]) -> list[bytes]:
        assert self._inlet is not None
        lines = await asyncio.to_thread(lambda: [line_of(record) for record in records])
        return [line.encode() for line in await self._inlet.blotted(lines)]


def _opened(path: Path) -> tuple[Journal, list[Record]]:
    journal = Journal(path)
    return journal, [record for line in journal.lines() if (record := record_of(line)) is not None]
