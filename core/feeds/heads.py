"""HTTP heads as the proxy writes them: a request's on its way to the upstream, and the few answers of its own."""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Sequence
from http import HTTPStatus

Headers = Sequence[tuple[bytes, bytes]]
"""Names and values as they came, in their order."""

HOP_BY_HOP = frozenset(
    (
        b"connection", b"keep-alive", b"proxy-connection", b"proxy-authenticate", b"proxy-authorization",
        b"te", b"trailer", b"transfer-encoding", b"upgrade", b"http2-settings",
    )
)  # fmt: skip
"""Headers that mean one connection only: RFC 9110, section 7.6.1."""
FRAMING = frozenset((b"content-length", b"host"))
"""Headers that no ``Connection`` may take away: without its length a body would be taken for another request."""
OWN = b"x-roundwatch-"
"""Headers that begin so are for us and end here."""
_ABSOLUTE = re.compile(rb"https?://([^/?#]*)", re.IGNORECASE)
ERROR_TYPE = "roundwatch_proxy"
"""``error.type`` of the proxy's own answers, so that nobody takes them for the provider's."""


def request_head(
    method: str,
    target: str,
    headers: Headers,
    *,
    host: str,
    version: str = "1.1",
    chunked: bool = False,
    close: bool = False,
    upgrade: str | None = None,
) -> bytes:
    """Return the head to send: ``Host`` replaced in its place, hop-by-hop and our own headers left out, all else kept.

    Args:
        host: what the upstream is called.
        version: the client's; an answer to it has to be one that the client understands.
        chunked: the body follows in chunks.
        close: the client wants the connection closed afterwards.
        upgrade: the protocol that the client wants to change to.
    """
    dropped = HOP_BY_HOP | _named_by_connection(headers)
    lines = [f"{method} {target} HTTP/{version}".encode("latin-1")]
    host_line = b"Host: " + host.encode("ascii")
    has_host = False
    for name, value in headers:
        lower = name.lower()
        if lower == b"host":
            if not has_host:
                lines.append(host_line)
            has_host = True
        elif lower not in dropped and not lower.startswith(OWN):
            lines.append(name + b": " + value)
    if not has_host:
        lines.insert(1, host_line)
    if chunked:
        lines.append(b"Transfer-Encoding: chunked")
    if upgrade is not None:
        lines += [b"Connection: Upgrade", b"Upgrade: " + upgrade.encode("latin-1")]
    elif close and version == "1.1":
        lines.append(b"Connection: close")
    return b"\r\n".join(lines) + b"\r\n\r\n"


def origin_form(target: bytes, headers: Headers) -> tuple[bytes, Headers]:
    """Return target and headers of a request that names its server in the target as one that names it in ``Host``.

    RFC 9112, section 3.2.2: every server has to take the absolute form, and the name in it counts.
    """
    found = _ABSOLUTE.match(target)
    if found is None:
        return target, headers
    others = [(name, value) for name, value in headers if name.lower() != b"host"]
    rest = target[found.end() :]
    return rest if rest.startswith(b"/") else b"/" + rest, [(b"Host", found[1]), *others]


def own_reply(status: HTTPStatus, message: str) -> bytes:
    """Return a whole answer of the proxy itself; the connection ends with it."""
    error = {"type": ERROR_TYPE, "code": status.phrase.lower().replace(" ", "_"), "message": message}
    body = json.dumps({"error": error}, ensure_ascii=False).encode()
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + body


def header(headers: Headers, name: bytes) -> str | None:
    """Return the first value of a header; ``name`` in small letters."""
    for given, value in headers:
        if given.lower() == name:
            return value.decode("latin-1").strip()
    return None


def host_name(value: str | None) -> str:
    """Return the name in a ``Host`` header, without port and brackets, in small letters."""
    text = (value or "").strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0]


def is_loopback(host: str) -> bool:
    """Say whether a name or address can only mean this machine: a web page's own name, rebound to us, does not."""
    if host in ("", "localhost") or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def without_upgrade(head: bytes) -> bytes:
    """Return a head without its ``Upgrade`` lines: the parser would take the body for another protocol.

    The header is hop-by-hop and would not be forwarded anyway; Java's HTTP client sends it with an ordinary POST.
    """
    if b"upgrade" not in head.lower():
        return head
    first, *rest = head.split(b"\r\n")
    return b"\r\n".join([first, *(line for line in rest if not line.lower().startswith((b"upgrade:", b"upgrade ")))])


def _named_by_connection(headers: Headers) -> frozenset[bytes]:
    named: set[bytes] = set()
    for name, value in headers:
        if name.lower() == b"connection":
            named.update(token.strip().lower() for token in value.split(b","))
    return frozenset(named - FRAMING)
