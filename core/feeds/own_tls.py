"""The proxy's own TLS: its certificate, and a door that tells clients without TLS what they have come to."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, cast

from .heads import own_reply

log = logging.getLogger(__name__)

HANDSHAKE = b"\x16"
"""The first byte of every TLS connection; no HTTP request begins with it."""
FIRST_BYTE_S = 60.0
BACKLOG = 256


class TlsDoor:
    """Listens, and looks at the first byte of each connection before it speaks TLS."""

    def __init__(self, serve: Callable[[], asyncio.Protocol], context: ssl.SSLContext) -> None:
        """Serve connections with TLS; nothing listens before ``open``."""
        self._serve, self._context = serve, context
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: socket.socket | None = None

    async def open(self, host: str, port: int) -> int:
        """Listen; return the port.

        Raises:
            OSError: it is taken, or the host is none of this machine.
        """
        family, kind, protocol, _, address = (
            await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        )[0]
        server = socket.socket(family, kind, protocol)
        try:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.setblocking(False)
            server.bind(address)
            server.listen(BACKLOG)
        except OSError:
            server.close()
            raise
        self._server = server
        self._spawn(self._accept(server))
        return int(server.getsockname()[1])

    async def close(self) -> None:
        """Take no more connections; those that came through stay open."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._server is not None:
            self._server.close()

    async def _accept(self, server: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(server)
            except OSError as error:  # too many open files: some of them will be closed
                log.warning("no connection can be accepted: %s", error.strerror)
                await asyncio.sleep(1.0)
                continue
            self._spawn(self._enter(connection))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _enter(self, connection: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(FIRST_BYTE_S):
                first = await _first_byte(connection)
            if first == HANDSHAKE:
                await loop.connect_accepted_socket(self._serve, connection, ssl=self._context)
            elif first:
                await loop.connect_accepted_socket(_PlainSide, connection)
            else:
                connection.close()
        except (OSError, TimeoutError) as error:  # the client went away, or does not trust the certificate
            log.info("a client did not come through the TLS handshake: %s", type(error).__name__)
            connection.close()
        except asyncio.CancelledError:
            connection.close()
            raise


async def _first_byte(connection: socket.socket) -> bytes:
    """Wait for a connection's first byte and return it, still to be read; nothing = it was closed."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()

    def is_ready() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(connection, is_ready)
    try:
        await ready
    finally:
        loop.remove_reader(connection)
    return connection.recv(1, socket.MSG_PEEK)


class _PlainSide(asyncio.Protocol):
    """Answers a client that speaks plain HTTP."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast("asyncio.Transport", transport)  # uvloop's are none by inheritance
        message = "this port speaks TLS: the address begins with https://"
        transport.write(own_reply(HTTPStatus.BAD_REQUEST, message))
        with contextlib.suppress(OSError):  # it is gone already
            transport.write_eof()
        asyncio.get_running_loop().call_later(1.0, transport.close)
