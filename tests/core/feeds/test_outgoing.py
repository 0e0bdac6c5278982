from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trustme
from roundwatch.core.feeds import Upstream
from roundwatch.core.feeds.outgoing import Outgoing, OutgoingError
from roundwatch.core.rounds import Verdict, classify

from tests.core.feeds.stand import answer, connect, post, proxied, read_head, serving

CHAT = "/up/v1/chat/completions"
EVENT = b'data: {"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"stop"}]}\n\n'
PASSWORD = "hidden-pass:word"


class Tunnels:
    """A small CONNECT proxy that notes what it was asked."""

    def __init__(self, refusal: bytes | None = None) -> None:
        self.heads: list[bytes] = []
        self._refusal = refusal

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        self.heads.append(head)
        if self._refusal is not None:
            writer.write(self._refusal)
            return
        _, place, _ = head.split(b" ", 2)
        host, _, port = place.decode().rpartition(":")
        inner, outer = await asyncio.open_connection(host, int(port))
        writer.write(b"HTTP/1.1 200 Connection established\r\nVia: a test\r\n\r\n")
        async with asyncio.TaskGroup() as group:
            group.create_task(pump(reader, outer))
            group.create_task(pump(inner, writer))


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(4096):
        writer.write(data)
    writer.close()


def outgoing(url: str, **more: str) -> Outgoing:
    found = Outgoing.of({"HTTPS_PROXY": url, **more})
    assert found is not None
    return found


def with_password(url: str) -> str:
    return url.replace("http://", "http://me:hidden-pass%3Aword@")


async def hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        await read_head(reader)
        writer.write(answer(EVENT))


@asynccontextmanager
async def tls_upstream() -> AsyncGenerator[tuple[str, ssl.SSLContext]]:
    authority = trustme.CA()
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("localhost").configure_cert(server)  # pyright: ignore[reportUnknownMemberType]  # half typed
    authority.configure_trust(client)  # pyright: ignore[reportUnknownMemberType]  # half typed
    async with serving(hello, server) as url:
        yield url.replace("127.0.0.1", "localhost"), client


async def test_an_encrypted_upstream_is_reached_through_the_tunnel_verified_and_observed() -> None:
    tunnels = Tunnels()
    async with (
        tls_upstream() as (upstream, trusting),
        serving(tunnels) as way_out,
        proxied(upstream, tls=trusting, outgoing=outgoing(with_password(way_out)), idle_s=0.0) as stand,
    ):
        reader, writer = await connect(stand)
        for _ in range(2):
            writer.write(post(CHAT, b"", "Authorization: Bearer of-the-client"))
            assert (await read_head(reader)).startswith(b"HTTP/1.1 200 ")
            assert await reader.readexactly(len(EVENT)) == EVENT
        (round_, _) = await stand.ended(2)
        writer.close()

    (head,) = tunnels.heads
    assert head.startswith(b"CONNECT " + upstream.removeprefix("https://").encode() + b" HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic bWU6aGlkZGVuLXBhc3M6d29yZA==\r\n" in head
    assert b"of-the-client" not in head
    assert round_.calls[0].text == "Hello."


async def test_a_certificate_that_is_not_trusted_is_refused_behind_the_tunnel_too() -> None:
    async with (
        tls_upstream() as (upstream, _),
        serving(Tunnels()) as way_out,
        proxied(upstream, outgoing=outgoing(way_out), idle_s=0.0) as stand,
    ):
        reader, writer = await connect(stand)
        writer.write(post(CHAT, b""))
        assert (await reader.read()).startswith(b"HTTP/1.1 502 ")
        writer.close()


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", "it answered 407"),
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", "it answered 403"),
        (b"SSH-2.0-x\r\n\r\n", "speaks no HTTP"),
        (b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 70_000, "speaks no HTTP"),
        (b"HTTP/1.1 200 OK\r\n\r\nmore", "nobody asked for"),
        (b"HTTP/1.1 200 ", "closed the connection"),
    ],
)
async def test_a_refused_tunnel_is_told_to_client_and_operator_without_the_password(
    refusal: bytes, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving(Tunnels(refusal)) as way_out:
        chosen = outgoing(with_password(way_out))
        async with proxied("https://model.invalid", outgoing=chosen, idle_s=0.0) as stand:
            reader, writer = await connect(stand)
            writer.write(post(CHAT, b""))
            told = await reader.read()
            (round_,) = await stand.ended()
            writer.close()

    error = round_.calls[0].error
    assert told.startswith(b"HTTP/1.1 502 ")
    assert error is not None
    assert said in (error.message or "")
    assert not classify(round_).is_success
    everything = caplog.text + repr(chosen) + told.decode() + repr(stand.events)
    assert not any(secret in everything for secret in ("hidden-pass", "aGlkZGVu"))


async def test_a_way_out_that_is_not_there_is_told() -> None:
    async with proxied("https://model.invalid", outgoing=outgoing("http://127.0.0.1:1"), idle_s=0.0) as stand:
        reader, writer = await connect(stand)
        writer.write(post(CHAT, b""))
        assert (await reader.read()).startswith(b"HTTP/1.1 502 ")
        (round_,) = await stand.ended()
        writer.close()

    assert round_.calls[0].error is not None
    assert "the outgoing proxy 127.0.0.1:1" in (round_.calls[0].error.message or "")
    assert classify(round_).verdict is not Verdict.COMPLETED


async def test_a_plain_upstream_is_reached_directly() -> None:
    async with (
        serving(hello) as upstream,
        proxied(upstream, outgoing=outgoing("http://127.0.0.1:1"), idle_s=0.0) as stand,
    ):
        reader, writer = await connect(stand)
        writer.write(post(CHAT, b""))
        assert (await read_head(reader)).startswith(b"HTTP/1.1 200 ")
        writer.close()


@pytest.mark.parametrize(
    ("bypass", "through"),
    [
        ("", True),
        ("*", False),
        ("model.example", False),
        (".example", False),
        ("el.example", True),
        ("other", True),
        ("a, MODEL.example:443", False),
    ],
)
def test_names_in_no_proxy_are_reached_directly(bypass: str, through: bool) -> None:
    chosen = outgoing("http://way.out:3128", NO_PROXY=bypass)
    assert chosen.serves(Upstream.parse("m", "https://model.example/v1")) is through


@pytest.mark.parametrize("url", ["socks5://me:hidden@127.0.0.1", "https://127.0.0.1", "http://", "http://x:hidden"])
def test_what_is_no_http_proxy_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(OutgoingError) as refused:
        Outgoing.of({"https_proxy": url})
    assert "hidden" not in str(refused.value)


def test_without_the_variable_there_is_no_way_out_and_an_address_needs_no_scheme() -> None:
    assert Outgoing.of({"HTTP_PROXY": "http://way.out"}) is None
    assert outgoing("way.out:3128").place == "way.out:3128"
