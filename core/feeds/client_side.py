"""The proxy's connection to a client: one exchange after another, bytes forwarded as they come."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from http import HTTPStatus
from typing import cast

from .exchange import Ending, Traffic
from .heads import header, host_name, is_loopback, own_reply, request_head
from .proxying import Proxying
from .request_reader import RequestHead, RequestReader
from .upgrades import join
from .upstream_side import Response, UpstreamSide
from .upstreams import Route, Upstream

log = logging.getLogger(__name__)

MAX_EARLY = 256 * 1024  # what a client may send ahead of its turn before it is not read any more
HEAD_S = 60.0  # a request's head has to be there by then
LINGER_S = 0.05  # before a reset, so that what was sent before has left the socket
DRAIN_S = 2.0  # after an early answer: closing on unread bytes would destroy it on its way


class ClientSide(asyncio.Protocol):
    """One client connection, and the one upstream connection that belongs to it.

    The two live together: an upstream that closes its idle side is seen by the client as if it were connected
    directly, so the client's own rules for retries hold.
    """

    def __init__(self, proxy: Proxying) -> None:
        """Belong to ``proxy``."""
        self._proxy = proxy
        self._transport: asyncio.Transport | None = None
        self._reader = RequestReader(self)
        self._upstream: UpstreamSide | None = None
        self._upstream_of: Upstream | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._held: list[bytes] = []
        """What goes to the upstream, in one go: at the end of this read, or once it is connected."""
        self._head_timer: asyncio.TimerHandle | None = None
        self._traffic: Traffic | None = None
        self._keep_alive = self._is_chunked = False
        self._exchange = False
        """A request has begun and its answer is not whole."""
        self._answer_began = False
        self._draining = False
        self._client_blocked = self._upstream_blocked = False

    @property
    def is_busy(self) -> bool:
        """See ``RequestListener``."""
        return self._exchange

    # what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are none by inheritance
        self._proxy.opened(self)

    def data_received(self, data: bytes) -> None:
        if self._draining:
            return
        self._reader.feed(data)
        self._send_held()
        if self._reader.waiting > MAX_EARLY:
            self._update_reading()
        if self._reader.in_head and not self._exchange:
            self._start_timer()
        else:
            self._stop_timer()

    def eof_received(self) -> bool:
        if self._exchange and self._transport is not None:
            self._transport.abort()  # a client that has left does not wait for what is still in the buffer
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        if self._connecting is not None:
            self._connecting.cancel()
        if self._exchange:
            self._end(Ending.CLIENT_LEFT)
        if self._upstream is not None:
            self._upstream.abort()
        self._proxy.closed(self)

    def pause_writing(self) -> None:
        self._client_blocked = True
        if self._upstream is not None:
            self._upstream.pause(True)

    def resume_writing(self) -> None:
        self._client_blocked = False
        if self._upstream is not None:
            self._upstream.pause(False)

    @property
    def connecting(self) -> asyncio.Task[None] | None:
        """The attempt to reach an upstream that is under way."""
        return self._connecting

    def stop(self) -> None:
        """End the connection: the proxy stops."""
        if self._exchange:
            self._end(Ending.STOPPED, "the proxy was stopped")
        if self._transport is not None:
            self._transport.abort()

    def _start_timer(self) -> None:
        if self._transport is not None and self._head_timer is None:
            self._head_timer = asyncio.get_running_loop().call_later(HEAD_S, self._transport.close)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    # requests

    def request_head(self, head: RequestHead) -> None:
        """See ``RequestListener``."""
        self._exchange, self._answer_began = True, False
        self._keep_alive, self._is_chunked = head.keep_alive, head.is_chunked
        host = host_name(header(head.headers, b"host"))
        if not is_loopback(host):
            return self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "the Host header names another machine")
        route = self._proxy.route(host, head.target)
        if route is None:
            return self._refuse(HTTPStatus.NOT_FOUND, self._proxy.nowhere())
        self._traffic = self._proxy.begin(head.method, route, head.headers)
        self._forward(head, route)
        return None

    def request_body(self, data: bytes) -> None:
        """See ``RequestListener``."""
        if self._traffic is not None:
            self._traffic.request_body(data)
        self._send(b"%x\r\n%b\r\n" % (len(data), data) if self._is_chunked else data)

    def request_end(self) -> None:
        """See ``RequestListener``."""
        if self._is_chunked:
            self._send(b"0\r\n\r\n")
        self._send_held()  # what follows may take its time
        if self._traffic is not None:
            self._traffic.request_end()

    def request_broken(self, status: HTTPStatus, message: str) -> None:
        """See ``RequestListener``."""
        self._refuse(status, message)

    def _forward(self, head: RequestHead, route: Route) -> None:
        upstream = route.upstream
        data = request_head(
            head.method,
            route.target,
            head.headers,
            host=upstream.host_header,
            version=head.version,
            chunked=head.is_chunked,
            close=not head.keep_alive,
            upgrade=head.upgrade,
        )
        if self._upstream is not None and (self._upstream_of != upstream or not self._upstream.is_open):
            self._let_go()
        self._held.append(data)
        if self._upstream is None:
            self._connecting = asyncio.get_running_loop().create_task(self._connect(upstream, head))
            self._update_reading()
        else:
            self._upstream.expect(head.method, upgrade=head.upgrade is not None)

    async def _connect(self, upstream: Upstream, head: RequestHead) -> None:
        try:
            side = await self._proxy.connect(upstream, self)
        except OSError as error:
            log.info("cannot connect to %s: %s", upstream.place, type(error).__name__)
            self._end(
                Ending.UNREACHABLE, f"cannot connect to {upstream.place}: {error.strerror or type(error).__name__}"
            )
            return self._refuse(HTTPStatus.BAD_GATEWAY, f"roundwatch cannot connect to {upstream.place}")
        finally:
            self._connecting = None
        self._upstream, self._upstream_of = side, upstream
        if self._client_blocked:
            side.pause(True)
        side.expect(head.method, upgrade=head.upgrade is not None)
        self._send_held()
        self._update_reading()
        return None

    def _send(self, data: bytes) -> None:
        if not self._draining and (self._connecting is not None or self._upstream is not None):
            self._held.append(data)

    def _send_held(self) -> None:
        """Send what waits for the upstream, unless the connection to it is still being made."""
        if self._held and self._connecting is None and self._upstream is not None:
            held, self._held = self._held, []
            self._upstream.send(held[0] if len(held) == 1 else b"".join(held))

    def _let_go(self) -> None:
        """Part from the upstream connection; what it may still say concerns nobody."""
        self._held.clear()
        upstream, self._upstream = self._upstream, None
        if upstream is not None:
            upstream.abort()

    def upstream_blocks(self, blocked: bool) -> None:
        """See ``Downstream``."""
        self._upstream_blocked = blocked
        self._update_reading()

    def _update_reading(self) -> None:
        """Read on only while what comes can be used; a whole request is read beyond, to see the client leave."""
        if self._transport is None or self._transport.is_closing():
            return
        waits = not self._reader.is_whole and (self._upstream_blocked or self._connecting is not None)
        if waits or self._reader.waiting > MAX_EARLY:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    # answers

    def answer_bytes(self, data: bytes) -> None:
        """See ``Downstream``."""
        if self._transport is None:
            return
        if self._exchange:
            self._answer_began = True
            self._transport.write(data)
        else:  # nobody asked: whatever it is, it must not become the answer to the next request
            self._let_go()
            self._transport.close()

    def answer_head(self, response: Response) -> None:
        """See ``Downstream``."""
        if self._traffic is not None:
            self._traffic.response(*response)

    def answer_body(self, data: bytes) -> None:
        """See ``Downstream``."""
        if self._traffic is not None:
            self._traffic.response_body(data)

    def answer_end(self, *, keep_alive: bool) -> None:
        """See ``Downstream``."""
        whole = self._reader.is_whole
        self._end(Ending.COMPLETE)
        if keep_alive and self._keep_alive and whole and not self._reader.saw_more:
            self._reader.read_on()
            self._send_held()
            self._update_reading()
            return
        self._let_go()
        if whole:
            self._close()
        else:
            self._drain()

    def answer_upgraded(self) -> None:
        """See ``Downstream``."""
        upstream, self._upstream = self._upstream, None
        self._end(Ending.COMPLETE)
        self._stop_timer()
        if upstream is None or self._transport is None:
            return
        self._proxy.upgraded()
        other = upstream.release()
        join(self._transport, other, lambda: self._proxy.closed(self))
        other.write(self._reader.take())

    def answer_lost(self, reason: str, *, is_reset: bool) -> None:
        """See ``Downstream``."""
        was_answering, self._upstream = self._exchange, None
        if self._transport is None:
            return
        if was_answering:
            self._end(Ending.DROPPED, reason)
        if was_answering and is_reset:
            self._reset()
        else:
            self._close()

    def _end(self, ending: Ending, reason: str | None = None) -> None:
        if ending is not Ending.COMPLETE:
            self._proxy.lost(ending)
        traffic, self._traffic = self._traffic, None
        self._exchange = False
        if traffic is not None:
            traffic.end(ending, reason)

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        """Answer with an error of our own, unless the upstream's answer has begun; the connection ends."""
        self._proxy.refused(status)
        if self._traffic is not None:
            self._end(Ending.CLIENT_LEFT, message)
        self._exchange = False
        self._let_go()
        if self._connecting is not None and self._connecting is not asyncio.current_task():
            self._connecting.cancel()
        if self._transport is not None and not self._answer_began:
            self._transport.write(own_reply(status, message))
        self._drain()

    # closing

    def _close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _drain(self) -> None:
        """Close for writing and throw away what the client still sends, for a while."""
        self._draining = True
        self._reader.stop()
        if self._transport is None or self._transport.is_closing():
            return
        self._transport.resume_reading()
        if self._transport.can_write_eof():  # TLS knows no half-closed connection
            self._transport.write_eof()
        asyncio.get_running_loop().call_later(DRAIN_S, self._transport.close)

    def _reset(self) -> None:
        """Tear the connection down as the upstream did, behind what it had sent before."""
        self._draining = True
        self._reader.stop()
        asyncio.get_running_loop().call_later(LINGER_S, self._reset_now)

    def _reset_now(self) -> None:
        assert self._transport is not None
        sock: socket.socket | None = self._transport.get_extra_info("socket")
        if sock is not None and sock.fileno() >= 0:  # linger 0: closing then sends RST instead of FIN
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()
