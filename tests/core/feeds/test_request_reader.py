from __future__ import annotations

from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.request_reader import RequestHead, RequestReader

CHUNKED = b"POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
REQUESTS = (
    b"\r\nPOST /a?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n\x00\r\n\xff"
    b"GET /c HTTP/1.1\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"
)


class Listener:
    """Answers nothing by itself; the test does."""

    def __init__(self) -> None:
        self.is_busy = False
        self.heads: list[RequestHead] = []
        self.body = b""
        self.ends = 0
        self.broken: list[HTTPStatus] = []

    def request_head(self, head: RequestHead) -> None:
        self.is_busy = True
        self.heads.append(head)

    def request_body(self, data: bytes) -> None:
        self.body += data

    def request_end(self) -> None:
        self.ends += 1

    def request_broken(self, status: HTTPStatus, message: str) -> None:
        self.broken.append(status)


@given(sizes=st.lists(st.integers(1, 40), min_size=1, max_size=20))
def test_any_split_of_the_bytes_gives_the_same_requests(sizes: list[int]) -> None:
    listener, data = Listener(), REQUESTS + CHUNKED
    reader = RequestReader(listener)
    at = turn = 0
    while at < len(data):
        reader.feed(data[at : at + sizes[turn % len(sizes)]])
        at += sizes[turn % len(sizes)]
        turn += 1
        while listener.is_busy and reader.is_whole:
            listener.is_busy = False
            reader.read_on()

    assert [(head.method, head.target, head.is_chunked) for head in listener.heads] == [
        ("POST", "/a?x=1", False),
        ("GET", "/c", False),
        ("POST", "/b", True),
    ]
    assert listener.body == b"\x00\r\n\xffabcde"
    assert (listener.ends, listener.broken) == (3, [])


def test_the_next_request_waits_for_its_turn() -> None:
    listener = Listener()
    reader = RequestReader(listener)
    reader.feed(REQUESTS)

    assert len(listener.heads) == 1
    assert reader.waiting == len(REQUESTS.partition(b"\xff")[2])


@given(st.binary(max_size=300))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    listener = Listener()
    reader = RequestReader(listener)
    for start in (b"", b"POST / HTTP/1.1\r\n", CHUNKED[:60]):
        reader.feed(start + data)

    assert len(listener.broken) <= 1


def test_what_follows_chunks_at_once_is_seen_and_not_read() -> None:
    listener = Listener()
    reader = RequestReader(listener)
    reader.feed(CHUNKED + b"POST /smuggled HTTP/1.1\r\nContent-Length: 1\r\n\r\nx")

    assert reader.saw_more
    assert listener.body == b"abcde"
    assert len(listener.heads) == 1


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"GET /a\r\n\r\n", HTTPStatus.HTTP_VERSION_NOT_SUPPORTED),
        (b"POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", HTTPStatus.BAD_REQUEST),
        (b"POST /a HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", HTTPStatus.NOT_IMPLEMENTED),
        (
            b"POST /a HTTP/1.1\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n",
            HTTPStatus.NOT_IMPLEMENTED,
        ),
    ],
)
def test_a_head_that_cannot_be_forwarded_as_what_it_is_ends_the_reading(sent: bytes, status: HTTPStatus) -> None:
    listener = Listener()
    reader = RequestReader(listener)

    reader.feed(sent + b"GET /smuggled HTTP/1.1\r\n\r\n")

    assert listener.broken == [status]
    assert listener.heads == []
    assert reader.waiting == 0
