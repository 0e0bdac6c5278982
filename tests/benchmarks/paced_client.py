"""Clients for measurements: each asks for paced streams and notes when what reached it."""

from __future__ import annotations

import asyncio
import json
import re
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

END = b"\r\n0\r\n\r\n"
PATIENCE_S = 120.0
_SENT = re.compile(rb'"sent_ns":(\d+)')


@dataclass
class Seen:
    """What the clients of one run saw; milliseconds."""

    first_bytes: list[float] = field(default_factory=list[float])
    """From the request, a new connection's making included, to the first byte."""
    delays: list[float] = field(default_factory=list[float])
    """Of every chunk behind the first, from the upstream's writing it to its arrival."""
    streams: int = 0
    seconds: float = 0.0


class _Client(asyncio.Protocol):
    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self._asked_ns = 0
        self._had_first = False
        self._tail = b""
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    async def ask(self, request: bytes, since_ns: int) -> None:
        assert self.transport is not None
        self._over = asyncio.get_running_loop().create_future()
        self._asked_ns, self._had_first, self._tail = since_ns, False, b""
        self.transport.write(request)
        await self._over

    def data_received(self, data: bytes) -> None:
        now = time.monotonic_ns()
        if not self._had_first:
            self._had_first = True
            self.seen.first_bytes.append((now - self._asked_ns) / 1e6)
            if not data.startswith(b"HTTP/1.1 200"):
                self._over.set_exception(RuntimeError(f"the answer begins with {data[:80]!r}"))
        else:
            self.seen.delays += [(now - int(sent)) / 1e6 for sent in _SENT.findall(data)]
        self._tail = (self._tail + data)[-len(END) :]
        if self._tail == END and not self._over.done():
            self._over.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._over.done():
            self._over.set_exception(ConnectionError("the connection ended before the answer was whole"))


@dataclass(frozen=True)
class Load:
    """What the clients of one run ask for."""

    clients: int
    chunks: int
    pause_ms: float
    rounds: int
    """Streams of each client, one after the other."""
    kept_alive: bool


async def run(base: str, load: Load) -> Seen:
    """Return what the clients saw through the address ``base``; a first stream of each client is not counted."""
    parts = urlsplit(base)
    assert parts.hostname is not None
    assert parts.port is not None
    seen = Seen()
    gate = asyncio.Barrier(load.clients + 1)
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
        for n in range(load.clients):
            group.create_task(_client(n, parts.hostname, parts.port, parts.path, load, seen, gate))
        await gate.wait()
        begin = time.monotonic()
    seen.seconds = time.monotonic() - begin
    return seen


async def _client(n: int, host: str, port: int, path: str, load: Load, seen: Seen, gate: asyncio.Barrier) -> None:
    loop = asyncio.get_running_loop()
    warm = Seen()
    _, client = await loop.create_connection(lambda: _Client(warm), host, port)
    await client.ask(_request(host, path, f"{n} warms up", 2, 0), time.monotonic_ns())
    await gate.wait()
    client.seen = seen
    await asyncio.sleep(load.pause_ms / 1000 * n / load.clients)  # real clients do not come all at once
    for turn in range(load.rounds):
        since = time.monotonic_ns()
        if not load.kept_alive:
            if client.transport is not None:
                client.transport.close()
            _, client = await loop.create_connection(lambda: _Client(seen), host, port)
        await client.ask(_request(host, path, f"{n} asks {turn}", load.chunks, load.pause_ms), since)
        seen.streams += 1
    if client.transport is not None:
        client.transport.close()


def _request(host: str, path: str, words: str, chunks: int, pause_ms: float) -> bytes:
    asked = {"model": "bench", "stream": True, "messages": [{"role": "user", "content": words}]}
    body = json.dumps(asked).encode()
    target = f"{path}/v1/chat/completions?chunks={chunks}&pause_ms={pause_ms}"
    head = (
        f"POST {target} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer sk-of-a-measurement\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
