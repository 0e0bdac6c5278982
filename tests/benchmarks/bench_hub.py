"""Publishing through the hub to a watcher, stored on disk, against frames over a bare websocket."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path

from roundwatch.core.hub import Access, Hub, Publisher, Received, watch
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

from tests.benchmarks.timing import compare

EVENTS = 4000
LINE = json.dumps({"type": "call.output", "round": "r", "call": "c", "kind": "text", "text": "a piece of an answer "})


async def through_the_hub() -> int:
    with tempfile.TemporaryDirectory() as folder:
        async with Hub(Path(folder) / "s.db", port=0, access=Access.anyone()) as hub:
            seen = asyncio.create_task(_watched(hub.url))
            async with Publisher(hub.url, token="none", folder=Path(folder)) as publisher:
                for _ in range(EVENTS):
                    await publisher.publish(LINE)
                await publisher.flush()
            await seen
    return EVENTS


async def _watched(url: str) -> None:
    left = EVENTS
    async with watch(url, token="none", after="begin") as feed:
        async for item in feed:
            left -= isinstance(item, Received)
            if left == 0:
                return


async def over_a_bare_websocket() -> int:
    async def echo(link: ServerConnection) -> None:
        async for frame in link:
            await link.send(frame)

    async with serve(echo, "127.0.0.1", 0, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}", compression=None) as link:
            sent = asyncio.create_task(_sent(link))
            for _ in range(EVENTS):
                json.loads(await link.recv())
            await sent
    return EVENTS


async def _sent(link: ClientConnection) -> None:
    for _ in range(EVENTS):
        await link.send(LINE)


def main() -> None:
    compare(
        "publish, store, watch / bare websocket echo",
        lambda: asyncio.run(through_the_hub()),
        lambda: asyncio.run(over_a_bare_websocket()),
        "event",
    )


if __name__ == "__main__":
    main()
