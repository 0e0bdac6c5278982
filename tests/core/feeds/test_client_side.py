from __future__ import annotations

import asyncio
import gzip
import json
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from socket import SO_LINGER, SOL_SOCKET
from typing import cast

import pytest
from roundwatch.core.rounds import Verdict

from tests.core.feeds.stand import Serve, Stand, answer, connect, post, proxied, read_head, serving

CHAT = "/up/v1/chat/completions"
REQUEST = json.dumps({"model": "gpt", "messages": [{"role": "user", "content": "Hello?"}]}).encode()
SAID = b'data: {"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
MANY = 32 * 1024 * 1024


@asynccontextmanager
async def standing(serve: Serve) -> AsyncGenerator[Stand]:
    async with serving(serve) as upstream, proxied(upstream, idle_s=0.0) as stand:
        yield stand


async def exchange(stand: Stand, request: bytes) -> bytes:
    """Send bytes and return everything that comes until the connection ends."""
    reader, writer = await connect(stand)
    writer.write(request)
    received = await reader.read()
    writer.close()
    return received


async def abort(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(0.05)  # what was written before leaves first
    writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def test_of_a_request_only_host_prefix_hop_by_hop_and_our_own_headers_change() -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.extend(await read_head(reader) + await reader.readexactly(4))
        writer.write(answer(b"ok", "Connection: close"))

    async with standing(serve) as stand:
        sent = (
            b"POST /up/v1/x%20y?a=1&b=%2F HTTP/1.1\r\nhOST: localhost:1\r\nX-MiXed: a  b\r\nAuthorization: Bearer k\r\n"
            b"Connection: keep-alive, X-Mine\r\nX-Mine: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nx-roundwatch-round: r\r\n"
            b"Accept-Encoding: gzip, br\r\nX-Twice: 1\r\nX-Twice: 2\r\nContent-Length: 4\r\n\r\n\x00\xff\r\n"
        )
        await exchange(stand, sent)
        host = stand.proxy.route("localhost", "/up/").upstream.host_header  # type: ignore[union-attr]

    assert bytes(seen) == (
        b"POST /v1/x%20y?a=1&b=%2F HTTP/1.1\r\nHost: " + host.encode() + b"\r\nX-MiXed: a  b\r\nAuthorization: Bearer k"
        b"\r\nAccept-Encoding: gzip, br\r\nX-Twice: 1\r\nX-Twice: 2\r\nContent-Length: 4\r\n\r\n\x00\xff\r\n"
    )


ANSWERS = {
    "length": answer(SAID, "Content-Type: text/event-stream", "X-oDD: a  b", "Connection: close"),
    "odd status": answer(b"{}", "connection: close", status="299 Quite Odd"),
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    b"5;name=value\r\nHello\r\n0\r\nX-Trailer: 1\r\n\r\n",
    "until it closes": b"HTTP/1.1 200 OK\r\nX: 1\r\n\r\n" + SAID,
    "interim": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + answer(SAID, "Connection: close"),
    "no content": b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n",
    "gzip": answer(gzip.compress(SAID), "Content-Encoding: gzip", "Connection: close"),
    "no http": b"ICY 200 OK\r\n\r\nsomething else entirely",
}


@pytest.mark.parametrize("path", [CHAT, "/up/v1/models"])
@pytest.mark.parametrize("name", ANSWERS)
async def test_an_answer_reaches_the_client_byte_for_byte(name: str, path: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(ANSWERS[name])
        await writer.drain()

    async with standing(serve) as stand:
        assert await exchange(stand, post(path, REQUEST)) == ANSWERS[name]


async def test_a_compressed_answer_is_read_on_a_copy() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(answer(gzip.compress(SAID), "Content-Encoding: gzip"))

    async with standing(serve) as stand:
        await exchange(stand, post(CHAT, REQUEST))
        (round_,) = await stand.ended()

    assert round_.calls[0].text == "Hello."
    assert round_.calls[0].finish_reason == "stop"


async def test_each_piece_leaves_before_the_next_one_exists() -> None:
    goes_on = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for n in range(5):
            writer.write(b"1\r\n%d\r\n" % n)
            await goes_on.wait()
            goes_on.clear()
        writer.write(b"0\r\n\r\n")

    async with standing(serve) as stand:
        reader, writer = await connect(stand)
        writer.write(post(CHAT, REQUEST))
        await read_head(reader)
        for n in range(5):
            assert await reader.readexactly(6) == b"1\r\n%d\r\n" % n  # the upstream waits until we have it
            goes_on.set()
        assert await reader.readexactly(5) == b"0\r\n\r\n"
        writer.close()


async def test_one_connection_serves_many_requests_those_sent_ahead_too() -> None:
    connections: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(1)
        while True:
            head = await read_head(reader)
            body = await reader.readexactly(2)
            writer.write(answer(head.split(b" ")[1] + body))

    async with standing(serve) as stand:
        reader, writer = await connect(stand)
        writer.write(post("/up/a", b"11") + post("/up/b", b"22"))
        writer.write(post("/up/c", b"33"))
        got = [await read_head(reader) + await reader.readexactly(4) for _ in range(3)]
        writer.write(post("/up/d", b"44"))
        got.append(await read_head(reader) + await reader.readexactly(4))
        writer.close()

    assert [piece[-4:] for piece in got] == [b"/a11", b"/b22", b"/c33", b"/d44"]
    assert connections == [1]


async def test_a_body_in_chunks_stays_in_chunks_and_whole() -> None:
    seen: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await read_head(reader))
        body = b""
        while size := int(await reader.readline(), 16):
            body += await reader.readexactly(size)
            await reader.readline()
        seen.append(body)
        writer.write(answer(b"ok", "Connection: close"))

    async with standing(serve) as stand:
        head = b"POST /up/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        received = await exchange(stand, head + b"3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n")

    assert b"Transfer-Encoding: chunked" in seen[0]
    assert seen[1] == b"abcdefg"
    assert received.endswith(b"ok")


async def test_what_follows_a_body_in_chunks_is_never_smuggled_into_it() -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.extend(await reader.readuntil(b"0\r\n\r\n"))
        writer.write(answer(b"ok"))
        seen.extend(await reader.read())

    async with standing(serve) as stand:
        head = b"POST /up/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        received = await exchange(stand, head + post("/up/second", b"secret"))

    assert received.endswith(b"ok")
    assert b"second" not in seen
    assert b"secret" not in seen


async def test_a_head_request_has_no_body_and_the_connection_goes_on() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        await read_head(reader)
        writer.write(answer(b"ok", "Connection: close"))

    async with standing(serve) as stand:
        request = b"HEAD /up/ HTTP/1.1\r\nHost: localhost\r\n\r\nGET /up/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
        assert (await exchange(stand, request)).endswith(b"\r\n\r\nok")


async def test_an_upgrade_is_not_forwarded_and_its_body_arrives() -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.extend(await read_head(reader) + await reader.readexactly(2))
        writer.write(answer(b"ok", "Connection: close"))

    async with standing(serve) as stand:
        upgrade = ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA")
        received = await exchange(stand, post("/up/x", b"{}", *upgrade))

    assert received.endswith(b"ok")
    assert seen.endswith(b"\r\n\r\n{}")
    assert b"pgrade" not in seen
    assert b"HTTP2" not in seen


@pytest.mark.parametrize("framing", [b"Content-Length: 1000", b"Transfer-Encoding: chunked"])
async def test_an_upstream_that_closes_in_the_middle_is_passed_on_as_a_drop(framing: bytes) -> None:
    begun = b"HTTP/1.1 200 OK\r\n" + framing + b"\r\n\r\n10\r\ndata: {"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(begun)
        await writer.drain()

    async with standing(serve) as stand:
        assert await exchange(stand, post(CHAT, REQUEST)) == begun
        assert (await stand.outcome()).verdict is Verdict.RESPONSE_BODY_CUT
        assert stand.proxy.counts.upstreams_dropped == 1


async def test_a_reset_of_the_upstream_reaches_the_client_as_a_reset() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\ndata: {}\n\n")  # as it is read until the end, a close would be its end
        await abort(writer)

    async with standing(serve) as stand:
        reader, writer = await connect(stand)
        writer.write(post(CHAT, REQUEST))
        with pytest.raises(ConnectionResetError):
            await reader.read()
        writer.close()
        assert (await stand.outcome()).verdict is Verdict.RESPONSE_BODY_CUT


async def test_an_upstream_that_closes_without_an_answer_is_a_drop() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)

    async with standing(serve) as stand:
        assert await exchange(stand, post(CHAT, REQUEST)) == b""
        assert (await stand.outcome()).verdict is Verdict.RESPONSE_BODY_CUT


