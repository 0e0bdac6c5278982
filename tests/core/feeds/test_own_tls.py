from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest
import trustme
from roundwatch.core.hub.tls import server_context

from tests.core.feeds.stand import PATIENCE_S, Stand, answer, post, proxied, read_head, serving

CHAT = "/up/v1/chat/completions"
EVENT = b'data: {"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"stop"}]}\n\n'


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)  # pyright: ignore[reportUnknownMemberType]
    return context


def port_of(stand: Stand) -> int:
    return int(stand.proxy.url.rpartition(":")[2])


async def hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        await read_head(reader)
        writer.write(answer(EVENT))


async def test_clients_are_served_over_tls_and_observed(authority: trustme.CA, files: tuple[Path, Path]) -> None:
    async with serving(hello) as upstream, proxied(upstream, own_tls=server_context(*files), idle_s=0.0) as stand:
        assert stand.proxy.url.startswith("https://")
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(stand), ssl=trusting(authority))
        for _ in range(2):
            writer.write(post(CHAT, b""))
            assert (await read_head(reader)).startswith(b"HTTP/1.1 200 ")
            assert await reader.readexactly(len(EVENT)) == EVENT
        (round_, _) = await stand.ended(2)
        writer.write(b"GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"roundwatch_proxy" in await reader.read()
        writer.close()

    assert round_.calls[0].text == "Hello."


async def test_plain_http_is_told_what_the_port_speaks_and_the_next_client_is_served(
    authority: trustme.CA, files: tuple[Path, Path]
) -> None:
    async with serving(hello) as upstream, proxied(upstream, own_tls=server_context(*files)) as stand:
        silent = await asyncio.open_connection("127.0.0.1", port_of(stand))
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(stand))
        writer.write(post(CHAT, b"{}"))
        told = await reader.read()
        writer.close()
        other, tls = await asyncio.open_connection("127.0.0.1", port_of(stand), ssl=trusting(authority))
        tls.write(post(CHAT, b""))
        assert (await read_head(other)).startswith(b"HTTP/1.1 200 ")
        tls.close()
        silent[1].close()

    assert told.startswith(b"HTTP/1.1 400 ")
    assert b"https://" in told


async def test_a_client_that_does_not_trust_the_certificate_hurts_nobody(
    authority: trustme.CA, files: tuple[Path, Path]
) -> None:
    async with serving(hello) as upstream, proxied(upstream, own_tls=server_context(*files)) as stand:
        with pytest.raises(ssl.SSLCertVerificationError):
            await asyncio.open_connection("127.0.0.1", port_of(stand), ssl=ssl.create_default_context())
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(stand), ssl=trusting(authority))
        writer.write(post(CHAT, b""))
        async with asyncio.timeout(PATIENCE_S):
            assert (await read_head(reader)).startswith(b"HTTP/1.1 200 ")
        writer.close()
