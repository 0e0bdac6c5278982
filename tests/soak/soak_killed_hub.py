"""The hub is killed again and again while four publishers send and one watcher follows; nothing may be lost."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from roundwatch.core.hub import check_store, stored_events

from tests.soak.following import Followed, caught_up, differences, follow
from tests.soak.processes import RATE, SENDERS, all_finished, end, free_port, start_hub, start_sender


@dataclass(frozen=True)
class Outcome:
    """What a run showed; ``faults`` is what must be empty."""

    kills: int
    sent: int
    stored: int
    seconds: float
    faults: list[str]


async def run(folder: Path, kills: int, rate: int = RATE, seed: int = 7) -> Outcome:
    """Kill the hub ``kills`` times, then let everybody finish and compare. XDG_STATE_HOME has to be the test's own."""
    begin = time.monotonic()
    port, store = free_port(), folder / "s.db"
    url = f"ws://127.0.0.1:{port}"
    hub = await start_hub(port, store)
    senders = [await start_sender(url, folder, f"s{number}", rate) for number in range(SENDERS)]
    followed = Followed()
    following = asyncio.create_task(follow(url, followed))
    moments = random.Random(seed)
    for _ in range(kills):
        await asyncio.sleep(moments.uniform(0.05, 0.8))
        hub.send_signal(signal.SIGKILL)
        await hub.wait()
        hub = await start_hub(port, store)
    sent, faults = await all_finished(senders)
    total = sum(sent.values())
    await caught_up([followed], total)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    await end(hub)
    lines = (stored.line for stored in stored_events(store))
    faults += check_store(store) + differences(lines, sent, [followed])
    return Outcome(kills, total, followed.seqs, time.monotonic() - begin, faults)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        outcome = asyncio.run(run(Path(folder), kills=100))
    print(
        f"{outcome.kills} kills, {outcome.sent:,} events sent by {SENDERS} publishers, {outcome.stored:,} watched, "
        f"{outcome.seconds:.0f} s; faults: {outcome.faults[:5] or 'none'}"
    )
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
