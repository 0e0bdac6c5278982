"""Every connection is broken at a random byte, again and again, by a relay between a hub and its clients."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from roundwatch.core.hub import backoff, check_store, stored_events

from tests.soak.following import Followed, caught_up, differences, follow
from tests.soak.processes import SENDERS, all_finished, end, free_port, start_hub, start_sender
from tests.soak.relay import Relay

RATE = 100
"""Events a second of each sender: a connection lives for some tenths of a second."""
WATCHERS = 2
PATIENCE_S = 3600.0


@dataclass(frozen=True)
class Outcome:
    """What a run showed; ``faults`` is what must be empty."""

    cuts: dict[str, int]
    sent: int
    seconds: float
    faults: list[str]


async def run(folder: Path, cuts: int, seed: int = 7) -> Outcome:
    """Break ``cuts`` connections, then let everybody finish and compare. XDG_STATE_HOME has to be the test's own."""
    begin = time.monotonic()
    port, store = free_port(), folder / "s.db"
    hub = await start_hub(port, store)
    async with Relay(port, seed=seed) as relay:
        relay.is_faulty = True
        senders = [await start_sender(relay.url, folder, f"s{number}", RATE) for number in range(SENDERS)]
        followers = [Followed() for _ in range(WATCHERS)]
        following = [asyncio.create_task(follow(relay.url, each)) for each in followers]
        async with asyncio.timeout(PATIENCE_S):
            while relay.cuts < cuts:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        relay.is_faulty = False
        sent, faults = await all_finished(senders)
        await caught_up(followers, sum(sent.values()))
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        told = {str(fault): count for fault, count in relay.faults.items()}
    await end(hub)
    lines = (stored.line for stored in stored_events(store))
    faults += check_store(store) + differences(lines, sent, followers, is_garbled=True)
    return Outcome(told, sum(sent.values()), time.monotonic() - begin, faults)


def main() -> int:
    backoff.CAP_S = 0.5  # as the senders: a connection that is always broken is never stable
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        outcome = asyncio.run(run(Path(folder), cuts=1000))
    print(
        f"{sum(outcome.cuts.values())} connections broken {outcome.cuts}, {outcome.sent:,} events sent, "
        f"{WATCHERS} watchers, {outcome.seconds:.0f} s; faults: {outcome.faults[:5] or 'none'}"
    )
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
