"""The client's side of a connection: which address, which token, which settings."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from ssl import SSLContext
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.frames import CloseCode
from websockets.typing import Subprotocol

from .auth import read_token
from .backoff import is_transient, lacks_tls
from .closing import abort_unless_closed
from .errors import HubError, HubRefused
from .gate import is_loopback
from .limits import CLOSE_S, MAX_FRAME_BYTES, PING_S, SUBPROTOCOL
from .link_faults import link_fault
from .quiet import WIRE_LOG
from .tls_entry import NEEDS_TLS

OPEN_S = 10.0
QUEUED_FRAMES = 16
LINK_ERRORS = (OSError, WebSocketException, HubError)
"""Everything that opening and using a connection raises; the rest is a fault of ours and shows as one."""
UNAUTHORISED = 401


def token_for(url: str, token: str | None) -> str | None:
    """Return the token to show to the hub at ``url``: the given one, or this account's own for a hub on this machine.

    The account's token goes to no other machine by itself.

    Raises:
        TokenError: the account's token file is not to be trusted.
    """
    if token is not None:
        return token
    return read_token() if is_loopback(urlsplit(url).hostname or "") else None


@asynccontextmanager
async def dial(url: str, token: str | None, tls: SSLContext | None = None) -> AsyncGenerator[ClientConnection]:
    """Connect to an endpoint for as long as the block runs; leaving it never hangs on a hub that reads nothing.

    ``tls`` says which authorities are trusted; None: those of the system.

    Raises:
        HubRefused: something else than a hub answers.
        OSError, WebSocketException: see ``is_transient``.
    """
    token = token_for(url, token)
    encrypted = urlsplit(url).scheme == "wss"
    link = await connect(
        url,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        additional_headers={"Authorization": f"Bearer {token}"} if token else None,
        user_agent_header=None,
        proxy=None if is_loopback(urlsplit(url).hostname or "") else True,  # a proxy cannot reach our loopback
        open_timeout=OPEN_S,
        ping_interval=PING_S,
        ping_timeout=PING_S,
        close_timeout=CLOSE_S,
        max_size=MAX_FRAME_BYTES,
        max_queue=QUEUED_FRAMES,
        ssl=(tls or True) if encrypted else None,
        logger=WIRE_LOG,
    )
    try:
        if link.subprotocol != SUBPROTOCOL:
            raise HubRefused(
                f"no roundwatch hub answers there: it does not speak {SUBPROTOCOL}", code="hub_other_program"
            )
        yield link
    finally:
        await abort_unless_closed(link, CloseCode.NORMAL_CLOSURE, "")


def refusal(error: BaseException) -> HubError | None:
    """Return what to raise for an error that trying again cannot mend, or None when it can."""
    if isinstance(error, HubError):
        return error
    if is_transient(error):
        return None
    fault = link_fault(error)
    if isinstance(error, InvalidStatus) and error.response.status_code == UNAUTHORISED:
        return HubRefused(
            "not authorised: the hub does not accept this token, or none was given. Clients of the hub's own account "
            f"find it by themselves, others need it given ({fault})",
            code="hub_token",
        )
    if lacks_tls(error):
        return HubRefused("the hub there speaks no TLS: name it with ws:// instead of wss://", code="hub_lacks_tls")
    if isinstance(error, InvalidStatus) and error.response.status_code == NEEDS_TLS:
        return HubRefused("the hub there speaks TLS: name it with wss:// instead of ws://", code="hub_needs_tls")
    said = f"the hub refuses the connection: {fault}"
    if isinstance(error, InvalidStatus):
        return HubRefused(said, code="hub_refused", said=str(fault))
    return HubRefused(said, code=fault.code, **fault.facts)
