"""The hub's connections, from a socket's first byte on; who may come in, and how long, is the door's to say."""

from __future__ import annotations

import asyncio
from functools import partial
from ssl import SSLContext
from typing import Any, cast

from websockets.asyncio.server import ServerConnection
from websockets.frames import CloseCode
from websockets.protocol import State

from .door import Door
from .tls_entry import HANDSHAKE, NO_TLS

TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 33\r\n\r\nthe request's head is too large.\n"
)
GET = b"G"
"""No other method begins so: one byte tells a websocket's handshake from a body that is posted."""


def connection_options(door: Door, tls: SSLContext | None) -> dict[str, Any]:
    """Return what ``serve`` has to be told so that it makes such connections; with ``tls`` they speak it.

    In another loop than asyncio's own for sockets TLS is left to that loop: it cannot look at a first byte (Windows),
    or begin TLS on a socket that it has accepted (uvloop). There handshakes are cut by time only, and not counted.
    """
    own = isinstance(asyncio.get_running_loop(), asyncio.SelectorEventLoop)
    if tls is None or own:
        return {"create_connection": partial(Watched, door) if tls is None else partial(Secured, door, tls)}
    return {
        "create_connection": partial(Watched, door),
        "ssl": tls,
        "ssl_handshake_timeout": door.handshake_s,
    }


class _Gone:
    """In place of a transport that another protocol uses now: what is left of the handshake would abort it."""

    def abort(self) -> None:
        """Do nothing."""


class Watched(ServerConnection):
    """A connection that the door knows of."""

    def __init__(self, door: Door, *about: Any, **options: Any) -> None:
        """Take what ``ServerConnection`` takes besides."""
        super().__init__(*about, **options)
        self._door = door
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, where there is room."""
        super().connection_made(transport)
        if not self._door.enters(self):
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read, of a request's head no more than it may have; what is no websocket's goes to somebody else."""
        if self.state is State.CONNECTING and self.request is None:
            if not self._head_bytes and data.startswith(HANDSHAKE):
                self._answer(NO_TLS)
                return
            if not self._head_bytes and not data.startswith(GET) and self._door.hand_over(self, data):
                self.transport = cast("asyncio.Transport", _Gone())
                self.connection_lost(None)
                return
            self._head_bytes += len(data)
            if self._door.is_too_large(self._head_bytes):
                self._answer(TOO_LARGE)
                return
        super().data_received(data)

    def _answer(self, reply: bytes) -> None:
        self.transport.write(reply)
        self.transport.close()

    async def close(self, code: CloseCode | int = CloseCode.NORMAL_CLOSURE, reason: str = "") -> None:
        """Say good-bye, unless the connection is gone."""
        if self.state is not State.CLOSED:  # see closing.send
            await super().close(code, reason)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self._door.leaves(self)


class Secured(Watched):
    """One that begins once it is encrypted. Until then its socket counts like any other, and a stop ends it."""

    def __init__(self, door: Door, tls: SSLContext, *about: Any, **options: Any) -> None:
        """Show the certificate of ``tls``."""
        super().__init__(door, *about, **options)
        self._tls = tls
        self._has_begun = self._is_lost = False
        self._early = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Have the socket encrypted, where there is room."""
        self.transport = cast("asyncio.Transport", transport)
        if self._door.enters(self):
            self._door.secure(self, self._tls, self._begin)
        else:
            self.transport.abort()

    def _begin(self, transport: asyncio.Transport) -> None:
        if self._is_lost:
            return
        self._has_begun = True
        super().connection_made(transport)
        if self._early:
            super().data_received(self._early)

    def data_received(self, data: bytes) -> None:
        """Read; what comes together with the end of the handshake waits for the beginning."""
        if self._has_begun:
            super().data_received(data)
        elif self.transport.get_protocol() is not self:  # else it is not encrypted, and has its answer
            self._early += data

    def eof_received(self) -> None:
        """End, where the other side sends no more."""
        if self._has_begun:
            super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._is_lost = True
        if self._has_begun:
            super().connection_lost(exc)
        else:
            self._door.leaves(self)
