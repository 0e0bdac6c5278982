"""What a watch yields: the hub's frames, events, what cannot be read, and news of the connection."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..rounds.parse import EventError
from .errors import HubError
from .frames import At, Gap, Hello, Live, State
from .received import Received


class LinkState(StrEnum):
    """What the client does about its connection."""

    CONNECTING = "connecting"
    REPLAYING = "replaying"
    """Connected; what was missed comes in."""
    LIVE = "live"
    RECONNECTING = "reconnecting"
    """Waiting ``delay_s`` seconds before the next attempt."""
    REFUSED = "refused"
    """For good; the iteration raises next."""


@dataclass(frozen=True, slots=True)
class Link:
    """The connection changed."""

    state: LinkState
    reason: str | None = None
    delay_s: float | None = None
    fault: HubError | None = field(default=None, compare=False)
    """What ``reason`` says, for a reader of another language."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something in the feed that is no event; the rest goes on."""

    where: str
    why: str
    seq: int | None = None
    round: str | None = None
    """The round that it names, where that much can be read."""
    error: EventError | None = None
    """What ``why`` says, for a reader of another language; None where ``why`` is all there is."""


WatchItem = Hello | Gap | State | Received | Live | At | Unreadable | Link
