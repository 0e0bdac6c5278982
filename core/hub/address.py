"""The addresses of a hub's endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode, urlsplit, urlunsplit

from ..rounds.faults import CodedError

SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}


class AddressError(CodedError, ValueError):
    """A text that is no URL of a hub, and is not quoted."""


def endpoint(url: str, path: str, query: Sequence[tuple[str, str]] = ()) -> str:
    """Return the websocket URL of one of the hub's endpoints, from the hub's own URL.

    Raises:
        AddressError: no hub URL. The text does not quote it: a wrong one may hold a secret.
    """
    try:
        parts = urlsplit(url)
        scheme, host, port = SCHEMES.get(parts.scheme), parts.hostname, parts.port
    except ValueError:
        scheme, host, port = None, None, None
        parts = urlsplit("")
    if scheme is None or not host:
        raise AddressError("the hub's URL has the form ws://host:port or wss://host:port", code="address_form")
    if parts.username is not None or parts.query or parts.fragment:
        raise AddressError(
            "the hub's URL holds no user, query or fragment; a token goes into a file or the environment",
            code="address_secret",
        )
    if parts.path not in ("", "/", path):
        raise AddressError(f"the hub's URL has no path (or {path})", code="address_path", path=path)
    name = f"[{host}]" if ":" in host else host
    return urlunsplit((scheme, f"{name}:{port}" if port is not None else name, path, urlencode(query), ""))
