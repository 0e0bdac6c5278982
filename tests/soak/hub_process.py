"""A hub as a process of its own, on a SQLite file or a Redis address, until SIGTERM."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path

from roundwatch.core.hub import Hub, RedisStore, SqliteStore, is_redis


async def serve(port: int, place: str) -> None:
    """Serve, and say so in one line."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    store = RedisStore(place) if is_redis(place) else SqliteStore(Path(place))
    async with Hub(store, port=port) as hub:
        print(json.dumps({"listens": hub.url}), flush=True)
        await stop.wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), sys.argv[2]))
