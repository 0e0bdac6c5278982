"""Redis addresses as operators give them; this needs no Redis library."""

from __future__ import annotations

from urllib.parse import urlsplit

from .errors import StoreError

SCHEMES = ("redis://", "rediss://", "unix://")


def is_redis(text: str) -> bool:
    """Return whether a store is named by a Redis address and not by a path."""
    return text.startswith(SCHEMES)


def place_of(url: str) -> str:
    """Return a Redis address without user, password and options.

    Raises:
        StoreError: it is none.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise StoreError("this is no Redis address: expected redis://host:port/number", code="redis_address") from None
    if parts.scheme == "unix" and parts.path:
        return f"unix://{parts.path}"
    if parts.scheme not in ("redis", "rediss") or not parts.hostname:
        raise StoreError("this is no Redis address: expected redis://host:port/number", code="redis_address")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}:{port or 6379}{parts.path or '/0'}"