async def test_an_idle_upstream_that_closes_closes_the_idle_client() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(answer(b"ok"))

    async with standing(serve) as stand:
        assert (await exchange(stand, post("/up/x", b""))).endswith(b"ok")
        assert stand.proxy.counts.upstreams_dropped == 0


async def test_what_an_upstream_sends_unasked_never_answers_the_next_request() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(answer(b"ok"))
        await asyncio.sleep(0.1)
        writer.write(answer(b"for nobody"))
        await reader.read()

    async with standing(serve) as stand:
        assert b"nobody" not in await exchange(stand, post("/up/x", b""))


async def test_a_client_that_leaves_before_an_answer_ends_the_upstream_request() -> None:
    gone = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        await reader.readexactly(len(REQUEST))
        waiting.set()
        try:
            await reader.read()
        finally:
            gone.set()

    waiting = asyncio.Event()
    async with standing(serve) as stand:
        _, writer = await connect(stand)
        writer.write(post(CHAT, REQUEST))
        await waiting.wait()
        writer.close()
        outcome = await stand.outcome()
        await gone.wait()

    assert outcome.verdict is Verdict.CANCELLED


async def test_an_answer_before_the_end_of_the_request_arrives() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(answer(b"too large", status="413 Content Too Large"))
        await reader.read()

    async with standing(serve) as stand:
        reader, writer = await connect(stand)
        writer.write(b"POST /up/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n")
        head = await read_head(reader)
        assert head.startswith(b"HTTP/1.1 413 ")
        assert await reader.read() == b"too large"
        writer.close()


