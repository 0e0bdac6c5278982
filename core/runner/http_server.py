"""HTTP/1.1 over one asyncio connection: requests in, one exchange at a time out. The only module that knows h11."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

import h11

log = logging.getLogger(__name__)

READ_BYTES = 65_536
MAX_BODY_BYTES = 8 * 1024 * 1024
"""A longer request is answered 413 and the connection closed."""
LINGER_S = 0.05  # before a reset, so that what was sent before has left the client's socket


@dataclass(frozen=True)
class Request:
    """One whole request."""

    method: str
    path: str
    """Without the query."""
    query: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class Exchange:
    """The response to one request, sent as it is made."""

    def __init__(self, connection: h11.Connection, writer: asyncio.StreamWriter) -> None:
        self._connection = connection
        self._writer = writer

    async def start(self, status: int, headers: Mapping[str, str]) -> None:
        """Send status and headers; without a content-length the body goes out in chunks."""
        await self._send(h11.Response(status_code=status, headers=list(headers.items())))

    async def send(self, data: bytes) -> None:
        """Send a piece of the body at once.

        Raises:
            ConnectionError: the client has left.
        """
        await self._send(h11.Data(data=data))

    async def end(self) -> None:
        """End the body as HTTP says."""
        await self._send(h11.EndOfMessage())

    async def reset(self) -> None:
        """Announce a chunk, send half of it, then tear the connection down with a TCP reset."""
        self._writer.write(b'80\r\ndata: {"id":"')
        await self._writer.drain()
        await asyncio.sleep(LINGER_S)
        sock: socket.socket | None = self._writer.get_extra_info("socket")
        if sock is not None:  # linger 0: closing then sends RST instead of FIN
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()
        raise ConnectionResetError("reset by script")

    async def _send(self, event: h11.Response | h11.Data | h11.EndOfMessage) -> None:
        data = self._connection.send(event)
        if data:
            self._writer.write(data)
        await self._writer.drain()


Answer = Callable[[Request, Exchange], Coroutine[Any, Any, None]]


async def serve_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Answer) -> None:
    """Answer the requests of one connection until either side ends it; a client that leaves is no error."""
    connection = h11.Connection(h11.SERVER)
    try:
        while (request := await _read_request(connection, reader, writer)) is not None:
            await _until_client_leaves(answer(request, Exchange(connection, writer)), connection, reader)
            if connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
                break
            connection.start_next_cycle()
    except (ConnectionError, h11.RemoteProtocolError) as error:
        log.debug("connection ended: %s", type(error).__name__)
    except Exception:  # the connection task's rim: the server goes on serving the others
        log.exception("the scripted provider failed to answer")
    finally:
        writer.close()


async def _until_client_leaves(
    answer: Coroutine[Any, Any, None], connection: h11.Connection, reader: asyncio.StreamReader
) -> None:
    """Run ``answer``, cancelled as soon as the client closes: a script may have long silences to come."""
    playing = asyncio.create_task(answer)
    watching = asyncio.create_task(_client_gone(connection, reader))
    try:
        await asyncio.wait({playing, watching}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        playing.cancel()
        watching.cancel()
        await asyncio.gather(playing, watching, return_exceptions=True)
    if playing.cancelled():
        raise ConnectionResetError("the client left")
    playing.result()


async def _client_gone(connection: h11.Connection, reader: asyncio.StreamReader) -> None:
    """Return when the client has closed, or sent more than a next request may hold; h11 keeps what came early."""
    early = 0
    while early <= MAX_BODY_BYTES and (data := await reader.read(READ_BYTES)):
        connection.receive_data(data)
        early += len(data)


async def _read_request(
    connection: h11.Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> Request | None:
    head: h11.Request | None = None
    body = bytearray()
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            if connection.they_are_waiting_for_100_continue:
                writer.write(connection.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
            connection.receive_data(await reader.read(READ_BYTES))
        elif isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += event.data
            if len(body) > MAX_BODY_BYTES:
                await Exchange(connection, writer).start(413, {"content-length": "0", "connection": "close"})
                return None
        elif isinstance(event, h11.EndOfMessage) and head is not None:
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in head.headers}
            path, _, query = head.target.decode("latin-1").partition("?")
            return Request(head.method.decode("latin-1"), path, query, headers, bytes(body))
        else:  # the client closed
            return None
