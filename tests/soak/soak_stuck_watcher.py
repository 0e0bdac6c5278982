"""Watchers that connect and then read nothing, at full load: what they cost the hub, and what the others notice."""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from roundwatch.core.hub import Gap, Received, Unreadable, read_token, watch
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.soak.memory import Gauge
from tests.soak.processes import RATE, SENDERS, all_finished, end, free_port, start_hub, start_sender

SETTLE_S = 2.0
EACH_MIB = 10.0
"""What one may cost: its queue of at most 8 MiB, and what stands in buffers."""


@dataclass(frozen=True)
class Outcome:
    """What a run showed; ``faults`` is what must be empty."""

    stuck: int
    before_mib: float
    peak_mib: float
    delays_before_ms: tuple[float, float]
    """From publishing to the watcher that reads: p50 and p99."""
    delays_ms: tuple[float, float]
    """The same while the others are stuck."""
    received: int
    faults: list[str]


@dataclass
class Reader:
    """A watcher that reads, and when it got what."""

    received: int = 0
    delays_ms: list[float] = field(default_factory=list[float])
    faults: list[str] = field(default_factory=list[str])

    async def run(self, url: str) -> None:
        """Read until cancelled."""
        async with watch(url, after="begin") as feed:
            async for item in feed:
                if isinstance(item, Received):
                    self.received += 1
                    if item.event.at is not None:
                        self.delays_ms.append((time.time() - item.event.at.timestamp()) * 1000)
                elif isinstance(item, Gap | Unreadable):
                    self.faults.append(repr(item))

    def taken(self) -> tuple[float, float]:
        """Return p50 and p99 of the delays since the last call."""
        cuts = statistics.quantiles(self.delays_ms, n=100)
        self.delays_ms.clear()
        return cuts[49], cuts[98]


@asynccontextmanager
async def stuck_watcher(url: str) -> AsyncGenerator[ClientConnection]:
    """Connect, read the first frames, then nothing any more."""
    headers = {"Authorization": f"Bearer {read_token()}"}
    protocols = [Subprotocol("roundwatch.v1")]
    link = await connect(
        f"{url}/v1/rounds", subprotocols=protocols, additional_headers=headers, max_queue=1, proxy=None
    )
    try:
        yield link
    finally:
        link.transport.abort()
        await link.wait_closed()


async def run(folder: Path, stuck: int, seconds: float, rate: int = RATE) -> Outcome:
    """Watch for ``seconds`` without and for ``seconds`` with ``stuck`` watchers that read nothing."""
    port = free_port()
    url = f"ws://127.0.0.1:{port}"
    hub = await start_hub(port, folder / "s.db")
    senders = [await start_sender(url, folder, f"s{number}", rate) for number in range(SENDERS)]
    reader, gauge = Reader(), Gauge(hub.pid)
    tasks = [asyncio.create_task(reader.run(url)), asyncio.create_task(gauge.run())]
    async with asyncio.timeout(60):  # a loaded machine takes its time to start the senders
        while not reader.received:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await asyncio.sleep(SETTLE_S)
    reader.taken()
    await asyncio.sleep(seconds)
    before_mib, before = max(gauge.seen), reader.taken()
    watchers = [stuck_watcher(url) for _ in range(stuck)]
    for watcher in watchers:
        await watcher.__aenter__()
    await asyncio.sleep(seconds)
    during = reader.taken()
    for watcher in watchers:
        await watcher.__aexit__(None, None, None)
    sent, faults = await all_finished(senders)
    total = sum(sent.values())
    async with asyncio.timeout(60):
        while reader.received < total:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await end(hub)
    peak = max(gauge.seen)
    if peak - before_mib > stuck * EACH_MIB:
        faults.append(f"{stuck} stuck watchers cost {peak - before_mib:.1f} MiB")
    return Outcome(stuck, before_mib, peak, before, during, reader.received, faults + reader.faults)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        outcome = asyncio.run(run(Path(folder), stuck=20, seconds=60))
    print(
        f"{outcome.stuck} watchers that read nothing for a minute: hub {outcome.before_mib:.1f} MiB before, at most "
        f"{outcome.peak_mib:.1f} MiB; publish to receive p50/p99 {outcome.delays_before_ms[0]:.1f}/"
        f"{outcome.delays_before_ms[1]:.1f} ms before, {outcome.delays_ms[0]:.1f}/{outcome.delays_ms[1]:.1f} ms with "
        f"them; {outcome.received:,} events; faults: {outcome.faults[:5] or 'none'}"
    )
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