GARBAGE = {
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03": b"400",
    b"GET\r\n\r\n": b"400",
    b"nonsense": b"400",
    b"GET /up/ HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n": b"400",
    b"POST /up/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n": b"400",
    b"POST /up/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n": b"400",
    b"G" * 70_000: b"431",
    b"GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n\r\n": b"404",
    b"GET http://example.com/up/ HTTP/1.1\r\nHost: localhost\r\n\r\n": b"421",
    b"GET http://localhost@example.com/up/ HTTP/1.1\r\nHost: localhost\r\n\r\n": b"421",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n": b"400",
    b"GET /up/\r\n\r\n": b"505",
    b"POST /up/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": b"400",
    b"POST /up/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n": b"501",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n": b"404",
    b"CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n": b"501",
    b"GET /up/ HTTP/1.1\r\nHost: rebound.example.com\r\n\r\n": b"421",
}


@pytest.mark.parametrize("sent", GARBAGE, ids=range(len(GARBAGE)))
async def test_what_is_no_request_for_an_upstream_is_answered_and_goes_nowhere(sent: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.append(await reader.read())

    reached: list[bytes] = []
    async with standing(serve) as stand:
        received = await exchange(stand, sent)

    assert received.startswith(b"HTTP/1.1 " + GARBAGE[sent])
    assert b"roundwatch_proxy" in received
    assert not any(reached)
    assert stand.proxy.counts.refused == 1


async def test_a_client_that_does_not_read_stops_the_upstream() -> None:
    """Back-pressure: what the proxy holds stays small, whatever the answer's size."""
    written = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal written
        await read_head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % MANY)
        for _ in range(MANY // 65536):
            writer.write(bytes(65536))
            await writer.drain()
            written += 65536

    async with standing(serve) as stand:
        reader, writer = await connect(stand)
        transport = cast("asyncio.Transport", writer.transport)
        transport.pause_reading()
        writer.write(b"GET /up/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        seen = -1
        while written != seen:
            seen = written
            await asyncio.sleep(0.3)
        assert written < MANY // 2
        transport.resume_reading()
        await read_head(reader)
        assert len(await reader.readexactly(MANY)) == MANY
        writer.close()


async def test_an_upstream_that_does_not_read_stops_the_client() -> None:
    reads_on = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        await reads_on.wait()
        await reader.readexactly(MANY)
        writer.write(answer(b"ok", "Connection: close"))

    async with standing(serve) as stand:
        reader, writer = await connect(stand)
        writer.write(b"POST /up/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % MANY)
        writer.write(bytes(MANY))
        left = -1
        while (size := writer.transport.get_write_buffer_size()) != left:
            left = size
            await asyncio.sleep(0.3)
        assert left > MANY // 2
        reads_on.set()
        assert (await reader.read()).endswith(b"ok")
        writer.close()
