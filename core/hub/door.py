"""The sockets of a hub, from the first byte on: none waits for ever, none sends a book for a header."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection
from websockets.frames import CloseCode
from websockets.protocol import State

from .gate import Admission
from .limits import Limits
from .metrics import Counters
from .seats import Seats

HANDSHAKES = 256
"""Sockets beyond those with a seat: they are being asked who they are, or read what is answered."""
TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: 33\r\n\r\nthe request's head is too large.\n"
)


class Door:
    """Every open socket, and which of them have a seat."""

    def __init__(self, limits: Limits, counters: Counters) -> None:
        """Start with none."""
        self._limits = limits
        self._counters = counters
        self.open: set[ServerConnection] = set()
        """Handshakes included."""
        self.seats: Seats[ServerConnection] = Seats(limits)

    def take_seat(self, connection: ServerConnection, admission: Admission) -> None:
        """Let a connection in.

        Raises:
            Refusal: there are too many.
        """
        self.seats.take(connection, admission, address_of(connection.transport))

    def enters(self, connection: ServerConnection) -> bool:
        """Take note of a new socket; return whether there is room for it."""
        if len(self.open) >= self._limits.connections + HANDSHAKES:
            self._counters.turned_away += 1
            return False
        self.open.add(connection)
        return True

    def leaves(self, connection: ServerConnection) -> None:
        """Forget a socket that is gone."""
        self.open.discard(connection)
        self.seats.leave(connection)

    def is_too_large(self, head_bytes: int) -> bool:
        """Return whether a request's head is; then it is counted."""
        if head_bytes <= self._limits.header_bytes:
            return False
        self._counters.heads_too_large += 1
        return True

    def connection_type(self) -> type[ServerConnection]:
        """Return the class of connections that keep to this."""
        return _type(self.enters, self.leaves, self.is_too_large)


def address_of(transport: asyncio.BaseTransport) -> str:
    """Return where a socket comes from, without its port."""
    peer: object = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) and peer else ""


def _type(
    enters: Callable[[ServerConnection], bool],
    leaves: Callable[[ServerConnection], None],
    is_too_large: Callable[[int], bool],
) -> type[ServerConnection]:
    class Watched(ServerConnection):
        head_bytes = 0

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            if not enters(self):
                self.transport.abort()

        def data_received(self, data: bytes) -> None:
            if self.state is State.CONNECTING and self.request is None:
                self.head_bytes += len(data)
                if is_too_large(self.head_bytes):
                    self.transport.write(TOO_LARGE)
                    self.transport.close()
                    return
            super().data_received(data)

        async def close(self, code: CloseCode | int = CloseCode.NORMAL_CLOSURE, reason: str = "") -> None:
            if self.state is not State.CLOSED:  # see closing.send
                await super().close(code, reason)

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            leaves(self)

    return Watched
