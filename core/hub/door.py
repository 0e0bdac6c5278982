"""The sockets of a hub, from the first byte on: none waits for ever, none sends a book for a header."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from ssl import SSLContext
from typing import Protocol, cast

from websockets.asyncio.server import ServerConnection
from websockets.frames import CloseCode

from .closing import abort_unless_closed
from .gate import Admission, Gate, Refusal
from .limits import CLOSE_S, Limits
from .metrics import Counters
from .seats import Seats
from .tls_entry import secured
from .upload_desk import UploadDesk

HANDSHAKES = 256
"""Sockets beyond those with a seat: they are being asked who they are, or read what is answered."""
NO_HTTP = (
    b"HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: 51\r\n\r\nnot installed: h11. pip install 'roundwatch[otlp]'\n"
)


class Socket(Protocol):
    """Whatever holds an open socket."""

    @property
    def transport(self) -> asyncio.Transport:
        """The socket's transport."""
        ...


class Door:
    """Every open socket, and which of them have a seat."""

    def __init__(self, limits: Limits, counters: Counters) -> None:
        """Start with none."""
        self._limits = limits
        self._counters = counters
        self.uploads: UploadDesk | None = None
        """Serves connections that do not begin with GET; None: they are refused as websockets are."""
        self._ends: set[asyncio.Task[None]] = set()
        self._entering: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self.open: set[Socket] = set()
        """Handshakes included."""
        self.seats: Seats[ServerConnection] = Seats(limits)

    @property
    def handshake_s(self) -> float:
        """How long a socket may take until it has said who it is."""
        return self._limits.handshake_s

    def take_seat(self, connection: ServerConnection, admission: Admission) -> None:
        """Let a connection in.

        Raises:
            Refusal: there are too many.
        """
        self.seats.take(connection, admission, address_of(connection.transport))

    def enters(self, connection: ServerConnection) -> bool:
        """Take note of a new socket; return whether there is room for it."""
        if self._is_closed:
            return False
        if len(self.open) >= self._limits.connections + HANDSHAKES:
            self._counters.turned_away += 1
            return False
        self.open.add(connection)
        return True

    async def close(self) -> None:
        """Let no new socket in, and cut off all that are open; returns once they are gone."""
        self._is_closed = True
        for entering in self._entering:
            entering.cancel()
        for connection in list(self.open):
            connection.transport.abort()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                while self.open:  # noqa: ASYNC110 - each tells by being gone
                    await asyncio.sleep(0)

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

    def hand_over(self, connection: ServerConnection, data: bytes) -> bool:
        """Let somebody else serve a connection that has only begun, with the bytes that came; return whether."""
        if self.uploads is None:
            return False
        transport = connection.transport
        try:
            from .http_side import HttpSide  # here: the library is in an extra, and a hub without senders needs none
        except ImportError:
            transport.write(NO_HTTP)
            transport.close()
            return True
        side = HttpSide(self.uploads, self.open.discard)
        self.open.add(side)
        transport.set_protocol(side)
        side.connection_made(transport)
        side.data_received(data)
        return True

    def revoke(self, gate: Gate) -> int:
        """End everybody with a seat whom ``gate`` would not let in again as the same; return how many that are."""
        revoked = [connection for connection, admission in self.seats if not _is_good(gate, connection, admission)]
        for connection in revoked:
            self._ends.add(ending := asyncio.create_task(_end(connection), name="revoked"))
            ending.add_done_callback(self._ends.discard)
        self._counters.revoked += len(revoked)
        return len(revoked)

    def secure(self, connection: ServerConnection, tls: SSLContext, begin: Callable[[asyncio.Transport], None]) -> None:
        """Have a new socket encrypted, then let ``begin`` go on with it."""
        self._entering.add(entering := asyncio.create_task(self._secure(connection, tls, begin), name="TLS"))
        entering.add_done_callback(self._entering.discard)

    async def _secure(
        self, connection: ServerConnection, tls: SSLContext, begin: Callable[[asyncio.Transport], None]
    ) -> None:
        outer, inner = connection.transport, None
        try:
            inner = await secured(outer, connection, tls, self._limits.handshake_s)
        finally:
            if inner is None and outer.is_closing():  # asyncio tells nobody of an end during a handshake
                self.leaves(connection)
        if inner is not None:
            begin(inner)


def _is_good(gate: Gate, connection: ServerConnection, admission: Admission) -> bool:
    request = connection.request
    if request is None:
        return False
    try:
        again = gate.admit(request.method, request.path, request.headers)
    except Refusal:
        return False
    return again.identity.name == admission.identity.name


async def _end(connection: ServerConnection) -> None:
    await abort_unless_closed(connection, CloseCode.POLICY_VIOLATION, "this token is no longer good here")


def address_of(transport: asyncio.BaseTransport) -> str:
    """Return where a socket comes from, without its port."""
    peer: object = transport.get_extra_info("peername")
    return str(cast("tuple[object, ...]", peer)[0]) if isinstance(peer, tuple) and peer else ""
