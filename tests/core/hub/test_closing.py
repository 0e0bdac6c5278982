from __future__ import annotations

import asyncio

import pytest
from roundwatch.core.hub.closing import abort_unless_closed, send
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed


async def _never_read(link: ServerConnection) -> None:
    link.transport.pause_reading()
    await link.wait_closed()


async def test_a_peer_that_reads_nothing_ends_a_send_and_a_close() -> None:
    async with serve(_never_read, "127.0.0.1", 0, ping_interval=None) as server:
        link = await connect(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", proxy=None, compression=None)
        with pytest.raises(TimeoutError):
            await send(link, b"x" * 30_000_000, within_s=0.2)
        async with asyncio.timeout(20):
            await abort_unless_closed(link, 1000, "")
            with pytest.raises(ConnectionClosed):
                await send(link, b"x")
            await abort_unless_closed(link, 1000, "")
        for connection in server.all_connections:
            connection.transport.abort()
