"""Browsers that have shown the token: each holds a cookie of its own, for some hours."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from hashlib import sha256

LASTS_S = 12 * 3600.0
"""A working day; then the token is asked for again."""
MOST_BROWSERS = 32
"""Kept at once; one more ends the oldest."""
SECRET_BYTES = 32  # 256 bits: not to be guessed


class Sessions:
    """Gives out cookies against the token. Holds secrets: it has no readable ``repr``."""

    def __init__(self, token: str, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Let in whoever shows ``token``.

        Args:
            monotonic: seconds that never go back.
        """
        self._token = _digest(token)
        self._monotonic = monotonic
        self._ends: dict[bytes, float] = {}

    def open(self, token: str) -> str | None:
        """Return the cookie of a new session; None when the token is wrong."""
        if not hmac.compare_digest(_digest(token), self._token):
            return None
        now = self._monotonic()
        self._ends = {known: ends for known, ends in self._ends.items() if ends > now}
        while len(self._ends) >= MOST_BROWSERS:
            del self._ends[next(iter(self._ends))]
        cookie = secrets.token_urlsafe(SECRET_BYTES)
        self._ends[_digest(cookie)] = now + LASTS_S
        return cookie

    def knows(self, cookie: str | None) -> bool:
        """Say whether a cookie was given out and still counts.

        Digests are looked up, so the time that it takes tells nothing about any cookie.
        """
        return cookie is not None and self._ends.get(_digest(cookie), 0.0) > self._monotonic()


def _digest(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
