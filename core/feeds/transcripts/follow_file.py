"""Following one transcript: read on, deliver, and remember how far it went."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import astuple, dataclass, field
from pathlib import Path
from ssl import SSLContext

from .follow_branch import goes_its_own_way
from .follow_delivery import Delivery, StoreChanged
from .follow_positions import Position, Positions
from .follow_reader import TranscriptReader, open_reader
from .follow_scan import Found, Stamp
from .seen import Claims, Kept
from .unreadable import Unreadable


@dataclass(frozen=True, slots=True)
class Hubward:
    """The hub that is delivered to, and what it has."""

    url: str
    token: str | None
    positions: Positions
    tls: SSLContext | None = None
    """The authorities to trust."""
    told: Claims = field(default_factory=Kept)
    """Whose the messages are that several files hold."""

    def delivery(self, producer: str, first: int) -> Delivery:
        """Return a connection for a producer whose next line has that number."""
        return Delivery(self.url, self.token, producer, first, tls=self.tls)


@dataclass(slots=True, eq=False)
class FollowedFile:
    """One transcript; only one task works on it at a time."""

    found: Found
    hub: Hubward
    owners: dict[str, str]
    """By producer name, the key of the file that it stands for: a copy is not told again."""
    turn: asyncio.Lock
    """Held while a file is opened, and while one is read that may hold what another told first: in their order."""
    only: str | None = None
    """Leave it alone when it is of another source."""
    source: str | None = None
    """What it is; None: not known yet."""
    copy_of: str | None = None
    """The key of another file with the same beginning."""
    trouble: str | None = None
    """Why it cannot be read."""
    is_left_out: bool = False
    """It is of a source that was not asked for."""
    rejected: int = 0
    handled: Stamp | None = None
    """What it looked like when it was last read to its end."""
    is_concluded: bool = False
    rewritten: int = 0
    """How often it was found to begin otherwise than before."""
    unreadable: Unreadable = field(default_factory=Unreadable)
    _settled: int = 0
    _reader: TranscriptReader | None = None
    _delivery: Delivery | None = None

    @property
    def path(self) -> Path:
        """The file."""
        return self.found.path

    @property
    def producer(self) -> str | None:
        """The name that its events are delivered under; None: none of it was."""
        position = self.hub.positions.get(self.found.key)
        return None if position is None or self.copy_of is not None else position.producer

    @property
    def is_open(self) -> bool:
        """Whether its parser, or a connection for it, is held."""
        return self._reader is not None or self._delivery is not None

    @property
    def is_connected(self) -> bool:
        """Whether a connection for it is held."""
        return self._delivery is not None

    def is_known(self) -> bool:
        """Say whether the hub has all of it, as an earlier run noted."""
        position = self.hub.positions.get(self.found.key)
        if position is None or position.stamp != astuple(self.found.stamp):
            return False
        self.handled, self.is_concluded = self.found.stamp, position.concluded
        self.owners.setdefault(position.producer, self.found.key)
        self.source = position.producer.split(".")[1] if "." in position.producer else None
        return True

    async def catch_up(self, *, conclude: bool) -> None:
        """Read what is new and deliver it; with ``conclude`` also what the end tells, and let go of the file.

        Raises:
            OSError: it cannot be read.
            Unnamed: it is too early to say what it is.
            StoreError: the database that it is in cannot be read.
            HubError: the hub will not have us.
        """
        try:
            await self._catch_up(conclude=conclude)
        except StoreChanged:
            await self.let_go()
            self.hub.positions.forget(self.found.key)
            await self._catch_up(conclude=conclude)

    async def let_go(self) -> None:
        """Close what is open; reading on later begins at the start and skips what the hub has."""
        if self._reader is not None:
            await asyncio.to_thread(self._reader.close)
            self._reader = None
        await self.disconnect()

    async def disconnect(self) -> None:
        """Close the connection; the parser stays where it is."""
        if self._delivery is not None:
            await self._delivery.close()
            self._delivery = None

    async def _catch_up(self, *, conclude: bool) -> None:
        stamp = self.found.stamp
        async with self.turn:
            if self._reader is not None and self._is_other(self._reader, stamp):
                await self._finish_old(self._reader)
            reader = self._reader or await self._open(is_whole=conclude)
            if reader is None:
                return
            delivery = self._connected(reader)
            if reader.is_linked:
                await self._read_on(reader, delivery)
        if not reader.is_linked:
            await self._read_on(reader, delivery)
        await delivery.drain()
        self.rejected, self.handled = delivery.rejected, stamp
        await self._end_sub_agents(reader)
        self._note(reader, delivery, stamp, concluded=False)
        if conclude:
            await self._conclude(reader, delivery, stamp)

    async def _read_on(self, reader: TranscriptReader, delivery: Delivery) -> None:
        if reader.is_snapshot:
            await delivery.put(await asyncio.to_thread(reader.snapshot, self.found))
        else:
            while (lines := await asyncio.to_thread(reader.next)) is not None:
                await delivery.put(lines)
        self.unreadable = reader.unreadable

    async def _end_sub_agents(self, reader: TranscriptReader, *, all_: bool = False) -> None:
        for name, lines in reader.sub_agents_over(all_=all_):
            await self._deliver_apart(name, lines)

    async def _deliver_apart(self, name: str, lines: list[bytes]) -> None:
        """Deliver a few lines under a name and with numbers of their own."""
        apart = self.hub.delivery(name, 1)
        try:
            await apart.put(lines)
            await apart.drain()
        finally:
            await apart.close()

    def _is_other(self, reader: TranscriptReader, stamp: Stamp) -> bool:
        """Say whether the path holds another file than the one that is open, or less of it."""
        if reader.is_snapshot:
            return False
        return reader.inode != (stamp.device, stamp.inode) or stamp.size < reader.read_bytes

    async def _finish_old(self, reader: TranscriptReader) -> None:
        """Deliver what the file that was moved away still got, then let go of it."""
        if reader.inode != (self.found.stamp.device, self.found.stamp.inode):
            delivery = self._connected(reader)
            while (lines := await asyncio.to_thread(reader.next)) is not None:
                await delivery.put(lines)
            await delivery.drain()
            self._note(reader, delivery, None, concluded=False)
        await self.let_go()

    async def _open(self, *, is_whole: bool) -> TranscriptReader | None:
        known = self.hub.positions.get(self.found.key)
        told = self.hub.told
        reader = await asyncio.to_thread(open_reader, self.found, known, told, is_whole=is_whole)
        self.source = reader.source
        if self.only not in (None, reader.source):
            reader.close()
            self.handled, self.is_left_out = self.found.stamp, True
            return None
        owner = self.owners.setdefault(reader.producer, self.found.key)
        if owner != self.found.key and await asyncio.to_thread(goes_its_own_way, self.path, Path(owner)):
            reader.close()
            reader = await asyncio.to_thread(open_reader, self.found, known, told, is_whole=is_whole, is_branch=True)
            owner = self.owners.setdefault(reader.producer, self.found.key)
        if owner != self.found.key:
            reader.close()
            self.copy_of, self.handled = owner, self.found.stamp
            return None
        self.copy_of = None
        is_same = known is not None and known.producer == reader.producer
        self._settled = known.events if known is not None and is_same else 0
        self.rewritten += "~" in reader.producer and not is_same
        self._reader = reader
        return reader

    def _connected(self, reader: TranscriptReader) -> Delivery:
        if self._delivery is None:
            self._delivery = self.hub.delivery(reader.producer, self._settled + 1)
        return self._delivery

    async def _conclude(self, reader: TranscriptReader, delivery: Delivery, stamp: Stamp) -> None:
        """Deliver the conclusions under a name of their own: a file that goes on later goes on with its numbers."""
        lines = await asyncio.to_thread(reader.conclude)
        self.unreadable = reader.unreadable
        if lines:
            await self._deliver_apart(f"{reader.producer}.end{reader.read_bytes or reader.numbered}", lines)
        await self._end_sub_agents(reader, all_=True)
        self.is_concluded = True
        self._note(reader, delivery, stamp, concluded=True)
        await self.let_go()

    def _note(self, reader: TranscriptReader, delivery: Delivery, stamp: Stamp | None, *, concluded: bool) -> None:
        self._settled = delivery.settled
        looks = None if stamp is None else (stamp.device, stamp.inode, stamp.size, stamp.mtime_ns)
        position = Position(
            reader.producer,
            delivery.settled,
            looks,
            concluded=concluded,
            read=reader.read_bytes,
            digest=reader.digest,
        )
        self.hub.positions.put(self.found.key, position)

    async def abandon(self) -> None:
        """Let go whatever happens: another failure must not hide the first."""
        with contextlib.suppress(OSError):
            await self.let_go()
