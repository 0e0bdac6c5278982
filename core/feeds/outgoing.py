"""The proxy that this machine's connections to the outside have to go through, where one is set."""

from __future__ import annotations

import asyncio
import base64
import errno
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from ..rounds.faults import CodedError
from .upstreams import Upstream

MAX_HEAD = 64 * 1024
DEFAULT_PORT = 80


class OutgoingError(CodedError, ValueError):
    """The setting cannot be used; ``str()`` says why and quotes no address: it may hold a password."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A proxy that opens tunnels (CONNECT)."""

    host: str
    port: int
    authorization: bytes | None = field(default=None, repr=False)
    """The value of ``Proxy-Authorization``."""
    bypass: str = ""
    """``NO_PROXY``: names, addresses and domains that are reached directly."""

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Outgoing | None:
        """Return what ``HTTPS_PROXY`` and ``NO_PROXY`` say, in small letters first as everywhere; None without one.

        Raises:
            OutgoingError: it is no address of an HTTP proxy.
        """
        url = environ.get("https_proxy") or environ.get("HTTPS_PROXY") or ""
        if not url:
            return None
        try:
            parts = urlsplit(url if "://" in url else f"http://{url}")
            port = parts.port
        except ValueError:
            raise OutgoingError("HTTPS_PROXY is no address", code="outgoing_no_address") from None
        if parts.scheme != "http" or not parts.hostname:
            raise OutgoingError(
                "HTTPS_PROXY has to be http://host:port; no other kind of proxy is supported", code="outgoing_kind"
            )
        bypass = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
        return cls(parts.hostname, port or DEFAULT_PORT, _authorization(parts.username, parts.password), bypass)

    @property
    def place(self) -> str:
        """Host and port, for a message."""
        return f"{self.host}:{self.port}"

    def serves(self, upstream: Upstream) -> bool:
        """Say whether an upstream is reached through it: an encrypted one that ``NO_PROXY`` does not name."""
        return upstream.is_tls and not any(_names(entry.strip(), upstream) for entry in self.bypass.split(","))


def _names(entry: str, upstream: Upstream) -> bool:
    """Say whether an entry of ``NO_PROXY`` means an upstream: its name or place, a domain that it is in, or all."""
    name = entry.lower().removeprefix("*").removeprefix(".")
    if entry == "*":
        return True
    return bool(name) and (name in (upstream.host, upstream.place) or upstream.host.endswith(f".{name}"))


def _authorization(user: str | None, password: str | None) -> bytes | None:
    if user is None and password is None:
        return None
    return b"Basic " + base64.b64encode(f"{unquote(user or '')}:{unquote(password or '')}".encode())


async def tunnel(outgoing: Outgoing, upstream: Upstream) -> asyncio.Transport:
    """Return a connection to ``upstream`` through the proxy, on which nothing was said yet and nobody reads.

    Raises:
        OSError: the proxy cannot be reached, or opens no tunnel; the text names it without its password.
    """
    loop = asyncio.get_running_loop()
    opening: asyncio.Future[None] = loop.create_future()
    try:
        transport, _ = await loop.create_connection(lambda: _Opening(opening), outgoing.host, outgoing.port)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise OSError(error.errno or errno.ECONNREFUSED, f"the outgoing proxy {outgoing.place}: {why}") from None
    place = upstream.place.encode()
    lines = [b"CONNECT " + place + b" HTTP/1.1", b"Host: " + place]
    if outgoing.authorization is not None:
        lines.append(b"Proxy-Authorization: " + outgoing.authorization)
    transport.write(b"\r\n".join(lines) + b"\r\n\r\n")
    try:
        await opening
    except BaseException as error:
        transport.abort()
        if isinstance(error, OSError):
            raise OSError(error.errno, f"the outgoing proxy {outgoing.place} {error.strerror}") from None
        raise
    transport.pause_reading()
    return transport


class _Opening(asyncio.Protocol):
    """Waits for the answer to CONNECT."""

    def __init__(self, opening: asyncio.Future[None]) -> None:
        self._opening = opening
        self._head = bytearray()

    def data_received(self, data: bytes) -> None:
        self._head += data
        end = self._head.find(b"\r\n\r\n")
        if self._opening.done() or (end < 0 and len(self._head) <= MAX_HEAD):
            return
        version, _, rest = bytes(self._head[:64]).partition(b" ")
        status = rest[:3]
        if not version.startswith(b"HTTP/1.") or not status.isdigit() or end < 0:
            self._refused("speaks no HTTP")
        elif not status.startswith(b"2"):
            self._refused(f"refuses a tunnel: it answered {status.decode('ascii')}")
        elif len(self._head) > end + 4:  # an upstream of TLS never speaks first
            self._refused("sent something that nobody asked for")
        else:
            self._opening.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._refused("closed the connection")

    def _refused(self, why: str) -> None:
        if not self._opening.done():
            self._opening.set_exception(OSError(errno.ECONNREFUSED, why))
