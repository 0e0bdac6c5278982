"""What a hub keeps of some rounds, and why it cannot be had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..rounds.events import Event
from .errors import HubError
from .gate import MAX_SELECTED

MOST_ROUNDS = MAX_SELECTED
"""How many rounds one history may be of."""


class HistoryUnavailable(HubError):
    """The hub cannot be asked just now; asking again later may help."""


class HistoryTooLarge(HubError):
    """The hub keeps more of these rounds than is read at once."""


@dataclass(frozen=True, slots=True)
class History:
    """What a hub keeps of some rounds."""

    stream: str
    """Names the numbering that ``seq`` and ``through`` belong to."""
    events: Sequence[tuple[int, Event]]
    """Each with its seq, in order."""
    through: int
    """Everything that the hub stored up to here is in it, as far as it is kept."""
    is_trimmed: bool
    """The hub no longer keeps the oldest events: a round without its start has lost some."""
    damaged: frozenset[str]
    """Rounds with an event that could not be read."""
    lines: Mapping[int, str] = field(default_factory=dict[int, str])
    """By seq: the text that an event came as."""
