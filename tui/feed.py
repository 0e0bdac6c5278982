"""How it stands with the source of events: its state, and what of it is not on screen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from .source import Unreadable


class FeedState(StrEnum):
    """How it stands with the source of events."""

    CONNECTING = "connecting"
    CATCHING_UP = "catching_up"
    REPLAYING = "replaying"
    """A recording plays."""
    LIVE = "live"
    RECONNECTING = "reconnecting"
    REFUSED = "refused"
    FAILED = "failed"
    """A fault of ours in reading it."""
    ENDED = "ended"
    """A recording is at its end."""


@dataclass(frozen=True, slots=True)
class FeedGap:
    """Events that our own view misses, and where in a round's timeline that happened."""

    place: int
    """How many entries the timeline had."""
    missing: int | None
    """How many events; None = not known."""
    at: datetime | None = None


@dataclass(slots=True)
class Feed:
    """The source's own state."""

    state: FeedState = FeedState.CONNECTING
    reason: str | None = None
    fault: Exception | None = None
    """Why nothing more comes, where an error said so."""
    retry_at: float | None = None
    """On the reader's monotonic clock, seconds."""
    heard: float | None = None
    """When the last event came, on the reader's monotonic clock, seconds."""
    stream: str | None = None
    """Names the numbering of the source's events."""
    first: int = 0
    """The oldest event that the source keeps."""
    last: int | None = None
    """The newest event that the source had when we came; None = the source does not say."""
    seq: int = 0
    """The newest event that was taken in."""
    speed: float = 1.0
    """How many seconds of a recording a second takes; 0 = all at once."""
    missing: int = 0
    """Events known to be missing."""
    missing_unknown: bool = False
    """More are missing, nobody knows how many."""
    unreadable: int = 0
    last_unreadable: Unreadable | None = None

    trouble: str | None = None
    """What keeps the hub from storing: ``full``, ``read_only``, ``failing`` or ``damaged``."""

    @property
    def is_partial(self) -> bool:
        """Part of what happened is not on screen."""
        return self.missing > 0 or self.missing_unknown
