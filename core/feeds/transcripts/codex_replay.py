"""A forked session of Codex begins with a copy of its parent's records; what of it is its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from .fields import Object, moment_of, word_of

BURST = timedelta(milliseconds=100)
"""Copied records are written one right after the other; a longer pause ends them."""
SLACK = timedelta(seconds=1)
"""Clocks of the session's name and of its turns' differ by less."""


class Replay:
    """Says of each record whether it is a copy."""

    def __init__(self) -> None:
        """Begin before the first record."""
        self.session: str | None = None
        self._began: datetime | None = None
        self._before: datetime | None = None
        self._may_copy = False
        self._is_copying = False

    def meta(self, payload: Object, at: datetime | None) -> bool:
        """Take in a ``session_meta``; return whether it is the session's own first one."""
        id_ = word_of(payload.get("id"))
        self._before = at
        if self.session is None:
            self.session = id_
            self._began = moment_of(payload.get("timestamp")) or at
            self._may_copy = word_of(payload.get("forked_from_id")) is not None
            return True
        if id_ is not None and id_ != self.session:
            self._is_copying = True
        return False

    def is_copy(self, payload: Object, at: datetime | None, *, begins_turn: bool) -> bool:
        """Return whether a record was copied from the parent.

        The first turn that the session began itself ends the copy: its id, which holds the time it was made, is
        not older than the session; where ids hold no time, it does not follow the copied records at once.
        """
        before, self._before = self._before, at or self._before
        if not (self._may_copy or self._is_copying):
            return False
        if not begins_turn:
            return self._is_copying
        made = _made(payload.get("turn_id"))
        if made is not None and self._began is not None:
            is_own = made >= self._began - SLACK
        else:
            pause = at - before if at is not None and before is not None else None
            is_own = not self._is_copying or pause is None or pause >= BURST
        if is_own:
            self._may_copy = self._is_copying = False
            return False
        self._is_copying = True
        return True


def _made(id_: object) -> datetime | None:
    """Return when a UUID of version 7 was made; None for anything else."""
    try:
        found = UUID(id_) if isinstance(id_, str) else None
    except ValueError:
        return None
    if found is None or found.version != 7:
        return None
    try:
        return datetime.fromtimestamp((found.int >> 80) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None
