"""Events to 1, 10 and 100 watchers, stored durably, against servers that store nothing; and how long one event takes.

(a) sends each event to all by ``websockets.broadcast`` as a frame of its own; (b) checks, numbers and frames as the hub
does. Server, watchers and publisher are processes of their own. ``BENCH_PAIRS`` says how often all are run.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.benchmarks.spread import told
from tests.core.hub.redis_process import RedisProcess

PAIRS = int(os.environ.get("BENCH_PAIRS", "3"))
LOADS = {1: 40_000, 10: 20_000, 100: 4_000}
"""Events for so many watchers."""
FRAME_EVENTS = 50
IN_FLIGHT = int(os.environ.get("BENCH_FRAMES", "8")) * FRAME_EVENTS
ACKED = re.compile(rb'"feed.ack","id":"p:(\d+)"')
PACED = ((50, 10), (100, 100))
"""Events a second, watchers."""
PACED_S = 10
LIMIT = 10 * 1024 * 1024


@dataclass(frozen=True)
class Seen:
    """What a run showed."""

    per_s: float
    """Deliveries: events times watchers."""
    cpu_us: float
    """Processor time of the server for each delivery."""
    p50_ms: float
    p99_ms: float
    others_us: tuple[float, float]
    """Processor time of the publisher, and of all watchers together, for each event: what is not the server's."""


def event(n: int) -> str:
    """Return event ``n``, about 180 bytes, with the moment it leaves."""
    return (
        f'{{"id":"p:{n}","v":1,"type":"call.output","round":"r{n // 500}","call":"c1","at":"2026-11-30T12:00:00.000Z",'
        f'"kind":"text","text":"{time.time_ns()} a piece of an answer"}}'
    )


async def measured(kind: str, watchers: int, events: int, per_s: float | None, place: str | None = None) -> Seen:
    """Run one server with so many watchers; ``per_s``: one event at a time at this pace, None: as fast as it goes."""
    server = await _started("delivery_server", kind, *([place] if place else []))
    url = json.loads(await _line(server))["url"]
    readers = await _started("delivery_watchers", url, str(watchers), str(events))
    await _line(readers)
    protocols = [Subprotocol("roundwatch.v1")]
    async with connect(f"{url}/v1/publish", subprotocols=protocols, compression=None, proxy=None) as link:
        begin, begin_cpu_s = time.time_ns(), time.process_time()
        if per_s is None:
            await _publish(link, events)
        else:
            await _publish_paced(link, events, per_s)
        sent_cpu_s = time.process_time() - begin_cpu_s
        end = json.loads(await _line(readers))
    server.terminate()
    cpu_s = json.loads(await _line(server))["cpu_s"]
    await asyncio.gather(server.wait(), readers.wait())
    cuts = statistics.quantiles(end["delays_ms"], n=100)
    deliveries = watchers * events
    others_us = sent_cpu_s * 1e6 / events, end["cpu_s"] * 1e6 / events
    return Seen(deliveries / (end["end_ns"] - begin) * 1e9, cpu_s * 1e6 / deliveries, cuts[49], cuts[98], others_us)


async def _publish(link: ClientConnection, events: int) -> None:
    """Send frames, at most ``IN_FLIGHT`` events of them unacknowledged; an acknowledgement may stand for several."""
    settled = 0
    for first in range(1, events + 1, FRAME_EVENTS):
        while first - settled > IN_FLIGHT:
            settled = int(ACKED.findall(await link.recv(decode=False))[-1])
        await link.send("[" + ",".join(event(n) for n in range(first, first + FRAME_EVENTS)) + "]")


async def _publish_paced(link: ClientConnection, events: int, per_s: float) -> None:
    begin = time.perf_counter()
    for n in range(1, events + 1):
        await asyncio.sleep(max(0.0, begin + n / per_s - time.perf_counter()))
        await link.send(event(n))


async def _started(module: str, *words: str) -> Process:
    command = (sys.executable, "-m", f"tests.benchmarks.{module}", *words)
    return await asyncio.create_subprocess_exec(*command, stdout=PIPE, limit=LIMIT)


async def _line(process: Process) -> bytes:
    assert process.stdout is not None
    async with asyncio.timeout(300):
        return await process.stdout.readline()


async def throughput(watchers: int, events: int, redis: str | None) -> None:
    """Compare deliveries a second, and processor time for each, at one number of watchers."""
    kinds = ["hub", "single", "frames", *(["redis"] if redis else [])]
    seen: dict[str, list[Seen]] = {kind: [] for kind in kinds}
    for number in range(PAIRS):
        for kind in kinds:
            place = f"{redis}{number}" if kind == "redis" else None
            seen[kind].append(await measured(kind, watchers, events, None, place))
    for name, base in (("(a) single frames", "single"), ("(b) without a store", "frames")):
        for kind in ("hub", "redis") if redis else ("hub",):
            ours, theirs = ([each.per_s / 1000 for each in seen[which]] for which in (kind, base))
            told(f"{kind}, {watchers} watchers: thousand/s to {name}", ours, theirs, "k/s")
    ours, theirs = ([each.cpu_us for each in seen[which]] for which in ("hub", "frames"))
    told(f"hub, {watchers} watchers: server time a delivery to (b)", ours, theirs, "µs")
    for kind in kinds:
        each = [(*run.others_us, run.cpu_us * watchers) for run in seen[kind]]
        publisher, readers, server = map(statistics.median, zip(*each, strict=True))
        name = f"{kind}, {watchers} watchers: processor time an event"
        print(f"{name:<46} publisher {publisher:.1f}, server {server:.1f}, watchers {readers:.1f} µs", flush=True)


async def latency(per_s: int, watchers: int, redis: str | None) -> None:
    """Compare the time from publishing to receiving."""
    for kind in ("frames", "hub", *(["redis"] if redis else [])):
        seen = await measured(
            kind, watchers, per_s * PACED_S, per_s, redis and f"{redis}9" if kind == "redis" else None
        )
        print(
            f"{per_s} events/s x {watchers} watchers, {kind:<7} p50 {seen.p50_ms:6.2f} ms   p99 {seen.p99_ms:6.2f} ms",
            flush=True,
        )


async def measure(redis: RedisProcess | None) -> None:
    """Do all of it; ``redis`` is running."""
    base = redis.url.removesuffix("0") if redis is not None else None
    for watchers, events in LOADS.items():
        if redis is not None:
            with redis.client() as client:
                client.flushall()
        await throughput(watchers, events, base)
    for per_s, watchers in PACED:
        if redis is not None:
            with redis.client() as client:
                client.flushall()
        await latency(per_s, watchers, base)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        redis = RedisProcess(Path(folder)) if shutil.which("redis-server") else None
        if redis is not None:
            redis.start()
        try:
            asyncio.run(measure(redis))
        finally:
            if redis is not None:
                redis.kill()


if __name__ == "__main__":
    main()
