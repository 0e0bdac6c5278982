"""Ten thousand careless clients, five hundred at a time; afterwards the hub works, and files and memory are back."""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import time
from pathlib import Path

from roundwatch.core.hub import Hub, Publisher, ensure_token, stored_events
from roundwatch.core.hub.descriptors import make_room

from tests.core.hub.rough_clients import crowd

CONNECTS = 10_000
AT_ONCE = 500
MOST_GROWTH_KIB = 32 * 1024
"""The allocator keeps some of what a crowd of this size once needed; a leak of 4 KiB a connection is above it."""
SETTLE_S = 30.0


async def run(folder: Path) -> list[str]:
    """Return what is wrong afterwards."""
    faults: list[str] = []
    token = ensure_token()
    async with Hub(folder / "s.db", port=0) as hub:
        port = int(hub.url.rpartition(":")[2])
        await crowd(port, token, connects=AT_ONCE * 2, at_once=AT_ONCE, seed=1)  # what is loaded and cached once
        await _settled(hub)
        files, memory, begin = _files(), _memory_kib(), time.monotonic()
        seen = await crowd(port, token, connects=CONNECTS, at_once=AT_ONCE)
        took_s = time.monotonic() - begin
        await _settled(hub)
        async with Publisher(hub.url, folder=folder) as publisher:
            await publisher.publish({"type": "round.output", "round": "r", "kind": "text", "text": "after"})
            if not await publisher.flush(SETTLE_S):
                faults.append("the hub takes nothing any more")
        await _settled(hub)
        gc.collect()
        grown, more = _memory_kib() - memory, _files() - files
    if grown > MOST_GROWTH_KIB or more > 0:
        faults.append("files or memory are not back")
    if len(list(stored_events(folder / "s.db"))) != 1:
        faults.append("something else was stored than what was published")
    print(f"{CONNECTS:,} connects, {AT_ONCE} at a time, {took_s:.0f} s: {dict(seen.most_common())}")
    print(f"files {more:+d}, memory {grown:+,} KiB; faults: {faults or 'none'}")
    return faults


async def _settled(hub: Hub) -> None:
    """Wait until nobody is connected any more."""
    async with asyncio.timeout(SETTLE_S):
        while hub.counters.watchers or hub.counters.publishers:  # noqa: ASYNC110 - told by counters only
            await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)


def _files() -> int:
    return len(os.listdir("/proc/self/fd"))


def _memory_kib() -> int:
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0])


def main() -> int:
    make_room(4 * AT_ONCE)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        return 1 if asyncio.run(run(Path(folder))) else 0


if __name__ == "__main__":
    raise SystemExit(main())
