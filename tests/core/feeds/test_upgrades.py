from __future__ import annotations

import asyncio

import pytest
from roundwatch.core.feeds.upgrades import asked_upgrade
from websockets.asyncio.client import connect as connect_websocket
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.core.feeds.stand import answer, connect, proxied, read_head, serving


@pytest.mark.parametrize(
    ("head", "asked"),
    [
        (b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", "websocket"),
        (b"GET / HTTP/1.1\r\nUPGRADE : spoken/2 \r\n\r\n", "spoken/2"),
        (b"POST / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", None),
        (b"GET / HTTP/1.1\r\nUpgrade: h2c\r\n\r\n", None),
        (b"GET / HTTP/1.1\r\nUpgrade: TLS/1.3\r\n\r\n", None),
        (b"GET / HTTP/1.1\r\nX-Upgrade: websocket\r\n\r\n", None),
    ],
)
def test_only_a_get_for_something_else_than_http_asks_for_an_upgrade(head: bytes, asked: str | None) -> None:
    assert asked_upgrade(head) == asked


async def test_a_websocket_passes_both_ways_and_is_counted_unobserved() -> None:
    async def echo(link: ServerConnection) -> None:
        async for message in link:
            await link.send(message)
            if message == "bye":
                await link.close(4001, "as agreed")

    async with serve(echo, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with proxied(f"http://127.0.0.1:{port}") as stand:
            url = stand.base("/v1/realtime").replace("http://", "ws://")
            async with connect_websocket(url, additional_headers={"Authorization": "Bearer k"}) as link:
                await link.send(b"\x00" * 300_000)
                assert await link.recv() == b"\x00" * 300_000
                await link.send("bye")
                assert await link.recv() == "bye"
                with pytest.raises(ConnectionClosed) as closed:
                    await link.recv()

            counts = stand.proxy.counts
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4001
            assert (counts.upgraded, counts.passed_through, counts.observed) == (1, 1, 0)
            assert not stand.events


async def test_an_upstream_that_does_not_upgrade_answers_as_ever() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(answer(b"no", status="403 Forbidden"))
        await reader.read()

    async with serving(refuse) as upstream, proxied(upstream) as stand:
        with pytest.raises(InvalidStatus) as refused:
            await connect_websocket(stand.base("/v1/realtime").replace("http://", "ws://"))
        assert refused.value.response.status_code == 403
        assert stand.proxy.counts.upgraded == 0


HELLO = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: raw\r\nConnection: Upgrade\r\n\r\nhello"
ASKS = b"GET /up/raw HTTP/1.1\r\nHost: localhost\r\nUpgrade: raw\r\nConnection: Upgrade\r\n\r\n"


async def test_bytes_sent_ahead_on_both_sides_arrive_and_a_leaving_client_ends_the_upstream() -> None:
    got: list[bytes] = []
    over = asyncio.Event()

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.append(await read_head(reader))
        writer.write(HELLO)
        got.append(await reader.read())
        over.set()

    async with serving(speak) as upstream, proxied(upstream) as stand:
        reader, writer = await connect(stand)
        writer.write(ASKS + b"ahead")
        assert await reader.readexactly(len(HELLO)) == HELLO
        writer.close()
        async with asyncio.timeout(20):
            await over.wait()

    assert b"Upgrade: raw" in got[0]
    assert b"Connection: Upgrade" in got[0]
    assert got[1] == b"ahead"


async def test_a_raw_connection_does_not_hold_up_the_end_of_the_proxy() -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(HELLO)
        await reader.read()

    async with serving(speak) as upstream:
        async with proxied(upstream) as stand:
            reader, writer = await connect(stand)
            writer.write(ASKS)
            await reader.readexactly(len(HELLO))
        assert await reader.read() == b""
        writer.close()
