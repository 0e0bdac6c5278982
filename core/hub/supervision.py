"""Who has fallen silent: the hub's own view of open rounds, as a pure function of events, departures and a clock.

O(1) an event. Open rounds alone are remembered, and the oldest of too many are forgotten: of those nothing is said.
Something is said once for each change, and only where it will be taken to be about the right round: the newest of a
thread.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..rounds.base import OutputKind
from ..rounds.events import (
    CallFinished,
    CallOutput,
    CallStarted,
    Event,
    NoUsableModel,
    RoundFinished,
    RoundOutput,
    RoundResumed,
    RoundStarted,
    RoundStopped,
    RoundSuspended,
    SelectionUnresolved,
    SupervisorVerdict,
    ThreadSupervised,
    ToolFinished,
    ToolRefused,
    ToolRequested,
    ToolStarted,
)
from ..rounds.outcome import STALL_AFTER_S
from .supervision_round import OpenRound, Threads
from .supervision_words import BY, Why, Word

ENDS = frozenset((RoundFinished, RoundStopped, NoUsableModel, SelectionUnresolved))
RECORD_S = 3600.0  # a round that was this old when it came is a record that is handed in, not work to watch


@dataclass(frozen=True, slots=True)
class SupervisionLimits:
    """After how many seconds the hub speaks, and how much it remembers."""

    silent_s: float = STALL_AFTER_S
    parent_s: float = 120.0
    gone_s: float = 60.0
    most_rounds: int = 10_000


WATCHFUL = SupervisionLimits()
"""What a hub does unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class _Gone:
    at_s: float
    is_clean: bool


@dataclass(frozen=True, slots=True)
class _Wait:
    parent: str
    tool_call: str
    thread: str | None
    since_s: float


