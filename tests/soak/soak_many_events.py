"""Five million events through one hub: all stored once and in order, and the memory of everybody stays flat.

``SOAK_EVENTS`` makes it shorter; below a million what is bounded is still being filled, and counts as growth.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from roundwatch.core.hub import Gap, Received, Unreadable, check_store, stored_events, watch

from tests.soak.memory import Gauge
from tests.soak.processes import SENDERS, all_finished, end, free_port, start_hub, start_sender

EVENTS = 5_000_000
RATE = 2500
"""Events a second of each sender that are tried: more than two cores take."""
GROWTH = 1.1
"""Of the last tenth against the fifth: what is bounded is filled by then, what is not goes on growing."""
FILLED = 4
"""The tenth, from 0, that the last one is held against."""


@dataclass(frozen=True)
class Outcome:
    """What a run showed; ``faults`` is what must be empty."""

    sent: int
    watched: int
    seconds: float
    mib: list[list[float]]
    """Hub, then senders: the median of each tenth of the time."""
    faults: list[str]


@dataclass
class Counted:
    """What a watcher got, counted only."""

    seqs: int = 0
    faults: int = 0

    async def run(self, url: str) -> None:
        """Watch until cancelled."""
        async with watch(url, after="begin") as feed:
            async for item in feed:
                if isinstance(item, Received):
                    self.faults += item.seq != self.seqs + 1
                    self.seqs = item.seq
                else:
                    self.faults += isinstance(item, Gap | Unreadable)


async def run(folder: Path, events: int) -> Outcome:
    """Publish until ``events`` have been watched, then let everybody finish and compare."""
    begin = time.monotonic()
    port, store = free_port(), folder / "s.db"
    url = f"ws://127.0.0.1:{port}"
    hub = await start_hub(port, store)
    senders = [await start_sender(url, folder, f"s{number}", RATE) for number in range(SENDERS)]
    counted = Counted()
    gauges = [Gauge(process.pid) for process in (hub, *senders)]
    watching = asyncio.create_task(counted.run(url))
    looking = [asyncio.create_task(gauge.run()) for gauge in gauges]
    while counted.seqs < events and not watching.done():  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    for task in looking:
        task.cancel()
    sent, faults = await all_finished(senders)
    total = sum(sent.values())
    async with asyncio.timeout(600):
        while counted.seqs < total and not watching.done():  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    watching.cancel()
    await asyncio.gather(watching, *looking, return_exceptions=True)
    await end(hub)
    faults += check_store(store) + _misplaced(store, sent)
    faults += [f"{counted.faults} jumps, gaps or unreadable events"] if counted.faults else []
    mib = [_tenths(gauge.seen) for gauge in gauges]
    grown = [(each[FILLED], each[-1]) for each in mib if each[-1] > each[FILLED] * GROWTH]
    faults += [f"memory grew from {before:.0f} to {after:.0f} MiB" for before, after in grown]
    return Outcome(total, counted.seqs, time.monotonic() - begin, mib, faults)


def _tenths(seen: list[float]) -> list[float]:
    return [statistics.median(seen[len(seen) * n // 10 : len(seen) * (n + 1) // 10]) for n in range(10)]


def _misplaced(store: Path, sent: dict[str, int]) -> list[str]:
    """Return whose events are not stored once and in order."""
    numbers: Counter[str] = Counter()
    faults: list[str] = []
    for stored in stored_events(store):
        fields = json.loads(stored.line)
        if fields["k"] != numbers[fields["sender"]]:
            faults.append(f"{fields['sender']}: {fields['k']} where {numbers[fields['sender']]} belongs")
        numbers[fields["sender"]] += 1
    return faults + ([] if dict(numbers) == sent else [f"{dict(numbers)} stored of {sent}"])


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        outcome = asyncio.run(run(Path(folder), int(os.environ.get("SOAK_EVENTS", EVENTS))))
    hub, *senders = outcome.mib
    print(
        f"{outcome.sent:,} events from {SENDERS} publishers in {outcome.seconds:.0f} s, {outcome.watched:,} watched; "
        f"hub by tenths of the time {', '.join(f'{mib:.0f}' for mib in hub)} MiB, publishers at most "
        f"{max(map(max, senders)):.0f} MiB; faults: {outcome.faults[:5] or 'none'}"
    )
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
