"""The Redis store: cost of a commit, time to an acknowledgement, replay; a real redis-server, each flushing mode."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from roundwatch.core.hub import Access, Hub, RedisStore, StoreListener
from roundwatch.core.hub.store import Submission

from tests.benchmarks.bench_store import BATCH, COMMITTED, connected_to, line, percentiles, ran, round_trips
from tests.benchmarks.timing import compare
from tests.core.hub.redis_process import RedisProcess

HISTORY = 200_000
PAIRS = 3


def committing(redis: RedisProcess) -> Callable[[], int]:
    """Return an arm that appends batches: numbers, owners and rounds, one script each, heard before the answer."""
    batches = [
        [Submission("me", "p", n, line(n), f"r{n // 500}") for n in range(first, first + BATCH)]
        for first in range(1, COMMITTED, BATCH)
    ]

    async def work() -> None:
        store = RedisStore(redis.url)
        await store.open(StoreListener())
        for batch in batches:
            await store.append(batch)
        await store.close()

    def arm() -> int:
        with redis.client() as client:
            client.flushall()
        return ran(work(), COMMITTED)

    return arm


def bare_entries(redis: RedisProcess) -> Callable[[], int]:
    """Return the baseline: the same lines into a stream, in pipelines of the same size, nothing else."""

    def arm() -> int:
        with redis.client() as client:
            client.flushall()
            for first in range(1, COMMITTED, BATCH):
                pipeline = client.pipeline(transaction=True)
                for n in range(first, first + BATCH):
                    pipeline.xadd("bare", {"l": line(n)})
                pipeline.execute()
        return COMMITTED

    return arm


async def acknowledged(redis: RedisProcess) -> list[float]:
    """Return the milliseconds from a frame of ten events to its acknowledgement."""
    hub = Hub(RedisStore(redis.url), port=0, access=Access.anyone())
    async with hub, connected_to(hub, "/v1/publish") as link:
        return await round_trips(link)


async def filled(redis: RedisProcess) -> None:
    """Make a history."""
    store = RedisStore(redis.url)
    await store.open(StoreListener())
    for first in range(1, HISTORY, BATCH):
        await store.append([Submission("me", "p", n, line(n), f"r{n // 500}") for n in range(first, first + BATCH)])
    await store.close()


async def replayed(redis: RedisProcess) -> None:
    """Read the whole history from a hub over its socket."""
    hub = Hub(RedisStore(redis.url), port=0, access=Access.anyone())
    async with hub, connected_to(hub, "/v1/rounds?after=begin") as link:
        while b'"feed.live"' not in (await link.recv(decode=False))[-400:]:
            pass


def measure(redis: RedisProcess, appendfsync: str) -> None:
    """Print one mode's figures."""
    arms = committing(redis), bare_entries(redis)
    compare(f"redis commit, appendfsync {appendfsync} / XADD", *arms, "event", pairs=PAIRS)
    with redis.client() as client:
        client.flushall()
    percentiles(f"redis {appendfsync}, frame to acknowledgement", asyncio.run(acknowledged(redis)))


def main() -> None:
    if shutil.which("redis-server") is None:
        print("redis-server is not installed: nothing is measured")
        return
    for appendfsync in ("always", "everysec"):
        with tempfile.TemporaryDirectory() as folder:
            redis = RedisProcess(Path(folder), appendfsync=appendfsync)
            redis.start()
            try:
                measure(redis, appendfsync)
                if appendfsync == "everysec":
                    with redis.client() as client:
                        client.flushall()
                    asyncio.run(filled(redis))
                    begin = time.perf_counter()
                    asyncio.run(replayed(redis))
                    per_s = HISTORY / (time.perf_counter() - begin)
                    print(f"{f'redis, replay of {HISTORY:,}':<44} {per_s:9.0f} events/s")
            finally:
                redis.kill()


if __name__ == "__main__":
    main()
