"""Where a hub may listen: on this machine freely, beyond it only behind a token and TLS."""

from __future__ import annotations

from .errors import HubError
from .gate import is_loopback


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
