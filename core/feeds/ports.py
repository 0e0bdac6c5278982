"""Where the proxy listens unless told otherwise."""

from __future__ import annotations

DEFAULT_PORT = 7434


def base_url(host: str, port: int) -> str:
    """Return the address of a proxy."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
