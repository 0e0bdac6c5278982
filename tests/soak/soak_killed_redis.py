"""Redis is killed and started again while four publishers send; with every write flushed nothing may be lost."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from roundwatch.core.hub import RedisStore, StoreListener, backoff

from tests.core.hub.redis_process import RedisProcess
from tests.soak.following import Followed, caught_up, differences, follow
from tests.soak.processes import SENDERS, all_finished, end, free_port, start_hub, start_sender

RATE = 200
"""Events a second of each sender."""


@dataclass(frozen=True)
class Outcome:
    """What a run showed; ``faults`` is what must be empty."""

    kills: int
    sent: int
    stored: int
    streams: int
    """How many numberings the watcher saw."""
    told_losses: int
    """How often it was told that events may be lost."""
    seconds: float
    faults: list[str]


async def run(folder: Path, kills: int, appendfsync: str, seed: int = 7) -> Outcome:
    """Kill Redis ``kills`` times, then let everybody finish and compare. XDG_STATE_HOME has to be the test's own."""
    begin = time.monotonic()
    redis = RedisProcess(folder / "redis", appendfsync=appendfsync)
    await asyncio.to_thread(redis.start)
    try:
        port = free_port()
        url = f"ws://127.0.0.1:{port}"
        hub = await start_hub(port, redis.url)
        senders = [await start_sender(url, folder, f"s{number}", RATE) for number in range(SENDERS)]
        followed = Followed()
        following = asyncio.create_task(follow(url, followed))
        moments = random.Random(seed)
        for _ in range(kills):
            await asyncio.sleep(moments.uniform(0.5, 1.5))
            await asyncio.to_thread(redis.kill)
            await asyncio.sleep(moments.uniform(0.05, 0.5))
            await asyncio.to_thread(redis.start)
        sent, faults = await all_finished(senders)
        lines, stream = await stored_lines(redis.url)
        await arrived(followed, stream, len(lines))
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        await end(hub)
    finally:
        await asyncio.to_thread(redis.kill)
    faults += differences(lines, sent, [followed], may_lack=appendfsync != "always")
    seconds = time.monotonic() - begin
    total = sum(sent.values())
    return Outcome(kills, total, len(lines), len(followed.streams), followed.told_losses, seconds, faults)


async def arrived(followed: Followed, stream: str, last: int) -> None:
    """Wait until a watcher has got up to ``last`` of this numbering."""
    async with asyncio.timeout(60):
        while not followed.streams or followed.streams[-1] != stream:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await caught_up([followed], last)


async def stored_lines(url: str) -> tuple[list[bytes], str]:
    """Return all that Redis holds, in order, and what the numbering is called."""
    store = RedisStore(url)
    await store.open(StoreListener())
    found: list[bytes] = []
    position = 0
    while (page := await store.read(position)).through > position:
        found += page.wires
        position = page.through
    await store.close()
    return found, store.stream


def main() -> int:
    backoff.CAP_S = 0.5  # as the senders: a server that is killed every second never counts as stable
    failed = False
    for appendfsync in ("always", "everysec"):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_STATE_HOME"] = f"{folder}/state"
            outcome = asyncio.run(run(Path(folder), 50, appendfsync))
        print(
            f"appendfsync {appendfsync}: {outcome.kills} kills, {outcome.sent:,} acknowledged, {outcome.stored:,} "
            f"stored, {outcome.streams} streams, {outcome.told_losses} losses said, {outcome.seconds:.0f} s; "
            f"faults: {outcome.faults[:5] or 'none'}",
            flush=True,
        )
        failed = failed or bool(outcome.faults)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
