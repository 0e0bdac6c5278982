"""A publisher is killed again and again, with a hub and without one: what it had taken in is in its spool."""

from __future__ import annotations

import asyncio
import json
import os
import random
import tempfile
import time
from asyncio.subprocess import Process
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from roundwatch.core.hub import check_store, stored_events

from tests.soak.processes import RATE, end, finished, free_port, start_hub, start_sender

SENDER = "s"


@dataclass(frozen=True)
class Outcome:
    """What a run showed; ``faults`` is what must be empty."""

    kills: int
    stored: int
    seconds: float
    faults: list[str]


async def run(folder: Path, kills: int, rate: int = RATE, seed: int = 7) -> Outcome:
    """Kill the publisher ``kills`` times, every other time while there is no hub, then compare.

    XDG_STATE_HOME has to be the test's own.
    """
    begin = time.monotonic()
    port, store = free_port(), folder / "s.db"
    url = f"ws://127.0.0.1:{port}"
    moments = random.Random(seed)
    taken: dict[str, int] = {}
    for life in range(1, kills + 1):
        hub = await start_hub(port, store) if life % 2 else None
        sender = await start_sender(url, folder, SENDER, rate, life=life)
        taken[f"{SENDER}.{life}"] = await _killed_after(sender, moments.uniform(0.2, 0.8))
        if hub is not None:
            await end(hub)
    hub = await start_hub(port, store)
    last = await finished(await start_sender(url, folder, SENDER, rate))
    await end(hub)
    taken[SENDER] = last["sent"]
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for stored in stored_events(store):
        fields = json.loads(stored.line)
        numbers[fields["sender"]].append(fields["k"])
    faults = check_store(store)
    for name, count in taken.items():
        found = numbers[name]
        if found != list(range(len(found))) or len(found) < count:
            faults.append(f"{name}: had taken {count}, {len(found)} stored, not all of them, once and in order")
    return Outcome(kills, sum(map(len, numbers.values())), time.monotonic() - begin, faults)


async def _killed_after(sender: Process, seconds: float) -> int:
    """Kill a publisher some time after it took in its first event; return how many it said it had taken."""
    assert sender.stdout is not None
    told = [await sender.stdout.readline()]
    await asyncio.sleep(seconds)
    sender.kill()
    told += [line async for line in sender.stdout]
    await sender.wait()
    whole = [line for line in told if line.endswith(b"\n")]
    return int(json.loads(whole[-1])["taken"])


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        outcome = asyncio.run(run(Path(folder), kills=100))
    print(
        f"a publisher killed {outcome.kills} times, {outcome.stored:,} events stored, {outcome.seconds:.0f} s; "
        f"faults: {outcome.faults[:5] or 'none'}"
    )
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
