"""The way into a hub that speaks TLS: a socket is counted before its handshake, and one without TLS is told."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from ssl import SSLContext

from .limits import CLOSE_S

HANDSHAKE = b"\x16"
"""The first byte of every TLS connection; no HTTP request begins with it."""
NEEDS_TLS = 426
"""The HTTP status by which a client without TLS learns that it is needed; clients of ours know it by that."""
NO_PLAIN = (
    b"HTTP/1.1 426 Upgrade Required\r\nUpgrade: TLS/1.2, HTTP/1.1\r\nConnection: Upgrade, close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 47\r\n\r\n"
    b"this hub speaks TLS: its address begins wss://\n"
)
NO_TLS = (
    b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: 49\r\n\r\nthis hub speaks no TLS: its address begins ws://\n"
)
"""To whoever begins with a handshake where there is no TLS: what is no TLS ends theirs at once, with that reason."""


async def secured(
    transport: asyncio.Transport, protocol: asyncio.Protocol, tls: SSLContext, within_s: float
) -> asyncio.Transport | None:
    """Return the encrypted transport for a new socket; None, and the socket is being closed, where none comes about.

    ``protocol`` is not told ``connection_made``, and may be given data before this returns.
    """
    try:
        async with asyncio.timeout(within_s):
            transport.pause_reading()
            first = await _first_byte(transport)
            if first == HANDSHAKE:
                return await asyncio.get_running_loop().start_tls(
                    transport, protocol, tls,
                    server_side=True, ssl_handshake_timeout=within_s, ssl_shutdown_timeout=CLOSE_S,
                )  # fmt: skip
    except OSError:  # a time-out, a client that went away, or one that does not trust the certificate
        first = b""
    except asyncio.CancelledError:
        transport.abort()
        raise
    if first:
        _answer(transport)
    else:
        transport.abort()
    return None


def _answer(transport: asyncio.Transport) -> None:
    """Tell a client without TLS, and end it soon: what is unread at a close would take the answer with it."""
    transport.write(NO_PLAIN)
    with contextlib.suppress(OSError):  # it is gone already
        transport.write_eof()
    transport.resume_reading()
    asyncio.get_running_loop().call_later(CLOSE_S, transport.close)


async def _first_byte(transport: asyncio.Transport) -> bytes:
    """Wait for the first byte of a transport that does not read, and return it, still to be read; none: it ended.

    Raises:
        OSError: the connection was lost, or there are too many open files.
    """
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    with socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno())) as peeked:
        loop.add_reader(peeked, _set, ready)
        try:
            await ready
        finally:
            loop.remove_reader(peeked)
        return peeked.recv(1, socket.MSG_PEEK)


def _set(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)
