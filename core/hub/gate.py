"""Who may come in: every check of a request before its websocket opens, as one pure function."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

from .auth import Access, Identity, Role
from .limits import PUBLISH_PATH, SUBPROTOCOL, WATCH_PATH
from .store import Selection

HEALTH_PATH = "/healthz"
METRICS_PATH = "/metrics"
ROLES = {WATCH_PATH: Role.WATCH, PUBLISH_PATH: Role.PUBLISH, HEALTH_PATH: Role.METRICS, METRICS_PATH: Role.METRICS}
PARAMETERS = {WATCH_PATH: frozenset({"after", "round", "thread"})}
BEGIN = "begin"
MAX_SELECTED = 100  # names in one filter; more belongs into the watcher


class HeadersLike(Protocol):
    """What is read of a request's headers."""

    def get_all(self, key: str, /) -> list[str]:
        """Return all values of a header."""
        ...


@dataclass(frozen=True, slots=True)
class Admission:
    """A request that may go on."""

    path: str
    identity: Identity
    selection: Selection
    after: tuple[str, int] | str | None
    """Stream and seq to resume after, or ``begin``, or None for live only."""


@dataclass(frozen=True, slots=True)
class Refusal(Exception):
    """A request that is answered with an HTTP status. ``why`` quotes nothing of the request: it may hold a secret."""

    status: int
    why: str


@dataclass(frozen=True, slots=True)
class Gate:
    """The hub's rules."""

    access: Access
    hosts: frozenset[str]
    """Names besides the loopback ones that the ``Host`` header may carry, in lower case, without port."""
    origins: frozenset[str]
    """Web origins that may connect; without configuration none."""
    streams: frozenset[str] = frozenset()
    """Further subprotocols in which may be published."""
    uploads: frozenset[str] = frozenset()
    """Paths that take bodies."""

    def admit(self, method: str, target: str, headers: HeadersLike) -> Admission:
        """Return what a request may do.

        Raises:
            Refusal: it may do nothing.
        """
        self._check_place(headers)
        path, parameters = _split(target)
        if path not in ROLES:
            raise Refusal(404, f"nothing here: there are {', '.join(ROLES)}")
        if any(name not in PARAMETERS.get(path, ()) for name, _ in parameters):
            raise Refusal(
                400, "unknown query parameter; a token never goes into a URL: send it as 'Authorization: Bearer …'"
            )
        identity = self._identify(headers.get_all("Authorization"), ROLES[path])
        if method != "GET":
            raise Refusal(405, "only GET")
        spoken = {SUBPROTOCOL, *(self.streams if path == PUBLISH_PATH else ())}
        if path in (WATCH_PATH, PUBLISH_PATH) and not _offers(headers.get_all("Sec-WebSocket-Protocol"), spoken):
            raise Refusal(400, f"a websocket with the subprotocol {SUBPROTOCOL} is expected here")
        return Admission(path, identity, _selection(parameters), _after(parameters))

    def admit_upload(self, method: str, target: str, headers: HeadersLike) -> tuple[str, Identity]:
        """Return the path that a body is for, and who sends it.

        Raises:
            Refusal: it may not.
        """
        self._check_place(headers)
        path, parameters = _split(target)
        if path not in self.uploads:
            raise Refusal(405 if path in ROLES else 404, f"nothing to post here: there are {', '.join(self.uploads)}")
        if parameters:
            raise Refusal(400, "no query parameter is known here; a token goes into the Authorization header")
        identity = self._identify(headers.get_all("Authorization"), Role.PUBLISH)
        if method != "POST":
            raise Refusal(405, "only POST")
        return path, identity

    def _check_place(self, headers: HeadersLike) -> None:
        self._check_host(headers.get_all("Host"))
        if any(origin not in self.origins for origin in headers.get_all("Origin")):
            raise Refusal(403, "this Origin may not connect: the hub's configuration names those that may")

    def _check_host(self, hosts: Collection[str]) -> None:
        if len(hosts) != 1:
            raise Refusal(400, "exactly one Host header is expected")
        name = host_name(next(iter(hosts)))
        if not is_loopback(name) and name not in self.hosts:
            raise Refusal(403, "this Host name is not the hub's: connect by a loopback address or a configured name")

    def _identify(self, authorizations: list[str], role: Role) -> Identity:
        identity = self.access.identify(authorizations[0] if len(authorizations) == 1 else None)
        if identity is None:
            raise Refusal(401, "the token is missing or wrong: send 'Authorization: Bearer …' with this hub's token")
        if not identity.may(role):
            raise Refusal(403, f"this token may not {role}")
        return identity


def host_name(host: str) -> str:
    """Return the name in a ``Host`` header: lower case, no port, no brackets, no final dot."""
    name = host.strip().lower()
    name = name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]
    return name.removesuffix(".")


def is_loopback(name: str) -> bool:
    """Return whether a host name or address always means this machine."""
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _split(target: str) -> tuple[str, list[tuple[str, str]]]:
    try:
        parts = urlsplit(target)
        return parts.path, parse_qsl(
            parts.query, keep_blank_values=True, strict_parsing=bool(parts.query), max_num_fields=1000
        )
    except ValueError:
        raise Refusal(400, "the query is not readable") from None


def _offers(offered: list[str], spoken: Collection[str]) -> bool:
    return any(name.strip() in spoken for value in offered for name in value.split(","))


def _selection(parameters: list[tuple[str, str]]) -> Selection:
    rounds, threads = (frozenset(v for n, v in parameters if n == name) for name in ("round", "thread"))
    if len(rounds) > MAX_SELECTED or len(threads) > MAX_SELECTED:
        raise Refusal(400, f"at most {MAX_SELECTED} rounds and {MAX_SELECTED} threads can be selected")
    return Selection(rounds, threads)


def _after(parameters: list[tuple[str, str]]) -> tuple[str, int] | str | None:
    given = [value for name, value in parameters if name == "after"]
    if not given:
        return None
    if given == [BEGIN]:
        return BEGIN
    stream, colon, number = given[0].rpartition(":")
    if len(given) > 1 or not colon or not stream or not (number.isascii() and number.isdigit()) or len(number) > 18:
        raise Refusal(400, "after is '<stream>:<seq>' or 'begin', once")
    return stream, int(number)
