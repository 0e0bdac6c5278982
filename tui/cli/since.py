"""How far back ``follow`` looks: days or hours, or a date."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from .failure import CommandFailed

DEFAULT = "7d"
EVERYTHING = "all"
_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SPAN = re.compile(r"(\d{1,6})([mhdw])")
NS = 1_000_000_000


def since_ns(given: str | None, now_ns: int) -> int:
    """Return the moment in nanoseconds since 1970 before which files are left out; 0: none are.

    Raises:
        CommandFailed: it is neither a span (``90m``, ``12h``, ``7d``, ``2w``), a date, nor ``all``.
    """
    wanted = DEFAULT if given is None else given.strip()
    if wanted == EVERYTHING:
        return 0
    if (span := _SPAN.fullmatch(wanted)) is not None:
        return max(0, now_ns - int(span[1]) * _SECONDS[span[2]] * NS)
    try:
        at = datetime.fromisoformat(wanted)
        return max(0, int((at if at.tzinfo is not None else at.astimezone(UTC)).timestamp() * NS))
    except (ValueError, OverflowError):
        raise CommandFailed("cli.follow.wrong_since", since=wanted[:40]) from None
