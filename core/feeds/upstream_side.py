"""The proxy's connection to an upstream: bytes go on as they come, a parser follows them to find where answers end."""

from __future__ import annotations

import asyncio
from typing import Protocol, cast

import httptools

from .heads import Headers

Response = tuple[int, Headers]
"""Status and headers."""
NO_BODY = frozenset((204, 304))
SWITCHING = 101
READ_BYTES = 64 * 1024
"""What is read from an upstream at a time."""
MAX_UNTOLD = 1024 * 1024
"""Bytes of heads, chunk sizes and trailers in a row that are read; an upstream that sends more is passed on unread."""


class Downstream(Protocol):
    """Who gets the upstream's bytes, and what was read of them."""

    def answer_bytes(self, data: bytes) -> None:
        """Take bytes of the answer exactly as they came."""

    def answer_head(self, response: Response) -> None:
        """Take note of status and headers; the bytes were passed on before."""

    def answer_body(self, data: bytes) -> None:
        """Take note of a piece of the body, without its framing."""

    def answer_end(self, *, keep_alive: bool) -> None:
        """Take note that the answer is whole."""

    def answer_upgraded(self) -> None:
        """Take note that both sides stop speaking HTTP; the bytes were passed on before."""

    def answer_lost(self, reason: str, *, is_reset: bool) -> None:
        """Take note that the upstream ended the connection, in the middle of an answer or without one."""

    def upstream_blocks(self, blocked: bool) -> None:
        """Stop, or go on, sending: the upstream takes no more for now."""


class UpstreamSide(asyncio.BufferedProtocol):
    """One connection to an upstream, used for one request after another of one client connection."""

    def __init__(self, downstream: Downstream, buffer: memoryview) -> None:
        """Bring answers to ``downstream``.

        Args:
            buffer: what is read goes through it; connections of one event loop may share it. A buffer of its own
                for every read, as asyncio makes it, costs ten times as much as the reading.
        """
        self._downstream, self._buffer = downstream, buffer
        self._transport: asyncio.Transport | None = None
        self._parser: httptools.HttpResponseParser | None = None
        self._is_head = False
        self._is_raw = False
        """The answer could not be read as HTTP: it is passed on until the connection ends."""
        self._headers: list[tuple[bytes, bytes]] = []
        self._status = 0
        self._untold = 0
        """Bytes since the parser last told of anything."""
        self._until_close = False
        self._busy = self._over = self._keeps_alive = False
        self._is_let_go = False
        self._may_upgrade = self._is_upgraded = self._has_head = False

    @property
    def is_open(self) -> bool:
        """Whether a request can be sent."""
        return self._transport is not None and not self._transport.is_closing() and not self._is_raw

    def expect(self, method: str, *, upgrade: bool = False) -> None:
        """Get ready for the answer to a request with ``method``, which may ask to change the protocol."""
        self._may_upgrade, self._is_upgraded = upgrade, False
        self._busy, self._over, self._is_head = True, False, method == "HEAD"
        self._parser = httptools.HttpResponseParser(self)
        self._until_close, self._untold = False, 0

    def send(self, data: bytes) -> None:
        """Send bytes of a request."""
        if self._transport is not None:
            self._transport.write(data)

    def pause(self, paused: bool) -> None:
        """Stop, or go on, reading: the client takes no more for now."""
        if self._transport is None or self._transport.is_closing():
            return
        if paused:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def abort(self) -> None:
        """End the connection at once; nothing more is told."""
        self._is_let_go = True
        if self._transport is not None:
            self._transport.abort()

    def release(self) -> asyncio.Transport:
        """Give the connection to somebody else; nothing more is told."""
        assert self._transport is not None
        self._is_let_go = True
        return self._transport

    # what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are none by inheritance

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Take in what the upstream sent."""
        if self._is_let_go:
            return
        self._downstream.answer_bytes(data)
        if self._is_raw or not self._busy or self._parser is None:
            return
        self._untold += len(data)
        try:
            self._parser.feed_data(data)
            self._is_raw = self._untold > MAX_UNTOLD and not self._over
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._keeps_alive = False
            self._is_raw = not self._over
        if self._is_upgraded:
            self._downstream.answer_upgraded()
        elif self._over:
            self._busy = False
            self._downstream.answer_end(keep_alive=self._keeps_alive)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._is_let_go:
            return
        if self._busy and self._until_close and exc is None and not self._is_raw:
            self._downstream.answer_end(keep_alive=False)
            return
        reason = type(exc).__name__ if exc is not None else "the upstream closed the connection"
        if self._is_raw:
            reason = "the answer is no valid HTTP/1.1"
        self._downstream.answer_lost(reason, is_reset=exc is not None)

    def pause_writing(self) -> None:
        self._downstream.upstream_blocks(True)

    def resume_writing(self) -> None:
        self._downstream.upstream_blocks(False)

    # what the parser calls

    def on_message_begin(self) -> None:
        self._headers, self._has_head = [], False
        if self._over:  # more than was asked for: the next request must not get it as its answer
            self._keeps_alive = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._has_head:  # else it is a trailer
            self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        assert self._parser is not None
        self._has_head, self._untold = True, 0
        if self._over:
            return
        self._status = self._parser.get_status_code()
        if 100 <= self._status < 200:
            self._is_upgraded = self._may_upgrade and self._status == SWITCHING
            return
        names = {name.lower() for name, _ in self._headers}
        framed = bool(names & {b"content-length", b"transfer-encoding"})
        self._until_close = not (framed or self._is_head or self._status in NO_BODY)
        self._downstream.answer_head((self._status, tuple(self._headers)))
        if self._is_head:  # the parser cannot know that no body follows
            self._is_over()

    def on_body(self, data: bytes) -> None:
        self._untold = 0
        if not self._over:
            self._downstream.answer_body(data)

    def on_message_complete(self) -> None:
        if not self._over and not 100 <= self._status < 200:
            self._is_over()

    def _is_over(self) -> None:
        assert self._parser is not None
        self._over, self._keeps_alive = True, self._parser.should_keep_alive()
