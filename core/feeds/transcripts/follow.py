"""The follower: finds transcripts, delivers what they hold to a hub, then what is added to them.

Files are asked for changes (a few are hot at a time, thousands rest): that works on every system and network folder
alike, loses nothing where a notifying interface overflows, and a look at a file costs microseconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .follow_file import FollowedFile, Hubward
from .follow_places import Place
from .follow_reader import Unnamed
from .follow_scan import Found, Scan, Stamp
from .opencode_store import StoreError
from .unreadable import Place as Trouble

log = logging.getLogger(__name__)

SCAN_S = 2.0  # until a new file is found
HOT_POLL_S = 0.1  # between looks at files that were written lately
HOT_S = 300.0
QUIET_S = 1800.0  # a transcript that nobody added to for so long is over, as far as anybody can tell
DISCONNECT_S = 60.0  # until a file at rest needs no connection; its parser stays until it is quiet
MOST_CONNECTED = 32  # transcripts with a connection: a hub takes some hundreds in all
MOST_OPEN = 200  # transcripts whose file and parser are held; one more is read again from its start when it changes
RETRY_S = 10.0  # between attempts at a file that cannot be read
SAVE_S = 2.0
WORKERS = 4  # transcripts that are read at a time: one thread parses, the others wait for disk and hub
NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class FollowCounts:
    """How far the follower is."""

    files: int
    """Transcripts that were found."""
    waiting: int
    """Transcripts with something to read."""
    unreadable: int
    """Lines or parts that could not be read."""
    rejected: int
    """Events that the hub did not take."""


class Follower:
    """``await Follower(places, hub=…).run()`` delivers until it is cancelled."""

    def __init__(
        self,
        places: Sequence[Place],
        *,
        hub: Hubward,
        source: str | None = None,
        since_ns: int = 0,
        told: Callable[[Path, Exception, Trouble | None], None] | None = None,
        clock_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        """Describe what is followed; nothing is opened yet.

        Args:
            places: where to look.
            hub: where to, and what it has from earlier runs.
            source: only transcripts of this one.
            since_ns: leave out files of sources' own places that were not written since; nanoseconds since 1970.
            told: called with a path, what is wrong with it and where in the file, once for each trouble.
            clock_ns: the wall clock, which files are stamped by.
        """
        self.files: dict[str, FollowedFile] = {}
        self._scan = Scan(list(places))
        self._hub = hub
        self._source = source
        self._since_ns = since_ns
        self._told = told or _logged
        self._clock_ns = clock_ns
        self._owners: dict[str, str] = {}
        self._turn = asyncio.Lock()
        self._queue: asyncio.Queue[FollowedFile] = asyncio.Queue()
        self._queued: set[str] = set()
        self._concluding: set[str] = set()
        self._busy: set[str] = set()
        self._held: dict[str, FollowedFile] = {}
        """Files that hold anything open, those that were read last at the end."""
        self._letting_go = asyncio.Lock()
        self._said: set[tuple[Path, str, int]] = set()
        self._retry_at: dict[str, int] = {}
        self._is_once = False

    @property
    def counts(self) -> FollowCounts:
        """How far it is."""
        files = self.files.values()
        return FollowCounts(
            files=sum(file.source is not None and not file.is_left_out for file in files),
            waiting=len(self._queued),
            unreadable=sum(file.unreadable.count for file in files),
            rejected=sum(file.rejected for file in files),
        )

    def producers(self) -> frozenset[str]:
        """Return the names that events of the transcripts which this run follows have at the hub."""
        files = (file for file in self.files.values() if not file.is_left_out)
        return frozenset(file.producer for file in files if file.producer is not None)

    async def run(self) -> None:
        """Follow until cancelled.

        Raises:
            HubError: the hub will not have us, for good.
        """
        async with self._workers() as workers:
            rounds = (self._scanning(), self._looking(), self._saving())
            tasks = [asyncio.create_task(each, name="follow") for each in rounds]
            try:
                done, _ = await asyncio.wait([*workers, *tasks], return_when=asyncio.FIRST_EXCEPTION)
                for task in done:
                    task.result()
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def run_once(self) -> None:
        """Deliver what is there, all of it taken as whole, and return; raises as ``run`` does."""
        self._is_once = True
        async with self._workers() as workers:
            await self._scan_all()
            joined = asyncio.create_task(self._queue.join(), name="follow once")
            try:
                await asyncio.wait([joined, *workers], return_when=asyncio.FIRST_COMPLETED)
                for worker in workers:
                    if worker.done():
                        worker.result()
            finally:
                joined.cancel()
                await asyncio.gather(joined, return_exceptions=True)

    @contextlib.asynccontextmanager
    async def _workers(self) -> AsyncGenerator[list[asyncio.Task[None]]]:
        workers = [asyncio.create_task(self._work(), name="follow worker") for _ in range(WORKERS)]
        try:
            yield workers
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            for file in self.files.values():
                await file.abandon()
            await asyncio.to_thread(self._hub.positions.save)

    async def _scanning(self) -> None:
        while True:
            await self._scan_all()
            await asyncio.sleep(SCAN_S)

    async def _scan_all(self) -> None:
        found = await asyncio.to_thread(lambda: list(self._scan.run(self._clock_ns())))
        for path, why in self._scan.troubles.items():
            self._say(path, why)
        for each in sorted(found, key=_turn_of):
            self._consider(each)
        await self._tidy()

    async def _looking(self) -> None:
        """Look at the files that were written lately more often than at the others."""
        while True:
            await asyncio.sleep(HOT_POLL_S)
            edge = self._clock_ns() - int(HOT_S * NS)
            known = [file.found for file in self.files.values() if file.found.stamp.mtime_ns > edge]
            for found in await asyncio.to_thread(looked_at_again, known):
                self._consider(found)

    async def _saving(self) -> None:
        while True:
            await asyncio.sleep(SAVE_S)
            await asyncio.to_thread(self._hub.positions.save)

    def _consider(self, found: Found) -> None:
        file = self.files.get(found.key)
        if file is None:
            if found.stamp.mtime_ns < self._since_ns and not found.place.is_given:
                return
            file = self.files[found.key] = FollowedFile(found, self._hub, self._owners, self._turn, self._source)
            file.is_known()
        file.found = found
        if self._retry_at.get(found.key, 0) > self._clock_ns():
            return
        if found.key in self._busy:
            return  # it is looked at again when that is done
        is_quiet = self._is_once or self._clock_ns() - found.stamp.mtime_ns > QUIET_S * NS
        if file.handled != found.stamp:
            file.is_concluded = False
        wants_end = is_quiet and not (file.is_concluded or file.copy_of or file.is_left_out)
        if (file.handled != found.stamp or wants_end) and found.key not in self._queued:
            self._queued.add(found.key)
            if wants_end:
                self._concluding.add(found.key)
            self._queue.put_nowait(file)

    async def _work(self) -> None:
        while True:
            file = await self._queue.get()
            key = file.found.key
            self._queued.discard(key)
            conclude = key in self._concluding
            self._concluding.discard(key)
            self._busy.add(key)
            try:
                await self._handle(file, conclude=conclude)
            finally:
                self._busy.discard(key)
                self._queue.task_done()
            await self._hold(file)

    async def _hold(self, file: FollowedFile) -> None:
        """Keep what a file holds open, as the one that was read last."""
        self._held.pop(file.found.key, None)
        if file.is_open:
            self._held[file.found.key] = file
        await self._let_go()

    async def _let_go(self) -> None:
        """Let go of what was not used for the longest; one at a time, or each would leave to another what that has."""
        async with self._letting_go:
            held = list(self._held.values())
            for each in held[: max(0, len(held) - MOST_OPEN)]:
                await self._alone(each, each.abandon)
                if not each.is_open:
                    self._held.pop(each.found.key, None)
            connected = [each for each in self._held.values() if each.is_connected]
            for each in connected[: max(0, len(connected) - MOST_CONNECTED)]:
                await self._alone(each, each.disconnect)

    async def _alone(self, file: FollowedFile, work: Callable[[], Awaitable[None]]) -> None:
        """Do something with a file, unless a worker has it or will have it soon."""
        key = file.found.key
        if key not in self._busy and key not in self._queued:
            self._busy.add(key)
            try:
                await work()
            finally:
                self._busy.discard(key)

    async def _handle(self, file: FollowedFile, *, conclude: bool) -> None:
        try:
            await file.catch_up(conclude=conclude)
        except Unnamed as error:
            file.handled = file.found.stamp  # looked at again when it changes
            file.is_concluded = conclude
            if not error.is_known and file.found.place.is_given and file.found.stamp.size:
                self._say(file.path, error)
            return
        except (OSError, StoreError) as error:
            self._retry_at[file.found.key] = self._clock_ns() + int(RETRY_S * NS)
            file.trouble = (error.strerror if isinstance(error, OSError) else None) or str(error)
            self._say(file.path, error)
            await file.abandon()
            return
        file.trouble = None
        for place in file.unreadable.places:
            self._say(file.path, place.fault, place)

    async def _tidy(self) -> None:
        """Let go of connections of files at rest, and of parsers of quiet ones."""
        now = self._clock_ns()
        for file in [file for file in self.files.values() if file.is_open]:
            rests_ns = now - file.found.stamp.mtime_ns
            if rests_ns > QUIET_S * NS:
                await self._alone(file, file.abandon)
            elif rests_ns > DISCONNECT_S * NS:
                await self._alone(file, file.disconnect)
        await self._let_go()  # what a worker had just then

    def _say(self, path: Path, why: Exception, where: Trouble | None = None) -> None:
        key = path, str(why), -1 if where is None else where.offset
        if key not in self._said:
            self._said.add(key)
            self._told(path, why, where)


def _turn_of(found: Found) -> tuple[bool, int]:
    """Return when a file is read: sub-agents before who asked them, what was copied before its copies."""
    return not found.path.name.startswith("agent-"), found.stamp.mtime_ns


def _logged(path: Path, why: Exception, where: Trouble | None) -> None:
    if where is None:
        log.warning("%s: %s", path, why)
    else:
        log.warning("%s: line %d, byte %d: %s", path, where.line, where.offset, why)


def looked_at_again(known: Sequence[Found]) -> list[Found]:
    """Return what the files look like now, without those that are gone; sessions of a store are not looked at."""
    now: list[Found] = []
    for found in known:
        if found.session is None:
            with contextlib.suppress(OSError):
                status = found.path.stat()
                now.append(
                    replace(found, stamp=Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns))
                )
    return now
