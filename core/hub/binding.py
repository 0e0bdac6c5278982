"""Where a hub may listen: on this machine freely, beyond it only behind a token and TLS."""

from __future__ import annotations

import os
from collections.abc import Iterable
from urllib.parse import urlsplit

from .errors import HubError
from .gate import host_name, is_loopback


def check_binding(host: str, *, asks_for_token: bool, has_tls: bool, insecure: bool) -> None:
    """Return when a hub may listen on ``host``.

    Args:
        host: an address or name.
        asks_for_token: clients need one.
        has_tls: clients need to speak it.
        insecure: somebody else encrypts, or nobody has to; the token is still needed.

    Raises:
        HubError: what others send and read there would be open to anybody.
    """
    if is_loopback(host):
        return
    if not asks_for_token:
        raise HubError(
            f"{host} reaches beyond this machine: a hub without a token listens on this machine only",
            code="hub_open_to_all",
            host=host,
        )
    if not has_tls and not insecure:
        raise HubError(
            f"{host} reaches beyond this machine: give the hub a certificate (--tls-cert, --tls-key), or say "
            "--insecure where something in front of it encrypts",
            code="hub_not_encrypted",
            host=host,
        )


def check_names(hosts: Iterable[str], origins: Iterable[str]) -> None:
    """Return when a request could carry each of these; one that none carries would seem to open something.

    Raises:
        HubError: a host is no bare name, or an origin no scheme with host and port.
    """
    for name in hosts:
        if not name or name != host_name(name) or not name.isprintable() or set(name) & set("/ @?#*"):
            said = f"{name!r} is no host name: give the name alone, without scheme, port and path"
            raise HubError(said, code="hub_wrong_name", name=name)
    for origin in origins:
        if not _is_origin(origin):
            said = f"{origin!r} is no web origin: give it as https://host or https://host:port, without a path"
            raise HubError(said, code="hub_wrong_origin", name=origin)


def _is_origin(origin: str) -> bool:
    try:
        parts = urlsplit(origin)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return has_host and origin == f"{parts.scheme}://{parts.netloc}" and parts.username is None


def cannot_listen(host: str, port: int, error: OSError) -> HubError:
    """Return what to say where the system does not let a hub listen; asyncio words some of its reasons at length."""
    number = error.errno or 0  # below 0: of a name that nobody knows
    why = os.strerror(number) if number > 0 else error.strerror
    said = f"cannot listen on {host} port {port}: {why}"
    return HubError(said, code="hub_cannot_listen", host=host, port=str(port), said=why)
