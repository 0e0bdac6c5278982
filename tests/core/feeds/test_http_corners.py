"""Corners of HTTP/1.1 that real clients and servers use, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from roundwatch.core.rounds import Verdict

from tests.core.feeds.stand import Serve, Stand, answer, connect, post, proxied, read_head, serving

CHAT = "/up/v1/chat/completions"
EVENT = b'data: {"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"stop"}]}\n\n'


@asynccontextmanager
async def standing(serve: Serve) -> AsyncGenerator[Stand]:
    async with serving(serve) as upstream, proxied(upstream, idle_s=0.0) as stand:
        yield stand


async def sent_and_received(stand: Stand, request: bytes) -> bytes:
    reader, writer = await connect(stand)
    writer.write(request)
    received = await reader.read()
    writer.close()
    return received


async def test_chunk_extensions_and_trailers_of_an_answer_pass_and_are_no_part_of_the_body() -> None:
    sent = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
        b'%x;name="a;b"\r\n%b\r\n0;last\r\nX-Sum: 1\r\n\r\n' % (len(EVENT), EVENT)
    )

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(sent)
        await reader.read()

    async with standing(serve) as stand:
        reader, writer = await connect(stand)
        writer.write(post(CHAT, b"{}"))
        assert await reader.readexactly(len(sent)) == sent
        (round_,) = await stand.ended()
        writer.close()

    assert round_.calls[0].text == "Hello."
    assert round_.calls[0].finish_reason == "stop"


async def test_trailers_of_a_request_end_at_the_proxy_and_its_body_arrives() -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.extend(await reader.readuntil(b"0\r\n\r\n"))
        writer.write(answer(b"ok", "Connection: close"))

    async with standing(serve) as stand:
        head = b"POST /up/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
        received = await sent_and_received(stand, head + b"3\r\nabc\r\n0\r\nX-Sum: 1\r\nHost: elsewhere\r\n\r\n")

    assert received.endswith(b"ok")
    assert seen.endswith(b"3\r\nabc\r\n0\r\n\r\n")
    assert b"elsewhere" not in seen


async def test_a_client_that_waits_for_leave_to_send_its_body_gets_it_from_the_upstream() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert b"Expect: 100-continue" in await read_head(reader)
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        assert await reader.readexactly(2) == b"{}"
        writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + answer(EVENT))
        assert await read_head(reader)
        writer.write(answer(b"next"))

    async with standing(serve) as stand:
        reader, writer = await connect(stand)
        writer.write(post(CHAT, b"", "Expect: 100-continue").replace(b"Content-Length: 0", b"Content-Length: 2"))
        assert await read_head(reader) == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"{}")
        assert (await read_head(reader)).startswith(b"HTTP/1.1 103 ")
        assert (await read_head(reader)).startswith(b"HTTP/1.1 200 ")
        assert await reader.readexactly(len(EVENT)) == EVENT
        (round_,) = await stand.ended()
        writer.write(b"GET /up/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await read_head(reader)).startswith(b"HTTP/1.1 200 ")
        assert await reader.readexactly(4) == b"next"
        writer.close()

    assert round_.calls[0].text == "Hello."


@pytest.mark.parametrize("keep", [b"", b"Connection: keep-alive\r\n"])
async def test_a_client_of_http_1_0_is_answered_in_its_version_and_its_connection_ends(keep: bytes) -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.extend(await read_head(reader))
        writer.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + EVENT)

    async with standing(serve) as stand:
        request = b"POST " + CHAT.encode() + b" HTTP/1.0\r\nHost: localhost\r\n" + keep + b"Content-Length: 2\r\n\r\n{}"
        received = await sent_and_received(stand, request)
        (round_,) = await stand.ended()

    assert seen.startswith(b"POST /v1/chat/completions HTTP/1.0\r\n")
    assert received.endswith(EVENT)
    assert round_.calls[0].text == "Hello."


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
async def test_an_answer_without_a_body_ends_with_its_head_whatever_length_it_names(status: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        length = b"Content-Length: 100\r\n" if status.startswith("304") else b""
        writer.write(f"HTTP/1.1 {status}\r\n".encode() + length + b"\r\n")
        await read_head(reader)
        writer.write(answer(b"next", "Connection: close"))

    async with standing(serve) as stand:
        request = b"GET /up/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
        received = await sent_and_received(stand, request * 2)

    assert received.startswith(f"HTTP/1.1 {status}".encode())
    assert received.endswith(b"\r\n\r\nnext")


async def test_a_head_of_sixty_thousand_bytes_passes_in_both_directions() -> None:
    long = "X-Long: " + "x" * 60_000

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert long.encode() in await read_head(reader)
        writer.write(answer(EVENT, long, "Connection: close"))

    async with standing(serve) as stand:
        received = await sent_and_received(stand, post(CHAT, b"", long))
        (round_,) = await stand.ended()

    assert long.encode() in received
    assert round_.calls[0].text == "Hello."


@pytest.mark.parametrize("named", ["content-length", "Host, Content-Length", "close, content-length"])
async def test_no_connection_header_takes_the_length_away_that_says_where_a_body_ends(named: str) -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.extend(await reader.readuntil(b"secret HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        writer.write(answer(b"ok", "Connection: close"))

    async with standing(serve) as stand:
        received = await sent_and_received(stand, post("/up/x", SMUGGLED, f"Connection: {named}"))

    assert received.endswith(b"ok")
    assert b"Content-Length: %d\r\n" % len(SMUGGLED) in seen


async def test_a_target_that_names_this_server_too_is_taken_and_that_name_counts() -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.extend(await read_head(reader))
        writer.write(answer(b"ok", "Connection: close"))

    async with standing(serve) as stand:
        request = f"GET {stand.base('/a%2Fb//c?d=%20')} HTTP/1.1\r\nHost: elsewhere\r\nX-A: 1\r\n\r\n"
        received = await sent_and_received(stand, request.encode())

    assert received.endswith(b"ok")
    assert seen.startswith(b"GET /a%2Fb//c?d=%20 HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"elsewhere" not in seen


async def test_repeated_headers_keep_their_order_and_a_path_its_bytes() -> None:
    seen = bytearray()
    headers = "X-A: 1\r\nx-a: 2\r\nX-B: \u00e4\r\nX-A: 1\r\n"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.extend(await read_head(reader))
        writer.write(answer(b"ok", "Set-Cookie: a=1", "set-cookie: b=2", "Set-Cookie: a=1", "Connection: close"))

    async with standing(serve) as stand:
        target = "/up/%7euser/./a/../%E4%BD%A0;p=1,2//?q=%2f+%2F&q=%zz"
        request = f"GET {target} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode("latin-1")
        received = await sent_and_received(stand, request)

    assert seen.startswith(f"GET {target.removeprefix('/up')} HTTP/1.1\r\n".encode())
    assert headers.encode("latin-1") in seen
    assert b"Set-Cookie: a=1\r\nset-cookie: b=2\r\nSet-Cookie: a=1\r\n" in received


async def test_ten_thousand_interim_answers_pass_and_the_answer_is_read() -> None:
    interim = b"HTTP/1.1 102 Processing\r\n\r\n" * 10_000

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(interim + answer(EVENT, "Connection: close"))
        await writer.drain()

    async with standing(serve) as stand:
        received = await sent_and_received(stand, post(CHAT, b"{}"))
        (round_,) = await stand.ended()

    assert received.startswith(interim)
    assert round_.calls[0].text == "Hello."


async def test_a_question_whose_kept_connection_closes_under_it_is_sent_once_and_its_client_is_told() -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for n in range(2):
            seen.extend(await read_head(reader) + await reader.readexactly(2))
            writer.write(answer(EVENT) if n == 0 else b"")

    async with standing(serve) as stand:
        reader, writer = await connect(stand)
        writer.write(post(CHAT, b"{}"))
        await read_head(reader)
        await reader.readexactly(len(EVENT))
        writer.write(post(CHAT, b"[]"))
        assert await reader.read() == b""
        writer.close()
        rounds = await stand.ended(2)

    assert seen.count(b"POST /v1/chat/completions") == 2
    assert [round_.calls[0].outcome for round_ in rounds] == ["completed", "body_cut"]


SMUGGLED = b"GET /up/secret HTTP/1.1\r\nHost: localhost\r\n\r\n"
AMBIGUOUS = {
    "length and chunks": b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and length": b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 0\r\nContent-Length: 40\r\n\r\n",
    "a list of lengths": b"Content-Length: 0, 40\r\n\r\n",
    "a signed length": b"Content-Length: +0\r\n\r\n",
    "a length with blanks inside": b"Content-Length: 0 0\r\n\r\n",
    "chunks in disguise": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunks that are not the last coding": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "a blank before the colon": b"Content-Length : 40\r\n\r\n",
    "a folded line": b"X-A: 1\r\n Content-Length: 40\r\n\r\n",
    "a bare line feed": b"X-A: 1\nContent-Length: 40\r\n\r\n",
    "a bare carriage return": b"X-A: 1\rContent-Length: 40\r\n\r\n",
    "a null": b"X-A: \x001\r\n\r\n",
}


@pytest.mark.parametrize("framing", AMBIGUOUS)
async def test_a_request_whose_end_is_ambiguous_is_refused_and_reaches_nobody(framing: str) -> None:
    reached = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.extend(await reader.read())

    async with standing(serve) as stand:
        received = await sent_and_received(
            stand, b"POST /up/x HTTP/1.1\r\nHost: localhost\r\n" + AMBIGUOUS[framing] + SMUGGLED
        )

    assert received.startswith(b"HTTP/1.1 400 ")
    assert b"roundwatch_proxy" in received
    assert not reached


async def test_a_chunk_of_no_valid_size_ends_the_request_and_what_follows_is_no_request() -> None:
    reached = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.extend(await reader.read())

    async with standing(serve) as stand:
        head = b"POST /up/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        received = await sent_and_received(stand, head + b"0x2\r\nab\r\n0\r\n\r\n" + SMUGGLED)

    assert received.startswith(b"HTTP/1.1 400 ")
    assert b"secret" not in reached


@pytest.mark.parametrize("encoding", ["gzip", "unheard-of"])
async def test_a_failure_whose_words_cannot_be_read_is_the_provider_s_all_the_same(encoding: str) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(answer(b"no gzip", f"Content-Encoding: {encoding}", "Connection: close", status="503 No"))

    async with standing(serve) as stand:
        await sent_and_received(stand, post(CHAT, b"{}"))
        outcome = await stand.outcome()
        (round_,) = stand.ledger.rounds.values()

    assert outcome.verdict is Verdict.PROVIDER_ERROR
    error = round_.calls[0].error
    assert error is not None
    assert error.http_status == 503
    assert error.message
