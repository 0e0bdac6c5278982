"""The history in a Redis server as calls: each is one script or command, and its answer in our own types."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple

from redis.exceptions import ResponseError

from . import redis_scripts as scripts
from .errors import StoreError
from .limits import SEND_BYTES
from .redis_link import NEWS_WAIT_S, RedisLink, Restarted
from .redis_server import RedisServer
from .retention import Retention
from .store import Fate, Page, Producer, Receipt, Selection, StoredEvent, Submission
from .store_health import Promise

NEWS_EVENTS = 64  # of up to 1 MiB each in one answer
PAGE_ENTRIES = 4_000  # looked at for one page of a selection
TRIM_EVENTS = 500
FATES = {fate.encode(): fate for fate in Fate}
Bounds = tuple[str, int, int]
"""Stream, oldest and newest seq."""


class Appended(NamedTuple):
    """What a commit did."""

    receipts: list[Receipt]
    events: list[StoredEvent]
    """With numbers one after the other: nothing comes between the events of a batch."""


class RedisCalls:
    """All that is asked of a server. Every call raises ``redis.RedisError`` where the server fails."""

    def __init__(self, link: RedisLink, name: str) -> None:
        """Ask over ``link`` about the history whose keys begin with ``name``."""
        self._link = link
        self._keys = [f"{{{name}}}:{key}" for key in ("meta", "events", "owners", "settled", "threads", "rounds")]
        register = link.commands.register_script
        self._begin, self._append = register(scripts.BEGIN), register(scripts.APPEND)
        self._page, self._trim = register(scripts.PAGE), register(scripts.TRIM)

    async def begin(self, server: RedisServer, place: str, told: int) -> Bounds:
        """Make the history where there is none, and return what is kept; ``told`` is the newest seq we heard of.

        Raises:
            StoreError: a newer roundwatch made it.
        """
        sure = int(server.promise is Promise.POWER_CUT)
        args: list[str | int] = [scripts.SCHEMA, uuid.uuid4().hex, server.run, sure, told]
        try:
            stream, first, last = await self._begin(keys=self._keys, args=args)
        except ResponseError as error:
            if str(error).startswith(scripts.NEWER):
                raise StoreError(
                    f"{place} was made by a newer roundwatch: use that one, or name another store",
                    code="redis_newer",
                    place=place,
                ) from None
            raise
        return stream.decode(), int(first), int(last)

    async def append(self, stream: str, now_s: float, batch: Sequence[Submission]) -> Appended:
        """Commit a batch.

        Raises:
            Restarted: the stream is another one.
        """
        args = [stream, int(now_s * 1000), _described(batch), *(item.line.encode() for item in batch)]
        said = iter(await self._called(self._append, args))
        done = Appended([], [])
        for item, fate, settled, seq, thread in zip(batch, said, said, said, said, strict=True):
            done.receipts.append(Receipt(FATES[fate], int(settled), seq or None))
            if seq:
                done.events.append(StoredEvent(seq, item.round, thread.decode() or None, item.line.encode()))
        return done

    async def page(self, after: int, selection: Selection) -> Page:
        """Return what follows ``after``."""
        rounds, threads = sorted(selection.rounds), sorted(selection.threads)
        args = [after, SEND_BYTES, PAGE_ENTRIES, len(rounds), *rounds, *threads]
        first, through, found = await self._called(self._page, args)
        parts = iter(found)
        wires = [b'{"seq":%b,%b' % (seq, line[1:]) for seq, line in zip(parts, parts, strict=True)]
        return Page(wires, int(first), int(through))

    async def trim(self, stream: str, kept: Retention, now_s: float) -> tuple[int, int]:
        """Let at most ``TRIM_EVENTS`` go; return how many went, and the oldest seq now."""
        cutoff = kept.cutoff(now_s)
        bounds = (kept.events, None if cutoff is None else int(cutoff * 1000), kept.size)
        args = [stream, *("" if bound is None else bound for bound in bounds), TRIM_EVENTS]
        gone, first = await self._called(self._trim, args)
        return int(gone), int(first)

    async def news(self, after: int) -> list[StoredEvent]:
        """Wait for what follows ``after``, some seconds at most."""
        how = ("COUNT", NEWS_EVENTS, "BLOCK", int(NEWS_WAIT_S * 1000), "STREAMS", self._keys[1], f"{after}-0")
        found = await self._link.news.execute_command("XREAD", *how)
        return [_stored(entry, fields) for entry, fields in found[0][1]] if found else []

    async def producer(self, name: str) -> Producer | None:
        """Return what is known of a producer name."""
        owner = await self._link.commands.execute_command("HGET", self._keys[2], name)
        settled = await self._link.commands.execute_command("HGET", self._keys[3], name)
        return None if owner is None or settled is None else Producer(owner.decode(), int(settled))

    async def probe(self) -> None:
        """Write something, to see whether that works."""
        await self._link.commands.execute_command("HSET", self._keys[0], "probe", "")

    async def _called(self, script: Any, args: list[Any]) -> Any:
        try:
            return await script(keys=self._keys, args=args)
        except ResponseError as error:
            if str(error).startswith(scripts.RESTARTED):
                raise Restarted("the history is another one") from None
            raise


def _described(batch: Sequence[Submission]) -> str:
    """Return all of a batch but its lines, as ``APPEND`` reads it; Lua counts places from 1."""
    places: dict[str, int] = {"": 1}
    rows: list[int | str] = []
    for item in batch:
        owner, producer, round_, thread, parent = (
            places.setdefault(name or "", len(places) + 1)
            for name in (item.owner, item.producer, item.round, item.thread, item.parent)
        )
        rows += (owner, producer, str(item.n), str(item.n - 1), int(item.fault is not None), round_, thread, parent)
    return json.dumps([list(places), rows], separators=(",", ":"))


def _stored(entry: bytes, fields: dict[bytes, bytes]) -> StoredEvent:
    round_, thread = fields[b"r"].decode(), fields[b"t"].decode()
    return StoredEvent(int(entry.partition(b"-")[0]), round_ or None, thread or None, fields[b"l"])
