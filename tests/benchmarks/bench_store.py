"""The SQLite store: cost of a commit, time to an acknowledgement, replay of a long history; each against a baseline."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from typing import Any

from roundwatch.core.hub import Access, Hub, SqliteStore, StoreListener, Synchronous
from roundwatch.core.hub.lines import with_seq
from roundwatch.core.hub.store import Submission
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from tests.benchmarks.timing import compare

COMMITTED, BATCH = 20_000, 500
HISTORY = 1_000_000
ACKS, ACK_BATCH = 400, 10
FRAME_EVENTS = 1300  # about 256 KiB, as the hub sends
PUBLISHED = Subprotocol("roundwatch.v1")
TEXT = "a piece of an answer, a few words long "


def line(n: int) -> str:
    """Return event ``n`` as a producer writes it, about 180 bytes; 500 events make a round."""
    return (
        f'{{"v":1,"type":"call.output","round":"r{n // 500}","call":"c1","at":"2026-11-30T12:00:00.000Z","id":"p:{n}",'
        f'"kind":"text","text":"{TEXT}"}}'
    )


def committing(synchronous: Synchronous) -> Callable[[], int]:
    """Return an arm that appends batches: numbers, owners, rounds, two indexes."""
    batches = [
        [Submission("me", "p", n, line(n), f"r{n // 500}") for n in range(first, first + BATCH)]
        for first in range(1, COMMITTED, BATCH)
    ]

    async def work() -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = SqliteStore(Path(folder) / "s.db", synchronous=synchronous)
            await store.open(StoreListener())
            for batch in batches:
                await store.append(batch)
            await store.close()

    return lambda: ran(work(), COMMITTED)


def bare_inserts(synchronous: Synchronous) -> Callable[[], int]:
    """Return the baseline: the same lines in the same transactions into a table of numbered lines, nothing else."""
    batches = [[(n, line(n)) for n in range(first, first + BATCH)] for first in range(1, COMMITTED, BATCH)]

    def work() -> int:
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.closing(sqlite3.connect(Path(folder) / "b.db", isolation_level=None)) as bare,
        ):
            bare.execute("PRAGMA journal_mode = WAL")
            bare.execute(f"PRAGMA synchronous = {synchronous}")
            bare.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, line TEXT)")
            for batch in batches:
                bare.execute("BEGIN")
                bare.executemany("INSERT INTO events VALUES (?, ?)", batch)
                bare.execute("COMMIT")
        return COMMITTED

    return work


def history(path: Path) -> None:
    """Fill a store with ``HISTORY`` events by SQL alone: what is measured is reading."""
    asyncio.run(_made(path))
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as store:
        store.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO events"
            " SELECT i, 'r' || (i / 500), NULL, replace(replace(?, 'p:0', 'p:' || i), 'r0', 'r' || (i / 500)) FROM n",
            (HISTORY, line(0)),
        )
        store.execute("INSERT INTO producers VALUES ('p', 'me', ?)", (HISTORY,))


async def _made(path: Path) -> None:
    store = SqliteStore(path)
    await store.open(StoreListener())
    await store.close()


async def replayed(path: Path) -> None:
    """Read the whole history from a hub over its socket."""
    hub = Hub(path, port=0, access=Access.anyone())
    async with hub, connected_to(hub, "/v1/rounds?after=begin") as link:
        while b'"feed.live"' not in (await link.recv(decode=False))[-400:]:
            pass


async def sent_from_memory(frames: list[bytes]) -> None:
    """The baseline of a replay: frames of the same size that stand ready in memory, over the same sockets."""

    async def send_all(link: ServerConnection) -> None:
        for frame in frames:
            await link.send(frame, text=True)
        await link.wait_closed()

    async with serve(send_all, "127.0.0.1", 0, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        async with connected(f"ws://127.0.0.1:{port}") as link:
            for _ in frames:
                await link.recv(decode=False)


@contextlib.asynccontextmanager
async def connected(url: str) -> AsyncGenerator[ClientConnection]:
    """Connect as the hub's own clients do."""
    protocols = [PUBLISHED] if "/v1/" in url else None
    async with connect(url, subprotocols=protocols, compression=None, max_size=None, proxy=None) as link:
        yield link


@contextlib.asynccontextmanager
async def connected_to(hub: Hub, path: str) -> AsyncGenerator[ClientConnection]:
    """Connect to a hub that has just been entered: its port is known only then."""
    async with connected(hub.url + path) as link:
        yield link


async def acknowledged() -> list[float]:
    """Return the milliseconds from a frame to its acknowledgement, one frame under way at a time."""
    with tempfile.TemporaryDirectory() as folder:
        hub = Hub(Path(folder) / "s.db", port=0, access=Access.anyone())
        async with hub, connected_to(hub, "/v1/publish") as link:
            return await round_trips(link)


async def echoed() -> list[float]:
    """The baseline of an acknowledgement: an echo of the same frames, flushed to a file before it is sent."""

    async def echo(link: ServerConnection) -> None:
        with tempfile.TemporaryFile(buffering=0) as file:
            async for frame in link:
                await asyncio.to_thread(_flushed, file.fileno(), str(frame).encode())
                await link.send("{}")

    async with serve(echo, "127.0.0.1", 0, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        async with connected(f"ws://127.0.0.1:{port}") as link:
            return await round_trips(link)


def _flushed(descriptor: int, data: bytes) -> None:
    os.write(descriptor, data)
    os.fdatasync(descriptor)


async def round_trips(link: ClientConnection) -> list[float]:
    times: list[float] = []
    for first in range(1, ACKS * ACK_BATCH, ACK_BATCH):
        frame = "[" + ",".join(line(n) for n in range(first, first + ACK_BATCH)) + "]"
        begin = time.perf_counter()
        await link.send(frame)
        await link.recv()
        times.append((time.perf_counter() - begin) * 1000)
    return times


def _peak_mib(*, reset: bool = True) -> float:
    """Return the most memory this process had since the last reset; Linux alone can tell."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    found = next(row for row in Path("/proc/self/status").read_text().splitlines() if row.startswith("VmHWM"))
    return int(found.split()[1]) / 1024


def ran(work: Coroutine[Any, Any, None], units: int) -> int:
    asyncio.run(work)
    return units


def percentiles(name: str, times: list[float]) -> None:
    cuts = statistics.quantiles(times, n=100)
    print(f"{name:<44} p50 {cuts[49]:6.2f} ms   p99 {cuts[98]:6.2f} ms")


def _replay() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.db"
        history(path)
        frame = b"[" + b",".join(with_seq(line(n).encode(), n) for n in range(FRAME_EVENTS)) + b"]"
        frames = [frame] * (HISTORY // FRAME_EVENTS + 1)
        before = _peak_mib()
        ran(replayed(path), HISTORY)
        print(f"{'memory that a replay adds, peak':<44} {_peak_mib(reset=False) - before:9.1f} MiB")
        compare(
            f"replay of {HISTORY:,} / frames from memory",
            lambda: ran(replayed(path), HISTORY),
            lambda: ran(sent_from_memory(frames), HISTORY),
            "event",
        )


def main() -> None:
    for synchronous in Synchronous:
        compare(
            f"commit, synchronous {synchronous} / bare inserts",
            committing(synchronous),
            bare_inserts(synchronous),
            "event",
        )
    percentiles("echo after a flush, frame to answer", asyncio.run(echoed()))
    percentiles("hub, frame to acknowledgement", asyncio.run(acknowledged()))
    _replay()
    print(json.dumps({"events": HISTORY, "acks": ACKS, "events_in_a_frame": ACK_BATCH}))


if __name__ == "__main__":
    main()
