"""The recording reverse proxy: forwards to configured upstreams, and has what it sees observed."""

from __future__ import annotations

import asyncio
import errno
import logging
import ssl
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import Self

from ..rounds.faults import CodedError
from .client_side import ClientSide
from .endpoints import endpoint
from .exchange import Ending, Traffic
from .extra import require
from .heads import Headers, is_loopback
from .observer import Observer
from .outgoing import Outgoing, tunnel
from .own_tls import TlsDoor
from .ports import DEFAULT_PORT, base_url
from .upstream_side import READ_BYTES, UpstreamSide
from .upstreams import Route, Upstream, Upstreams

log = logging.getLogger(__name__)

CONNECT_S = 30.0


class ProxyError(CodedError):
    """The proxy cannot run; ``str()`` says why."""


def not_loopback(host: str) -> ProxyError:
    """Return what to say to whoever wants it to listen at ``host``."""
    return ProxyError(
        f"the proxy listens on this machine only, not on {host[:80]!r}: use 127.0.0.1 or ::1",
        code="proxy_not_loopback",
        host=host[:80],
    )


@dataclass(slots=True)
class Counts:
    """What happened to the requests so far."""

    requests: int = 0
    """That were forwarded."""
    observed: int = 0
    """Of these, model calls."""
    passed_through: int = 0
    """Of these, anything else: lists of models, token counts, unknown paths."""
    upgraded: int = 0
    """Of these, connections that became something else than HTTP, as websockets do."""
    refused: int = 0
    """Answered by the proxy itself: no such upstream, no valid HTTP, no connection."""
    clients_left: int = 0
    """Whose client went away before the answer was whole."""
    upstreams_dropped: int = 0
    """Whose upstream ended the connection before the answer was whole."""


class Proxy:
    """Serves on loopback while its context is open.

    Args:
        upstreams: where requests may go, and nowhere else.
        observer: takes note of model calls.
        host: a loopback address.
        port: 0 takes a free one.
        tls: how upstreams are verified; by default as this machine verifies everybody.
        own_tls: what clients see, of ``server_context``; by default the proxy speaks plain HTTP.
        outgoing: the proxy on the way to encrypted upstreams; by default there is none.

    Raises:
        MissingExtra: httptools is not installed.
        ProxyError: ``host`` is reachable from other machines.
    """

    def __init__(
        self,
        upstreams: Upstreams,
        observer: Observer,
        *,
        host: str = "127.0.0.1",
        port: int = DEFAULT_PORT,
        tls: ssl.SSLContext | None = None,
        own_tls: ssl.SSLContext | None = None,
        outgoing: Outgoing | None = None,
    ) -> None:
        require("httptools")
        if not is_loopback(host) or not host:
            raise not_loopback(host)
        self.counts = Counts()
        self._upstreams, self._observer = upstreams, observer
        self._host, self._port = host, port
        self._tls = tls
        self._outgoing = outgoing
        self._buffer = memoryview(bytearray(READ_BYTES))
        self._door = TlsDoor(lambda: ClientSide(self), own_tls) if own_tls is not None else None
        self._server: asyncio.Server | None = None
        self._listens_at: int | None = None
        self._sides: set[ClientSide] = set()
        self._nobody = asyncio.Event()
        self._nobody.set()

    @property
    def url(self) -> str:
        """Where it listens; a client's base URL begins with it and the upstream's name."""
        if self._listens_at is None:
            raise RuntimeError("the proxy is not running: use it as an async context manager")
        return base_url(self._host, self._listens_at, tls=self._door is not None)

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        if self._tls is None and any(upstream.is_tls for upstream in self._upstreams.by_name.values()):
            self._tls = await asyncio.to_thread(ssl.create_default_context)  # reads files
        try:
            if self._door is not None:
                self._listens_at = await self._door.open(self._host, self._port)
            else:
                self._server = await loop.create_server(lambda: ClientSide(self), self._host, self._port)
                self._listens_at = self._server.sockets[0].getsockname()[1]
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise ProxyError(
                    f"port {self._port} is taken: maybe a proxy runs already; port 0 takes a free one",
                    code="proxy_port_taken",
                    port=str(self._port),
                ) from None
            raise ProxyError(f"cannot listen on {self._host}:{self._port}: {error.strerror or error}") from None
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        server, self._server, self._listens_at = self._server, None, None
        if self._door is not None:
            await self._door.close()
        if server is not None:
            server.close()
        connecting = [side.connecting for side in self._sides if side.connecting is not None]
        for task in connecting:
            task.cancel()
        await asyncio.gather(*connecting, return_exceptions=True)
        for side in list(self._sides):
            side.stop()
        await self._nobody.wait()

    # what its connections ask

    def opened(self, side: ClientSide) -> None:
        """See ``Proxying``."""
        self._sides.add(side)
        self._nobody.clear()

    def closed(self, side: ClientSide) -> None:
        """See ``Proxying``."""
        self._sides.discard(side)
        if not self._sides:
            self._nobody.set()

    def route(self, host: str, target: str) -> Route | None:
        """See ``Proxying``."""
        return self._upstreams.route(host, target)

    def nowhere(self) -> str:
        """See ``Proxying``."""
        names = ", ".join(f"/{name}" for name in sorted(self._upstreams.by_name))
        return f"this path belongs to no upstream; a path begins with one of {names}"

    def begin(self, method: str, route: Route, headers: Headers) -> Traffic | None:
        """See ``Proxying``."""
        self.counts.requests += 1
        path, _, query = route.target.partition("?")
        asked = endpoint(method, path)
        if asked is None:
            self.counts.passed_through += 1
            return None
        self.counts.observed += 1
        return self._observer.begin(route.upstream.name, asked, headers, query)

    def upgraded(self) -> None:
        """See ``Proxying``."""
        self.counts.upgraded += 1

    def refused(self, status: HTTPStatus) -> None:
        """See ``Proxying``."""
        self.counts.refused += 1
        log.info("a request was answered with %d by the proxy itself", status.value)

    def lost(self, ending: Ending) -> None:
        """See ``Proxying``."""
        if ending is Ending.CLIENT_LEFT:
            self.counts.clients_left += 1
        elif ending is Ending.DROPPED:
            self.counts.upstreams_dropped += 1

    async def connect(self, upstream: Upstream, side: ClientSide) -> UpstreamSide:
        """See ``Proxying``."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_S):
            if self._outgoing is not None and self._outgoing.serves(upstream):
                return await self._connect_through(self._outgoing, upstream, UpstreamSide(side, self._buffer))
            _, protocol = await loop.create_connection(
                lambda: UpstreamSide(side, self._buffer),
                upstream.host,
                upstream.port,
                ssl=self._tls if upstream.is_tls else None,
                server_hostname=upstream.host if upstream.is_tls else None,
            )
        return protocol

    async def _connect_through(self, outgoing: Outgoing, upstream: Upstream, protocol: UpstreamSide) -> UpstreamSide:
        assert self._tls is not None
        raw = await tunnel(outgoing, upstream)
        try:
            transport = await asyncio.get_running_loop().start_tls(
                raw, protocol, self._tls, server_hostname=upstream.host
            )
        except BaseException:
            raw.abort()
            raise
        if transport is None:
            raise ConnectionResetError
        protocol.connection_made(transport)
        return protocol
