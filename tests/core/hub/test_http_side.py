from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trustme
from roundwatch.core.hub import Hub, ensure_token
from roundwatch.core.hub.inlet import Inlet
from roundwatch.core.hub.upload_desk import Patience
from roundwatch.core.hub.uploads import Answer, Upload, UploadHeaders

from tests.core.feeds.otlp.posting import raw, read_reply, request
from tests.core.hub.peers import dial, event, publish

BODY = b"x" * 1000


class Echo:
    """Answers with what it got; slowly when told so."""

    most_bytes = 5000

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.bodies: list[bytes] = []
        self.is_closed = False

    async def open(self, inlet: Inlet) -> None:
        pass

    async def take(self, upload: Upload) -> Answer:
        self.bodies.append(upload.body)
        await self.may_answer.wait()
        if upload.body == b"fail":
            raise ValueError("on purpose")
        return Answer(200, body=upload.body)

    def refuse(self, status: int, why: str, headers: UploadHeaders) -> Answer:
        return Answer(status, "text/own", why.encode())

    async def close(self) -> None:
        self.is_closed = True


@asynccontextmanager
async def echoing(echo: Echo | None = None, **options: Any) -> AsyncGenerator[Hub]:
    async with Hub(port=0, uploads={"/echo": echo or Echo()}, **options) as hub:
        yield hub


def posted(body: bytes = BODY, path: str = "/echo", method: str = "POST", **headers: str) -> bytes:
    return request(path, body, method, **({"Authorization": f"Bearer {ensure_token()}"} | headers))


async def test_one_connection_carries_many_requests_also_sent_at_once_and_in_pieces() -> None:
    async with echoing() as hub:
        reader, writer = await raw(hub, posted(b"one") + posted(b"two"))
        assert [(await read_reply(reader)).body for _ in range(2)] == [b"one", b"two"]
        for byte in posted(b"three"):
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)
        assert (await read_reply(reader)).body == b"three"
        writer.close()


async def test_bodies_in_chunks_and_clients_that_wait_to_be_asked() -> None:
    async with echoing() as hub:
        head = posted(b"", Content_Length="", Transfer_Encoding="chunked", Expect="100-continue")
        reader, writer = await raw(hub, head)
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n")
        assert (await read_reply(reader)).body == b"abcdefg"
        writer.close()


async def test_what_is_refused_gets_its_answer_although_its_body_was_not_read() -> None:
    async with echoing() as hub:
        for sent, status, kind in [
            (posted(BODY * 6), 413, "text/own"),
            (
                posted(b"", Content_Length="", Transfer_Encoding="chunked") + b"2000\r\n" + b"y" * 0x2000,
                413,
                "text/own",
            ),
            (posted(Authorization="Bearer wrong"), 401, "text/own"),
            (posted(path="/elsewhere"), 404, "text/plain; charset=utf-8"),
            (posted(path="/v1/rounds"), 405, "text/plain; charset=utf-8"),
            (posted(method="DELETE"), 405, "text/own"),
            (b"POST /echo HTTP/1.1\r\nbroken\r\n\r\n", 400, "text/plain; charset=utf-8"),
            (b"\x16\x03\x01 no http", 400, "text/plain; charset=utf-8"),
            (posted(Content_Length="12x"), 400, "text/plain; charset=utf-8"),
        ]:
            reader, writer = await raw(hub, sent)
            reply = await read_reply(reader)
            assert (reply.status, reply.headers["content-type"], reply.headers["connection"]) == (status, kind, "close")
            writer.close()


async def test_a_handler_that_fails_is_answered_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with echoing() as hub:
        reader, writer = await raw(hub, posted(b"fail") + posted(b"next"))
        assert (await read_reply(reader)).status == 500
        assert (await read_reply(reader)).body == b"next"
        writer.close()
    assert "an upload could not be handled" in caplog.text


async def test_clients_that_let_the_hub_wait_are_cut_off() -> None:
    short = Patience(head=0.1, pause=0.1, body=0.3, idle=0.1, goodbye=0.1, look=0.05)
    async with echoing() as hub:
        assert hub._posting is not None  # pyright: ignore[reportPrivateUsage]
        hub._posting.patience = short  # pyright: ignore[reportPrivateUsage]
        for sent, status in [(b"POST /echo HTTP/1.1\r\nHo", 408), (posted(b"", Content_Length="10") + b"abc", 408)]:
            reader, writer = await raw(hub, sent)
            assert (await read_reply(reader)).status == status
            async with asyncio.timeout(20):
                assert await reader.read() == b""
            writer.close()
        reader, writer = await raw(hub, posted(b"one"))
        await read_reply(reader)
        async with asyncio.timeout(20):
            assert await reader.read() == b""
        writer.close()


async def test_a_hub_that_stops_finishes_the_answer_and_ends_idle_connections() -> None:
    echo = Echo()
    async with asyncio.timeout(20):
        async with echoing(echo) as hub:
            idle_reader, idle = await raw(hub, posted(b"one"))
            await read_reply(idle_reader)
            echo.may_answer.clear()
            reader, writer = await raw(hub, posted(b"slow"))
            while b"slow" not in echo.bodies:  # noqa: ASYNC110 - the hub's own task takes it
                await asyncio.sleep(0.01)
            stopping = asyncio.create_task(hub.stop())
            assert await idle_reader.read() == b""
            echo.may_answer.set()
            reply = await read_reply(reader)
            assert (reply.body, reply.headers["connection"]) == (b"slow", "close")
            await stopping
    assert echo.is_closed
    for each in (idle, writer):
        each.close()


async def test_a_body_whose_sender_is_gone_is_still_taken() -> None:
    echo = Echo()
    async with echoing(echo) as hub:
        echo.may_answer.clear()
        _, writer = await raw(hub, posted(b"last words"))
        async with asyncio.timeout(20):
            while not echo.bodies:  # noqa: ASYNC110 - the hub's own task takes it
                await asyncio.sleep(0.01)
        writer.transport.abort()
        await asyncio.sleep(0.05)
        echo.may_answer.set()
    assert echo.bodies == [b"last words"]


async def test_websockets_and_plain_requests_go_on_as_before() -> None:
    async with echoing() as hub:
        assert (await publish(hub, event(1)))[0]["type"] == "feed.ack"
        async with dial(hub, "/v1/rounds"):
            pass
        reader, writer = await raw(hub, posted(b"", path="/healthz", method="GET"))
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_under_tls_too() -> None:
    authority = trustme.CA()
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(server)  # pyright: ignore[reportUnknownMemberType]
    authority.configure_trust(client)  # pyright: ignore[reportUnknownMemberType]
    async with echoing(tls=server) as hub:
        reader, writer = await raw(hub, posted(b"one") + posted(b"two"), ssl=client)
        assert [(await read_reply(reader)).body for _ in range(2)] == [b"one", b"two"]
        writer.close()
