"""One round as the ledger knows it: the facts that the verdict table reads, each kept up to date in O(1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from .applied import Applied
from .base import Limits, Parent
from .calls import Call
from .events import (
    CancelRequested,
    Event,
    NoUsableModel,
    RoundFinished,
    RoundPartial,
    RoundStopped,
    RoundSuspended,
    SelectionUnresolved,
    ThreadSupervised,
)
from .text_buffer import TextBuffer
from .tool_calls import ToolCall
from .verdicts import Doubt

ToolKey = tuple[str | None, str]
"""(call id, tool call id)."""


@dataclass(slots=True, eq=False)
class Round:
    """One user turn's work, from dispatch to one terminal write."""

    id: str
    thread: str | None = None
    agent: str | None = None
    title: str | None = None
    model: str | None = None
    parent: Parent | None = None
    harness: str | None = None
    limits: Limits | None = None
    locale: str | None = None
    source: str | None = None
    """The foreign record that tells of it; None: its own producer."""
    silent: frozenset[str] = frozenset()
    """What that source never records, see ``Silence``."""
    start_seen: bool = False
    started_at: datetime | None = None
    first_at: datetime | None = None
    """The earliest moment seen."""
    last_at: datetime | None = None
    """The newest moment seen."""
    last_step_at: datetime | None = None
    """The newest moment of anything but the end itself."""
    ended_at: datetime | None = None
    calls: list[Call] = field(default_factory=list[Call])
    """The ledger, in order of first appearance; a call that is told late stands where its start belongs."""
    tool_calls: dict[ToolKey, ToolCall] = field(default_factory=dict[ToolKey, ToolCall])
    entries: list[Call | ToolCall | Event] = field(default_factory=list[Call | ToolCall | Event])
    """What a timeline shows, in the order it was first seen."""
    output: TextBuffer = field(default_factory=TextBuffer)
    """Text of a round whose calls are not recorded."""
    text_visible: bool = False
    text_after_last_tool: bool = False
    """A non-blank character came after the last tool result or refusal."""
    text_from: Call | None = None
    """The call that wrote the newest visible text; None where it names no call."""
    reasoning_chars: int = 0
    children: dict[str, Round] = field(default_factory=dict[str, "Round"])
    is_orphan: bool = False
    """Its parent was never seen, or naming it would close a circle or nest too deep."""
    suspended: RoundSuspended | None = None
    cancels: list[CancelRequested] = field(default_factory=list[CancelRequested])
    stopped: RoundStopped | None = None
    finished: RoundFinished | None = None
    selection: SelectionUnresolved | None = None
    no_model: NoUsableModel | None = None
    supervised: ThreadSupervised | None = None
    """The supervisor's newest word about this round."""
    gave_up: ThreadSupervised | None = None
    relaunches: int = 0
    summary_call: str | None = None
    """The first call after a limit stopped the round: its forced summary, which does not reopen it."""
    partials: list[RoundPartial] = field(default_factory=list[RoundPartial])
    closed_why: str | None = None
    """Set when somebody closed it from outside: no end was recorded."""
    doubts: set[Doubt] = field(default_factory=set[Doubt])
    tally: Counter[str] = field(default_factory=Counter[str])
    """How many calls and tool calls bear each mark; see ``tally``."""
    revision: int = 0
    """Rises with every change of this round or of a sub-round: what a cache may be keyed on."""
    open_tools: dict[ToolKey, ToolCall] = field(default_factory=dict[ToolKey, ToolCall])
    """Client tool calls without a result, in order."""
    calls_by_id: dict[str, Call] = field(default_factory=dict[str, Call])
    tools_by_id: dict[str, ToolCall] = field(default_factory=dict[str, ToolCall])
    """The newest tool call of each id."""

    applied: Applied = field(init=False, repr=False)
    """What the ledger answers to each of its events, made once."""

    def __post_init__(self) -> None:
        """Prepare the answer."""
        self.applied = Applied(self.id)

    def note_time(self, at: datetime) -> None:
        """Note the moment of anything."""
        last = self.last_at
        if last is not None and at > last:  # nearly always: nothing else is looked at
            self.last_at = at
            return
        if last is None:
            self.last_at = at
        if self.first_at is None or at < self.first_at:
            self.first_at = at

    def note_step(self, at: datetime | None) -> None:
        """Note the moment of anything but the end itself; ``note_time`` comes first."""
        if at is None:
            return
        if at is self.last_at or self.last_step_at is None or at > self.last_step_at:
            self.last_step_at = at

    @property
    def last_call(self) -> Call | None:
        """The last ledger entry."""
        return self.calls[-1] if self.calls else None

    @property
    def is_over(self) -> bool:
        """It was finished, stopped, given up, or closed from outside."""
        return self.closed_why is not None or any(
            mark is not None for mark in (self.finished, self.stopped, self.gave_up)
        )

    @property
    def text(self) -> str:
        """All visible text of the round, calls in order; an attempt's goes once a later attempt wrote its own."""
        kept: list[str] = [self.output.text]
        made_anew = False
        for call in reversed(self.calls):
            if not made_anew:
                kept.append(call.text)
            made_anew = (call.attempt or 1) > 1 and (made_anew or call.output.visible)
        return "".join(reversed(kept))

    @property
    def has_gap(self) -> bool:
        """Part of it fell into a gap of our own view."""
        return Doubt.FEED_GAP in self.doubts

    @property
    def total_ms(self) -> float | None:
        """From the first to the last moment seen; None when no event told a time."""
        start = self.started_at or self.first_at
        end = self.ended_at or self.last_at
        if start is None or end is None:
            return None
        return max(0.0, (end - start).total_seconds() * 1000)

    @property
    def ran_anything(self) -> bool:
        """A model or a client tool ran."""
        return bool(self.calls) or self.tally["tools"] > 0
