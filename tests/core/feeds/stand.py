"""A proxy in front of an upstream of the test's own, and everything that was published about its traffic."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from roundwatch.core.feeds import Capture, Observer, Upstream, Upstreams
from roundwatch.core.feeds.outgoing import Outgoing
from roundwatch.core.feeds.proxy import Proxy
from roundwatch.core.rounds import Event, Ledger, Outcome, Round, classify
from roundwatch.core.rounds.events import RoundFinished

PATIENCE_S = 20.0
"""Generous: a loaded machine must not fail a test."""


@dataclass
class Stand:
    """What a test works with."""

    proxy: Proxy
    observer: Observer
    events: list[Event] = field(default_factory=list[Event])
    ledger: Ledger = field(default_factory=Ledger)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def publish(self, event: Event) -> None:
        """Take an event as a hub would."""
        self.events.append(event)
        self.ledger.apply(event)
        self._news.set()

    def base(self, path: str = "") -> str:
        """The address of the test's upstream behind the proxy."""
        return f"{self.proxy.url}/up{path}"

    async def until(self, holds: Callable[[], bool]) -> None:
        """Return as soon as ``holds`` after some event."""
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                self._news.clear()
                await self._news.wait()

    async def ended(self, n: int = 1) -> list[Round]:
        """Return the first ``n`` rounds once they are over."""
        await self.until(lambda: sum(isinstance(event, RoundFinished) for event in self.events) >= n)
        return list(self.ledger.rounds.values())

    async def outcome(self) -> Outcome:
        """Return how the only round ended."""
        (round_,) = await self.ended()
        return classify(round_)


@asynccontextmanager
async def proxied(
    upstream: str,
    *,
    capture: Capture = Capture.PREVIEW,
    idle_s: float = 600.0,
    tls: ssl.SSLContext | None = None,
    queue_bytes: int = 64 * 1024 * 1024,
    own_tls: ssl.SSLContext | None = None,
    outgoing: Outgoing | None = None,
) -> AsyncGenerator[Stand]:
    """Run a proxy whose only upstream is called ``up``."""
    stand: list[Stand] = []

    async def publish(event: Event) -> None:
        await stand[0].publish(event)

    async with Observer(publish, capture=capture, idle_s=idle_s, queue_bytes=queue_bytes) as observer:
        proxy = Proxy(
            Upstreams([Upstream.parse("up", upstream)]), observer, port=0, tls=tls, own_tls=own_tls, outgoing=outgoing
        )
        stand.append(Stand(proxy, observer))
        async with proxy:
            yield stand[0]


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]


@asynccontextmanager
async def serving(serve: Serve, tls: ssl.SSLContext | None = None) -> AsyncGenerator[str]:
    """Run a server on loopback that does what ``serve`` says with each connection; give its address."""
    tasks: set[asyncio.Task[None]] = set()

    async def guarded(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(guarded(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls, limit=2**20)
    host, port = server.sockets[0].getsockname()[:2]
    try:
        yield f"{'https' if tls else 'http'}://{host}:{port}"
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def read_head(reader: asyncio.StreamReader) -> bytes:
    """Return a head as it came, its empty line included."""
    return await reader.readuntil(b"\r\n\r\n")


async def connect(stand: Stand) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a bare connection to the proxy."""
    host, _, port = stand.proxy.url.removeprefix("http://").partition(":")
    return await asyncio.open_connection(host, int(port))


def answer(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Return a whole response."""
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


def post(path: str, body: bytes, *headers: str) -> bytes:
    """Return a whole request to the proxy."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", *headers, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body
