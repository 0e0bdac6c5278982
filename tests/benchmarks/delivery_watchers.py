"""Many watchers as one process: they count events as they come, and take the time of those that say when they left."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

SENT = re.compile(rb'"text":"(\d+)')
"""Nanoseconds since 1970."""


async def watch(link: ClientConnection, events: int, delays_ms: list[float]) -> None:
    """Read until so many events have come."""
    while events > 0:
        sent = SENT.findall(await link.recv(decode=False))
        events -= len(sent)
        now = time.time_ns()
        delays_ms += [(now - int(each)) / 1e6 for each in sent]


async def run(url: str, watchers: int, events: int) -> None:
    """Say when all are connected, then when all have everything, the processor time it took, and delays."""
    links = [
        await connect(
            f"{url}/v1/rounds",
            subprotocols=[Subprotocol("roundwatch.v1")], compression=None, proxy=None, max_size=None, max_queue=None,
        )
        for _ in range(watchers)
    ]  # fmt: skip
    for link in links:
        await link.recv()
    await asyncio.sleep(0.3)
    print("ready", flush=True)
    delays: list[float] = []
    before = time.process_time()
    await asyncio.gather(*(watch(link, events, delays) for link in links))
    end = {"end_ns": time.time_ns(), "cpu_s": time.process_time() - before}
    print(json.dumps(end | {"delays_ms": delays[:: max(1, len(delays) // 20_000)]}), flush=True)
    for link in links:
        link.transport.abort()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
