"""What the hub's supervision remembers of a round that is open: never more than what its next word needs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..rounds.base import Parent
from .supervision_words import Why

MOST_OPEN = 1000  # calls or tool calls open at once in one round; more is no agent, and is not watched


@dataclass(slots=True)
class OpenRound:
    """A round without an end. Times are seconds of the hub's own monotonic clock."""

    id: str
    producer: str
    thread: str | None
    parent: Parent | None
    since_s: float
    """When its newest sign of work was stored."""
    calls: set[str] = field(default_factory=set[str])
    """Open calls."""
    running: Counter[str] = field(default_factory=Counter[str])
    """Tool calls that were started and have no result, by id: ids may repeat, so they are counted."""
    unanswered: set[str] = field(default_factory=set[str])
    """Tool calls without a result, started or not."""
    waits: dict[str, str] = field(default_factory=dict[str, str])
    """By tool call: the sub-round that has ended and whose result has not been taken."""
    is_suspended: bool = False
    told: Why | None = None
    """What was said since its newest sign of work: it is not said again."""
    own_seq: int = 0
    """Its newest event that came through this hub."""
    seen_seq: int = 0
    """Its newest event that came through any hub."""

    @property
    def may_fall_silent(self) -> bool:
        """A call is open, and neither a tool nor a person is waited for."""
        return bool(self.calls) and not self.running and not self.is_suspended

    @property
    def has_moved(self) -> bool:
        """Another hub takes its events now, and speaks about it."""
        return self.seen_seq > self.own_seq

    @property
    def is_too_large(self) -> bool:
        """It has more open than is kept."""
        return max(len(self.calls), len(self.running), len(self.unanswered)) > MOST_OPEN

    def tool_ended(self, tool_call: str) -> None:
        """Take note of a result or a refusal."""
        self.unanswered.discard(tool_call)
        if self.running[tool_call] > 1:
            self.running[tool_call] -= 1
        else:
            del self.running[tool_call]


@dataclass(slots=True)
class Threads:
    """Which round is the newest of a thread: a word about the thread is taken to be about that one."""

    _newest: dict[str, str] = field(default_factory=dict[str, str])
    _held: Counter[str] = field(default_factory=Counter[str])

    def started(self, thread: str, round_: str) -> None:
        """Take note of a new round of a thread, and keep the thread until it is released."""
        self._newest[thread] = round_
        self._held[thread] += 1

    def hold(self, thread: str) -> None:
        """Keep a thread until it is released once more."""
        self._held[thread] += 1

    def release(self, thread: str) -> None:
        """Let go of a thread; nothing is known of one that nobody holds."""
        self._held[thread] -= 1
        if self._held[thread] <= 0:
            del self._held[thread]
            self._newest.pop(thread, None)

    def newest(self, thread: str | None) -> str | None:
        """Return the newest round of a thread that is held."""
        return None if thread is None else self._newest.get(thread)

    def __len__(self) -> int:
        """Return how many are held."""
        return len(self._held)
