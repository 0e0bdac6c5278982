"""Reads the requests of one client connection, one at a time: nothing of a later one is looked at before its turn."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol

import httptools

from .heads import Headers, header, origin_form, without_upgrade
from .upgrades import asked_upgrade

MAX_HEAD = 64 * 1024
HEAD_END = b"\r\n\r\n"
VERSIONS = ("1.0", "1.1")
NO_HTTP = "the request is no valid HTTP/1.1"
_A, _Z = b"AZ"


@dataclass(frozen=True, slots=True)
class RequestHead:
    """What a request begins with."""

    method: str
    target: str
    """Latin-1, as it came."""
    version: str
    headers: Headers
    is_chunked: bool
    keep_alive: bool
    """The client wants to use the connection again."""
    upgrade: str | None = None
    """The protocol that it wants to change to."""


class RequestListener(Protocol):
    """Who is told of requests."""

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered: the next one has to wait."""
        ...

    def request_head(self, head: RequestHead) -> None:
        """Take a request's head."""

    def request_body(self, data: bytes) -> None:
        """Take a piece of its body, without framing."""

    def request_end(self) -> None:
        """Take note that it is whole."""

    def request_broken(self, status: HTTPStatus, message: str) -> None:
        """Take note that nothing more can be read, and why."""


class RequestReader:
    """Turns the bytes of a client into requests; sans-I/O."""

    def __init__(self, listener: RequestListener) -> None:
        """Tell ``listener``."""
        self._listener = listener
        self._in = bytearray()
        self._parser: httptools.HttpRequestParser | None = None
        self._is_stopped = False
        self._has_head = False
        self.is_whole = True
        """No part of a request that has begun is missing."""
        self.saw_more = False
        """Something followed a body in chunks at once; it cannot be told apart from it and is not read."""
        self._upgrade: str | None = None
        self._url = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._left: int | None = 0
        """Body bytes still to come; None = it comes in chunks, until the parser sees its end."""

    @property
    def waiting(self) -> int:
        """How many bytes wait for their turn."""
        return len(self._in)

    @property
    def in_head(self) -> bool:
        """Whether a part of a head is there."""
        return bool(self._in) and self.is_whole

    def feed(self, data: bytes) -> None:
        """Take bytes from the client and read as far as it is their turn."""
        if not self._is_stopped:
            self._in += data
            self.read_on()

    def read_on(self) -> None:
        """Read what waits; called again once a request was answered."""
        while self._in and not self._is_stopped:
            if not self.is_whole:
                self._read_body()
            elif self._listener.is_busy or not self._read_head():
                return

    def stop(self) -> None:
        """Read nothing more."""
        self._is_stopped = True
        self._in.clear()

    def take(self) -> bytes:
        """Read nothing more and return what waits: it is no HTTP any more."""
        waiting = bytes(self._in)
        self.stop()
        return waiting

    def _read_body(self) -> None:
        size = len(self._in) if self._left is None else min(self._left, len(self._in))
        data = bytes(self._in[:size])
        del self._in[:size]
        if self._left is not None:
            self._left -= size
        self._parse(data)
        if not (data or self.is_whole or self._is_stopped):  # the parser waits for a body that cannot come
            self._break(HTTPStatus.BAD_REQUEST, NO_HTTP)

    def _read_head(self) -> bool:
        while self._in.startswith(b"\r\n"):  # some clients end a body with an empty line too many
            del self._in[:2]
        end = self._in.find(HEAD_END)
        if len(self._in) == 1 and self._in.startswith(b"\r"):
            return False
        if end < 0 and self._in and not _A <= self._in[0] <= _Z:  # no method begins so; TLS and other protocols do
            self._break(HTTPStatus.BAD_REQUEST, "this is no HTTP request; the proxy speaks plain HTTP/1.1")
        elif end > MAX_HEAD or (end < 0 and len(self._in) > MAX_HEAD):
            self._break(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"a head may have {MAX_HEAD} bytes")
        elif end >= 0:
            head = bytes(self._in[: end + len(HEAD_END)])
            del self._in[: end + len(HEAD_END)]
            self._url, self._headers, self._left = b"", [], 0
            self._has_head, self.is_whole = False, False
            self._parser = httptools.HttpRequestParser(self)
            self._upgrade = asked_upgrade(head)
            self._parse(without_upgrade(head))
            if not (self._has_head or self._is_stopped):  # HTTP/2 begins with a head that is none
                self._break(HTTPStatus.BAD_REQUEST, NO_HTTP)
            return True
        return False

    def _parse(self, data: bytes) -> None:
        assert self._parser is not None
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._break(HTTPStatus.NOT_IMPLEMENTED, "the proxy opens no tunnels")
        except httptools.HttpParserError:
            if not self.is_whole:  # what follows a whole request is another one's business
                self._break(HTTPStatus.BAD_REQUEST, NO_HTTP)

    def _break(self, status: HTTPStatus, message: str) -> None:
        if self._is_stopped:
            return
        self.stop()
        self._listener.request_broken(status, message)

    # what the parser calls

    def on_message_begin(self) -> None:
        if self.is_whole:
            self.saw_more = True

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._has_head:
            self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        assert self._parser is not None
        if self._has_head or self._parser.should_upgrade():
            return
        self._has_head = True
        codings = [value.strip().lower() for name, value in self._headers if name.lower() == b"transfer-encoding"]
        if (wrong := _unsupported(self._parser.get_http_version(), codings)) is not None:
            self._break(*wrong)
            return
        self._left = None if codings else int(header(self._headers, b"content-length") or 0)
        target, headers = origin_form(self._url, self._headers)
        self._listener.request_head(
            RequestHead(
                method=self._parser.get_method().decode("ascii"),
                target=target.decode("latin-1"),
                version=self._parser.get_http_version(),
                headers=tuple(headers),
                is_chunked=bool(codings),
                keep_alive=self._parser.should_keep_alive(),
                upgrade=self._upgrade,
            )
        )

    def on_body(self, data: bytes) -> None:
        if not self.is_whole and not self._is_stopped:
            self._listener.request_body(data)

    def on_message_complete(self) -> None:
        if self._has_head and not self.is_whole:
            self.is_whole = True
            if not self._is_stopped:
                self._listener.request_end()


def _unsupported(version: str, codings: list[bytes]) -> tuple[HTTPStatus, str] | None:
    """Return what to answer where a body could not be forwarded as what it is; None: it can."""
    if version not in VERSIONS:
        return HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "the proxy speaks HTTP/1.1"
    if codings and version == "1.0":  # RFC 9112, section 6.1
        return HTTPStatus.BAD_REQUEST, "HTTP/1.0 knows no chunks"
    if codings and codings[-1].rpartition(b",")[2].strip() != b"chunked":
        return HTTPStatus.BAD_REQUEST, NO_HTTP  # nothing says where the body ends
    if codings not in ([], [b"chunked"]):
        return HTTPStatus.NOT_IMPLEMENTED, "the proxy knows no other transfer coding than chunked"
    return None
