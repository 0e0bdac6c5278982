"""Where the proxy listens unless told otherwise."""

from __future__ import annotations

DEFAULT_PORT = 7434


def base_url(host: str, port: int, *, tls: bool = False) -> str:
    """Return the address of a proxy; ``tls``: it speaks TLS."""
    scheme = "https" if tls else "http"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
