"""When to try again, and whether at all: pure, so both are tested without waiting."""

from __future__ import annotations

import random
import ssl
from collections.abc import Callable, Iterator

from websockets.exceptions import (
    ConnectionClosed,
    InvalidMessage,
    InvalidStatus,
    WebSocketException,
)

from .limits import CLOSE_TAKEN_OVER

FIRST_S = 0.5
CAP_S = 30.0
SHORTEST_S = 0.05  # a jitter of nothing would hammer a hub that accepts and closes at once
STABLE_S = 10.0
"""A connection that lived this long after the hub's first frame starts the back-off anew."""

NO_TLS = "WRONG_VERSION_NUMBER"
"""OpenSSL's reason for a first answer that is no TLS record."""
RETRY_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})


def delays(rand: Callable[[], float] = random.random) -> Iterator[float]:
    """Yield the pauses between attempts, in seconds, for ever.

    Each is drawn evenly from 0 to a bound that doubles from ``FIRST_S`` to ``CAP_S`` (full jitter): two hundred
    watchers of a hub that restarts do not come back in step.
    """
    bound = FIRST_S
    while True:
        yield max(SHORTEST_S, bound * rand())
        bound = min(CAP_S, bound * 2)


def is_transient(error: BaseException) -> bool:
    """Return whether trying again with the same parameters can help."""
    match error:
        case InvalidStatus():
            return error.response.status_code in RETRY_STATUS
        case ConnectionClosed():
            return error.rcvd is None or error.rcvd.code != CLOSE_TAKEN_OVER
        case ssl.SSLCertVerificationError():
            return False
        case ssl.SSLError():
            return not lacks_tls(error)
        case OSError():  # refused, reset, unreachable, name not found, timed out
            return True
        case InvalidMessage():  # the hub died between accepting and answering
            return isinstance(error.__cause__, EOFError)
        case _:  # a wrong URL, another protocol, or a fault of ours
            return False


def lacks_tls(error: BaseException) -> bool:
    """Return whether the other side answered a TLS handshake with something that is no TLS at all."""
    return isinstance(error, ssl.SSLError) and getattr(error, "reason", None) == NO_TLS


def describe(error: BaseException) -> str:
    """Return one line about a lost or refused connection; what the hub said is quoted without control characters."""
    match error:
        case InvalidStatus():
            body = (error.response.body or b"").decode("utf-8", "replace")
            return plain(f"HTTP {error.response.status_code}: {body.strip() or error.response.reason_phrase}")
        case ConnectionClosed() if error.rcvd is not None:
            reason = f": {error.rcvd.reason}" if error.rcvd.reason else ""
            return plain(f"closed by the hub with {error.rcvd.code}{reason}")
        case ConnectionClosed() if error.sent is not None and error.sent.reason:
            return plain(f"closed: {error.sent.reason}")
        case ConnectionClosed():
            return "the connection was lost"
        case ConnectionRefusedError():
            return "nobody listens there"
        case TimeoutError():
            return "no answer in time"
        case OSError():
            return plain(error.strerror or type(error).__name__)
        case WebSocketException():
            return plain(f"no websocket of a hub: {error}")
        case _:
            return plain(f"{type(error).__name__}: {error}")


def plain(text: str) -> str:
    """Return a text from outside on one short line without control characters."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)[:300]
