"""Connections that stop being HTTP: who asks for one, and passing its bytes on both ways, unobserved."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

_ASKED = re.compile(rb"\r\nupgrade[ \t]*:[ \t]*([^\r\n]+)", re.IGNORECASE)
_STAYS_HTTP = (b"h2c", b"tls/", b"http/")
"""Other forms of HTTP: the upstream connection is ours and stays HTTP/1.1, as a server may always decide."""


def asked_upgrade(head: bytes) -> str | None:
    """Return the protocol that a request wants to change to, as websockets do; None where it is passed on as HTTP.

    Args:
        head: of the request, as it came; only a GET can change the protocol, it has no body that would get lost.
    """
    found = _ASKED.search(head)
    if found is None or not head.startswith(b"GET "):
        return None
    token = found[1].strip()
    return None if token.lower().startswith(_STAYS_HTTP) else token.decode("latin-1")


def join(client: asyncio.Transport, upstream: asyncio.Transport, over: Callable[[], None]) -> None:
    """Pass every byte of two connections on to the other one until one ends, which ends both; then call ``over``."""
    ends = _End(upstream, over), _End(client, None)
    for transport, end in zip((client, upstream), ends, strict=True):
        transport.set_protocol(end)
        transport.resume_reading()


class _End(asyncio.Protocol):
    """One side; what it does not take slows the other side down."""

    def __init__(self, other: asyncio.Transport, over: Callable[[], None] | None) -> None:
        self._other, self._over = other, over

    def data_received(self, data: bytes) -> None:
        self._other.write(data)

    def pause_writing(self) -> None:
        if not self._other.is_closing():
            self._other.pause_reading()

    def resume_writing(self) -> None:
        if not self._other.is_closing():
            self._other.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        if exc is None:
            self._other.close()  # what it has not sent yet leaves first
        else:
            self._other.abort()
        if self._over is not None:
            self._over()
