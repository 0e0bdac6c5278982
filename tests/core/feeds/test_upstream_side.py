from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest
from roundwatch.core.feeds.upstream_side import MAX_UNTOLD, READ_BYTES, Response, UpstreamSide

from tests.core.feeds.certificate import server_context, trusting_context
from tests.core.feeds.stand import Serve, answer, connect, post, proxied, read_head, serving


class Downstream:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def answer_bytes(self, data: bytes) -> None:
        self.told.append(data)

    def answer_head(self, response: Response) -> None:
        self.told.append(response[0])

    def answer_body(self, data: bytes) -> None:
        self.told.append(("body", data))

    def answer_end(self, *, keep_alive: bool) -> None:
        self.told.append(("end", keep_alive))

    def answer_upgraded(self) -> None:
        self.told.append("upgraded")

    def answer_lost(self, reason: str, *, is_reset: bool) -> None:
        self.told.append(("lost", is_reset))

    def upstream_blocks(self, blocked: bool) -> None:
        self.told.append(("blocks", blocked))


@pytest.fixture
def told() -> Downstream:
    return Downstream()


def feed(told: Downstream, data: bytes, method: str = "GET") -> UpstreamSide:
    side = UpstreamSide(told, memoryview(bytearray(READ_BYTES)))
    side.expect(method)
    side.data_received(data)
    return side


def test_bytes_are_passed_on_before_they_are_read(told: Downstream) -> None:
    data = answer(b"ok")
    feed(told, data)

    assert told.told == [data, 200, ("body", b"ok"), ("end", True)]


@pytest.mark.parametrize(
    "begin",
    [
        b"HTTP/1.1 200 OK\r\nX-Endless: ",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Endless: ",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;endless=",
    ],
    ids=["head", "trailers", "chunk extension"],
)
def test_what_never_comes_to_a_body_is_passed_on_and_read_no_further(begin: bytes, told: Downstream) -> None:
    side = feed(told, begin)
    for _ in range(MAX_UNTOLD // READ_BYTES + 2):
        side.data_received(b"x" * READ_BYTES)

    assert not side.is_open
    assert sum(len(one) for one in told.told if isinstance(one, bytes)) > MAX_UNTOLD
    side.connection_lost(None)
    assert told.told[-1] == ("lost", False)


def test_a_body_of_any_length_is_read(told: Downstream) -> None:
    side = feed(told, b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (3 * MAX_UNTOLD))
    for _ in range(3):
        side.data_received(bytes(MAX_UNTOLD))

    assert told.told[-1] == ("end", True)


@pytest.mark.parametrize("extra", [answer(b"second"), b"garbage"])
def test_more_than_was_asked_for_ends_the_connection(extra: bytes, told: Downstream) -> None:
    feed(told, answer(b"ok") + extra)

    assert told.told[-1] == ("end", False)
    assert ("body", b"second") not in told.told


def test_an_interim_answer_is_not_the_answer(told: Downstream) -> None:
    side = feed(told, b"HTTP/1.1 100 Continue\r\n\r\n")
    assert told.told == [b"HTTP/1.1 100 Continue\r\n\r\n"]

    side.data_received(answer(b""))
    assert told.told[-1] == ("end", True)


@pytest.mark.parametrize(
    ("begun", "error", "end"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\npart", None, ("end", False)),
        (b"HTTP/1.1 200 OK\r\n\r\npart", ConnectionResetError(), ("lost", True)),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart", None, ("lost", False)),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n", None, ("lost", False)),
        (b"no http at all", None, ("lost", False)),
        (b"", None, ("lost", False)),
    ],
)
def test_only_an_answer_without_a_length_ends_with_its_connection(
    begun: bytes, error: Exception | None, end: tuple[str, bool], told: Downstream
) -> None:
    feed(told, begun).connection_lost(error)

    assert told.told[-1] == end


def test_after_it_was_let_go_nothing_is_told(told: Downstream) -> None:
    side = feed(told, b"")
    side.abort()
    told.told.clear()
    side.data_received(answer(b"late"))
    side.connection_lost(None)

    assert told.told == []


def encrypted() -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        writer.write(answer(b"over tls", "Connection: close"))
        await writer.drain()

    return serve


@pytest.mark.parametrize(
    ("host", "tls", "status"),
    [
        ("localhost", trusting_context(), b"200"),
        ("localhost", None, b"502"),  # nobody vouches for the certificate
        ("127.0.0.1", trusting_context(), b"502"),  # it is another host's
    ],
)
async def test_the_certificate_of_an_upstream_is_checked(
    host: str, tls: ssl.SSLContext | None, status: bytes, tmp_path: Path
) -> None:
    async with (
        serving(encrypted(), server_context(tmp_path)) as url,
        proxied(url.replace("127.0.0.1", host), tls=tls) as stand,
    ):
        reader, writer = await connect(stand)
        writer.write(post("/up/x", b"{}"))
        received = await reader.read()
        writer.close()

    assert received.startswith(b"HTTP/1.1 " + status)
    assert received.endswith(b"over tls") is (status == b"200")