class Supervision:
    """Open rounds whose events come through this hub."""

    def __init__(self, limits: SupervisionLimits = WATCHFUL) -> None:
        """Start with none."""
        self._limits = limits
        self._rounds: dict[str, OpenRound] = {}
        self._threads = Threads()
        self._of_producer: dict[str, dict[str, None]] = {}
        self._silent: OrderedDict[str, None] = OrderedDict()
        """Rounds that may fall silent, the longest without a sign first."""
        self._waits: OrderedDict[str, _Wait] = OrderedDict()
        """Sub-rounds that have ended while their parent waits, the longest first."""
        self._gone: OrderedDict[str, _Gone] = OrderedDict()

    def __len__(self) -> int:
        """Return how many rounds are remembered."""
        return len(self._rounds)

    def take(self, event: Event, producer: str, seq: int, now_s: float, wall_s: float) -> None:
        """Take in an event that ``producer`` stored through this hub.

        Args:
            event: as parsed.
            producer: the name in its id.
            seq: its number.
            now_s: monotonic seconds.
            wall_s: seconds since 1970, for the age of what is handed in.
        """
        kind = type(event)
        if kind is ThreadSupervised:
            self._supervised(event)
            return
        name = event.__dict__["round"]
        round_ = self._rounds.get(name)
        if kind is RoundStarted:
            round_ = self._start(event, producer, now_s, wall_s)
        if round_ is None:
            return
        round_.own_seq = seq
        if round_.producer != producer:
            self._belongs_to(round_, producer)
        if kind in ENDS:
            self._end(round_, now_s)
        else:
            self._work(round_, event, now_s)

    def elsewhere(self, round_: str, seq: int) -> None:
        """Take note of an event that was stored, through whichever hub."""
        if (known := self._rounds.get(round_)) is not None:
            known.seen_seq = seq

    def left(self, producer: str, now_s: float, *, is_clean: bool) -> None:
        """Take note that a producer's connection ended."""
        if producer in self._of_producer:
            self._gone[producer] = _Gone(now_s, is_clean)
            self._gone.move_to_end(producer)

    def came(self, producer: str) -> None:
        """Take note that a producer is connected."""
        if self._gone.pop(producer, None) is None:
            return
        for round_ in (self._rounds[name] for name in self._of_producer[producer]):
            if round_.may_fall_silent and round_.told is None:
                self._silent[round_.id] = None
                self._silent.move_to_end(round_.id, last=False)

    def all_left(self, now_s: float) -> None:
        """Take note that nobody is connected yet: what is remembered comes from before a restart."""
        for producer in self._of_producer:
            self.left(producer, now_s, is_clean=False)

    def due(self, now_s: float, may_be_back: Callable[[float], bool] = lambda _: False) -> list[Word]:
        """Return what is to be said now, each once.

        Args:
            now_s: monotonic seconds.
            may_be_back: whether somebody unnamed has connected since a moment; nobody is called gone meanwhile.
        """
        return [*self._vanished(now_s, may_be_back), *self._fallen_silent(now_s), *self._parked(now_s)]

    def _start(self, event: Event, producer: str, now_s: float, wall_s: float) -> OpenRound | None:
        assert isinstance(event, RoundStarted)
        known = self._rounds.get(event.round)
        if known is not None:
            return known
        if event.at is None or abs(wall_s - event.at.timestamp()) > RECORD_S:
            return None
        if len(self._rounds) >= self._limits.most_rounds:
            self._forget(next(iter(self._rounds.values())))
        round_ = OpenRound(event.round, producer, event.thread, event.parent, now_s)
        self._rounds[round_.id] = round_
        self._of_producer.setdefault(producer, {})[round_.id] = None
        if round_.thread is not None:
            self._threads.started(round_.thread, round_.id)
        return round_

    def _work(self, round_: OpenRound, event: Event, now_s: float) -> None:
        """Take in what is no end; a keep-alive, a usage report or a warning is no sign of work."""
        match event:
            case CallOutput():
                if event.kind is OutputKind.USAGE or not (event.text or event.chars):
                    return
            case CallStarted():
                round_.calls.add(event.call)
            case CallFinished():
                round_.calls.discard(event.call)
            case ToolRequested():
                round_.unanswered.add(event.tool_call)
            case ToolStarted():
                round_.unanswered.add(event.tool_call)
                round_.running[event.tool_call] += 1
            case ToolFinished() | ToolRefused():
                round_.tool_ended(event.tool_call)
                self._taken(round_, event.tool_call)
            case RoundSuspended():
                round_.is_suspended = True
            case RoundResumed():
                round_.is_suspended = False
            case RoundStarted() | RoundOutput():
                pass
            case _:
                return
        if type(event) is not CallOutput and round_.is_too_large:
            self._forget(round_)
            return
        round_.since_s, round_.told = now_s, None
        if round_.may_fall_silent:
            self._silent[round_.id] = None
            self._silent.move_to_end(round_.id)
        else:
            self._silent.pop(round_.id, None)

    def _end(self, round_: OpenRound, now_s: float) -> None:
        parent = self._rounds.get(round_.parent.round) if round_.parent is not None else None
        tool_call = round_.parent.tool_call if round_.parent is not None else None
        if parent is not None and tool_call in parent.unanswered:
            parent.waits[tool_call] = round_.id
            self._waits[round_.id] = _Wait(parent.id, tool_call, round_.thread, now_s)
            if round_.thread is not None:
                self._threads.hold(round_.thread)
        self._forget(round_)

    def _forget(self, round_: OpenRound) -> None:
        del self._rounds[round_.id]
        self._silent.pop(round_.id, None)
        self._leave(round_)
        for tool_call in list(round_.waits):
            self._taken(round_, tool_call)
        if round_.thread is not None:
            self._threads.release(round_.thread)

    def _taken(self, parent: OpenRound, tool_call: str) -> None:
        wait = self._waits.pop(parent.waits.pop(tool_call, ""), None)
        if wait is not None and wait.thread is not None:
            self._threads.release(wait.thread)

    def _belongs_to(self, round_: OpenRound, producer: str) -> None:
        self._leave(round_)
        round_.producer = producer
        self._of_producer.setdefault(producer, {})[round_.id] = None

    def _leave(self, round_: OpenRound) -> None:
        rounds = self._of_producer[round_.producer]
        del rounds[round_.id]
        if not rounds:
            del self._of_producer[round_.producer]
            self._gone.pop(round_.producer, None)

    def _supervised(self, event: Event) -> None:
        assert isinstance(event, ThreadSupervised)
        round_ = self._rounds.get(self._threads.newest(event.thread) or "")
        if round_ is None:
            return
        if event.verdict is SupervisorVerdict.GAVE_UP:
            self._forget(round_)
        elif event.by == BY:  # said before a restart
            round_.told = Why.SILENT if event.why == Why.SILENT else Why.PUBLISHER_GONE
            self._silent.pop(round_.id, None)

    def _vanished(self, now_s: float, may_be_back: Callable[[float], bool]) -> Iterator[Word]:
        for producer, gone in list(self._gone.items()):
            if now_s - gone.at_s < self._limits.gone_s:
                return
            if may_be_back(gone.at_s):
                continue
            del self._gone[producer]
            why = Why.PUBLISHER_LEFT if gone.is_clean else Why.PUBLISHER_GONE
            for name in list(self._of_producer[producer]):
                yield from self._say(self._rounds[name], why, now_s - gone.at_s)

    def _fallen_silent(self, now_s: float) -> Iterator[Word]:
        while self._silent:
            round_ = self._rounds[next(iter(self._silent))]
            if now_s - round_.since_s < self._limits.silent_s:
                return
            del self._silent[round_.id]
            if round_.producer not in self._gone:  # then that is said, or it comes back and goes on
                yield from self._say(round_, Why.SILENT, now_s - round_.since_s)

    def _parked(self, now_s: float) -> Iterator[Word]:
        while self._waits:
            child, wait = next(iter(self._waits.items()))
            if (after_s := now_s - wait.since_s) < self._limits.parent_s:
                return
            parent = self._rounds[wait.parent]
            is_newest = self._threads.newest(wait.thread) == child
            self._taken(parent, wait.tool_call)
            if parent.producer in self._gone or parent.has_moved:
                continue
            if wait.thread is not None and is_newest:
                yield Word(wait.thread, child, Why.PARENT_WAITS, after_s, is_idle=True)
            elif parent.thread is not None and self._threads.newest(parent.thread) == parent.id:
                yield Word(parent.thread, child, Why.PARENT_WAITS, after_s)

    def _say(self, round_: OpenRound, why: Why, after_s: float) -> Iterator[Word]:
        self._silent.pop(round_.id, None)
        if round_.has_moved:
            self._forget(round_)
        elif round_.told is None or (round_.told is Why.SILENT and why is not Why.SILENT):
            round_.told = why
            if round_.thread is not None and self._threads.newest(round_.thread) == round_.id:
                yield Word(round_.thread, round_.id, why, after_s)
