"""A provider for measurements: streams Chat Completions chunks at a pace, each with the moment it left in it."""

from __future__ import annotations

import asyncio
import re
import time
from urllib.parse import parse_qs, urlsplit

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Request-Id: req_bench\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
CHUNK = (
    'data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1764500000,"model":"bench",'
    '"system_fingerprint":"fp_bench","choices":[{"index":0,"delta":{"content":" piece of an answer"},'
    '"logprobs":null,"finish_reason":%s}],"sent_ns":%d}\n\n'
)
END = b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


def chunk(finish: str = "null") -> bytes:
    """Return one event as an HTTP chunk."""
    data = (CHUNK % (finish, time.monotonic_ns())).encode()
    return b"%x\r\n%b\r\n" % (len(data), data)


class Paced(asyncio.Protocol):
    """One connection: ``?chunks=N&pause_ms=M`` of a request's target says what it is answered with."""

    def __init__(self) -> None:
        self._in = b""
        self._transport: asyncio.Transport | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._in += data
        end = self._in.find(b"\r\n\r\n")
        if end < 0:
            return
        found = _LENGTH.search(self._in, 0, end)
        if len(self._in) < end + 4 + (int(found[1]) if found else 0):
            return
        target = self._in.split(b" ", 2)[1].decode("ascii")
        self._in = b""
        asked = parse_qs(urlsplit(target).query)
        task = asyncio.create_task(self._answer(int(asked["chunks"][0]), float(asked["pause_ms"][0]) / 1000))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def connection_lost(self, exc: Exception | None) -> None:
        for task in self._tasks:
            task.cancel()

    async def _answer(self, chunks: int, pause_s: float) -> None:
        assert self._transport is not None
        loop = asyncio.get_running_loop()
        begin = loop.time()
        self._transport.write(HEAD + chunk())
        for n in range(1, chunks):
            if pause_s:
                await asyncio.sleep(max(0.0, begin + n * pause_s - loop.time()))
            self._transport.write(chunk('"stop"' if n == chunks - 1 else "null"))
        self._transport.write(END)


async def serve() -> None:
    server = await asyncio.get_running_loop().create_server(Paced, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve())
