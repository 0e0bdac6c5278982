"""Two hubs on one Redis, one of them killed again and again: who watches or publishes goes on at the other."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from roundwatch.core.hub import backoff

from tests.core.hub.redis_process import RedisProcess
from tests.soak.following import Followed, differences, follow
from tests.soak.processes import RATE, SENDERS, all_finished, end, free_port, start_hub, start_sender
from tests.soak.relay import Relay
from tests.soak.soak_killed_redis import arrived, stored_lines

WATCHERS = 3


@dataclass(frozen=True)
class Outcome:
    """What a run showed; ``faults`` is what must be empty."""

    kills: int
    sent: int
    seconds: float
    faults: list[str]


async def run(folder: Path, kills: int, rate: int = RATE, seed: int = 7) -> Outcome:
    """Kill one hub or the other ``kills`` times; everybody connects by a relay that leads to one that lives.

    XDG_STATE_HOME has to be the test's own.
    """
    begin = time.monotonic()
    redis = RedisProcess(folder / "redis", appendfsync="everysec")  # Redis itself is not killed here
    await asyncio.to_thread(redis.start)
    try:
        ports = [free_port(), free_port()]
        hubs = [await start_hub(port, redis.url) for port in ports]
        async with Relay(ports[0], seed=seed) as relay:
            senders = [await start_sender(relay.url, folder, f"s{number}", rate) for number in range(SENDERS)]
            followers = [Followed() for _ in range(WATCHERS)]
            following = [asyncio.create_task(follow(relay.url, each)) for each in followers]
            moments = random.Random(seed)
            for number in range(kills):
                await asyncio.sleep(moments.uniform(0.3, 1.5))
                victim = number % 2
                relay.target = ports[1 - victim]
                hubs[victim].kill()
                await hubs[victim].wait()
                hubs[victim] = await start_hub(ports[victim], redis.url)
            sent, faults = await all_finished(senders)
            lines, stream = await stored_lines(redis.url)
            for followed in followers:
                await arrived(followed, stream, len(lines))
            for task in following:
                task.cancel()
            await asyncio.gather(*following, return_exceptions=True)
        for hub in hubs:
            await end(hub)
    finally:
        await asyncio.to_thread(redis.kill)
    faults += differences(lines, sent, followers)
    return Outcome(kills, sum(sent.values()), time.monotonic() - begin, faults)


def main() -> int:
    backoff.CAP_S = 0.5  # as the senders: a hub that is killed every second never counts as stable
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        outcome = asyncio.run(run(Path(folder), kills=100))
    print(
        f"{outcome.kills} kills of one of two hubs, {outcome.sent:,} events sent by {SENDERS} publishers, "
        f"{WATCHERS} watchers, {outcome.seconds:.0f} s; faults: {outcome.faults[:5] or 'none'}"
    )
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
