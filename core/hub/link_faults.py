"""A lost or refused connection as a fault of ours: code and facts for the reader's language, the rest as detail."""

from __future__ import annotations

import errno
import socket
import ssl

from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.frames import CloseCode

from .backoff import describe, plain
from .errors import HubError
from .limits import CLOSE_TAKEN_OVER, CLOSE_TOO_BIG, CLOSE_TOO_SLOW

CLOSINGS = {
    CloseCode.NORMAL_CLOSURE: "link_closed",
    CloseCode.GOING_AWAY: "link_hub_stops",
    CloseCode.POLICY_VIOLATION: "link_closed_policy",
    CLOSE_TOO_BIG: "link_too_big",
    CloseCode.INTERNAL_ERROR: "link_hub_fault",
    CloseCode.SERVICE_RESTART: "link_hub_restarts",
    CLOSE_TOO_SLOW: "link_too_slow",
    CLOSE_TAKEN_OVER: "link_taken_over",
}
"""What a hub means by the code it closes with; any other one is told with its number."""
UNREACHABLE = frozenset((errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN))


def link_fault(error: BaseException) -> HubError:
    """Return the fault; ``str()`` is ``describe``'s English line, code and facts say it in any language.

    The facts quote what the system or the other side said, without control characters.
    """
    if isinstance(error, HubError):
        return error
    code, said = _coded(error)
    return HubError(describe(error), code=code, said=plain(said)) if code else HubError(describe(error))


def _coded(error: BaseException) -> tuple[str | None, str]:
    match error:
        case InvalidStatus():
            return "link_http", describe(error).removeprefix("HTTP ")
        case ConnectionClosed():
            return _closing(error)
        case ssl.SSLCertVerificationError():
            return "link_certificate", getattr(error, "verify_message", "") or _said(error)
        case ssl.SSLError():
            return "link_tls", getattr(error, "reason", "") or _said(error)  # made by hand it lacks both
        case WebSocketException():
            return "link_no_websocket", str(error)
        case OSError():
            return _of_system(error), _said(error)
        case _:
            return None, ""


def _closing(error: ConnectionClosed) -> tuple[str, str]:
    if error.rcvd is None:
        timed_out = error.sent is not None and "ping" in error.sent.reason
        return ("link_silent" if timed_out else "link_lost"), ""
    code, reason = error.rcvd.code, error.rcvd.reason
    said = f"{code} {reason}".strip()
    return CLOSINGS.get(code, "link_closed_otherwise"), said


def _of_system(error: OSError) -> str:
    match error:
        case socket.gaierror():
            return "link_name"
        case ConnectionRefusedError():
            return "link_nobody"
        case TimeoutError():
            return "link_time_out"
        case ConnectionError():
            return "link_reset"
        case _:
            return "link_unreachable" if error.errno in UNREACHABLE else "link_system"


def _said(error: OSError) -> str:
    return error.strerror or type(error).__name__
