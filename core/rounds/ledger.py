"""The one fold: events in any order of independent rounds become rounds, calls and tool calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import fold, round_end
from .applied import Applied
from .events import Event, RoundStarted, SupervisorVerdict, ThreadSupervised, Unrecognised
from .retired import RetiredRounds
from .round import Round
from .summary import RoundSummary
from .verdicts import Doubt

_HANDLERS = fold.HANDLERS
DEEPEST_NESTING = 1000  # how far up a change is told; deeper nesting of sub-rounds is no real agent


class Ledger:
    """Folds events into rounds; O(1) an event, no clock, no limit of its own on what it keeps.

    Whoever watches for long retires ended rounds with ``retire`` and refolds them when a late event comes.
    """

    def __init__(self) -> None:
        self.rounds: dict[str, Round] = {}
        """Every round seen and not retired, in order of first appearance."""
        self.threads: dict[str, str] = {}
        """The newest round of each thread."""
        self.retired = RetiredRounds()
        self.unknown_events = 0
        self.last_supervised: dict[str, ThreadSupervised] = {}
        """The newest supervisor's word per thread."""
        self._waiting: dict[str, dict[str, None]] = {}
        """Sub-rounds whose parent has not been seen yet, by parent."""
        self._recalled: set[str] = set()
        """Rounds that were folded before: folding them again makes none of them the newest of its thread."""
        self._has_gap = False
        self._lost: set[str] = set()
        """Rounds known to have lost an event of their own."""

    def apply(self, event: Event) -> Applied:
        """Fold one event; a late event of an ended round re-classifies it."""
        kind = type(event)  # by exact type: ``isinstance`` of a pydantic model is a call into Python
        told: Any = event
        if kind is ThreadSupervised:
            return self._supervise(told)
        if kind is Unrecognised:
            self.unknown_events += 1
            if not told.round:
                return Applied(None)
        fields = event.__dict__  # read at a third of the cost of a model's attribute
        name: str = fields["round"]  # every other event names its round
        if name in self.retired:
            return Applied(name, needs_history=True)
        round_ = self.rounds.get(name) or self._first_seen(name, starts=kind is RoundStarted)
        if (at := fields["at"]) is not None:
            round_.note_time(at)
        if kind is RoundStarted:
            self._start(round_, told)
        else:
            _HANDLERS[kind](round_, told)
        if round_.parent is None:
            round_.revision += 1
        else:
            self._touch(round_)
        return round_.applied

    def apply_all(self, events: Iterable[Event]) -> None:
        """Fold many events in order."""
        for event in events:
            self.apply(event)

    def close(self, round_: str, why: str) -> None:
        """End a round from outside (end of file, idle time); it gets the doubt ``end_not_recorded``.

        A round that is already over stays as it is; one that waits for an approval still waits (outcomes.md 2.2).

        Raises:
            KeyError: no such round.
        """
        found = self.rounds[round_]
        if found.is_over:
            return
        found.closed_why = why
        found.doubts.add(Doubt.END_NOT_RECORDED)
        waits = found.suspended
        round_end.end(found)
        found.suspended = waits
        self._touch(found)

    def gap(self, round_: str | None = None) -> None:
        """Note that part of our own view is missing: every round that is not over may have lost events.

        So may every round that is first seen afterwards without its start.

        Args:
            round_: the one round that lost something, where that is known.
        """
        if round_ is not None:
            self._lost.add(round_)
            if round_ in self.rounds:
                self.rounds[round_].doubts.add(Doubt.FEED_GAP)
                self._touch(self.rounds[round_])
            return
        self._has_gap = True
        for each in self.rounds.values():
            if not each.is_over:
                each.doubts.add(Doubt.FEED_GAP)
                self._touch(each)

    def retire(self, round_: str) -> RoundSummary:
        """Forget a round's details and return what a list needs of it.

        Raises:
            KeyError: no such round.
        """
        found = self.rounds.pop(round_)
        self.retired[round_] = summary = RoundSummary.of(found)
        return summary

    def recall(self, round_: str) -> None:
        """Make room for refolding a retired round: its next event starts it anew."""
        if self.retired.pop(round_, None) is not None:
            self._recalled.add(round_)
            children = [id_ for id_, each in self.rounds.items() if each.parent and each.parent.round == round_]
            self._waiting[round_] = dict.fromkeys(children)

    def restore(self, round_: Round) -> None:
        """Put a retired round back with its details, which were folded anew elsewhere.

        Its parent and its sub-rounds find it again; sub-rounds that are retired here stay as they came with it.
        """
        self.retired.pop(round_.id, None)
        self._recalled.add(round_.id)
        self.rounds[round_.id] = round_
        for id_, each in self.rounds.items():
            if each.parent is not None and each.parent.round == round_.id and id_ != round_.id:
                self._adopt(round_, each)
        parent = self.rounds.get(round_.parent.round) if round_.parent is not None else None
        if parent is not None:
            self._adopt(parent, round_)
        elif round_.parent is not None:
            round_.is_orphan = round_.parent.round not in self.retired
        self._touch(round_)

    def _first_seen(self, name: str, *, starts: bool) -> Round:
        found = self.rounds[name] = Round(name)
        if name in self._lost or (self._has_gap and not starts):  # without its start it began inside the gap
            found.doubts.add(Doubt.FEED_GAP)
        for id_ in self._waiting.pop(name, ()):
            child = self.rounds.get(id_)
            if child is not None and child.parent is not None and child.parent.round == name:
                self._adopt(found, child)
        return found

    def _start(self, round_: Round, event: RoundStarted) -> None:
        before, thread = round_.parent, round_.thread
        fold.start(round_, event)
        named = round_.parent if event.parent is not None else None
        if before is not None and named is not None and before.round != named.round:
            self._leave(before.round, round_.id)
        if round_.thread and round_.thread != thread and round_.id not in self._recalled:
            self.threads[round_.thread] = round_.id
        if named is None:
            return
        parent = self.rounds.get(named.round)
        if parent is not None:
            self._adopt(parent, round_)
        elif named.round not in self.retired:
            round_.is_orphan = True
            self._waiting.setdefault(named.round, {})[round_.id] = None

    def _leave(self, parent: str, child: str) -> None:
        """A repeated ``round.started`` that names another parent moves the round there."""
        if parent in self.rounds:
            self.rounds[parent].children.pop(child, None)

    def _adopt(self, parent: Round, child: Round) -> None:
        line = self._line(parent)
        child.is_orphan = child in line or len(line) >= DEEPEST_NESTING
        if not child.is_orphan:
            parent.children[child.id] = child

    def _line(self, round_: Round) -> list[Round]:
        """The round and its ancestors, nearest first."""
        line = [round_]
        while (parent := line[-1].parent) is not None and len(line) < DEEPEST_NESTING:
            above = self.rounds.get(parent.round)
            if above is None or line[-1].id not in above.children:
                break
            line.append(above)
        return line

    def _touch(self, round_: Round) -> None:
        for above in self._line(round_):
            above.revision += 1

    def _supervise(self, event: ThreadSupervised) -> Applied:
        self.last_supervised[event.thread] = event
        name = self.threads.get(event.thread)
        if name is None:
            return Applied(None)
        round_ = self.rounds.get(name)
        if round_ is None:  # retired, or recalled and not refolded yet
            return Applied(name, needs_history=True)
        if event.at is not None and event.by is None:  # an onlooker's word is no sign of the round's own work
            round_.note_time(event.at)
        round_.supervised = event
        round_.entries.append(event)
        if event.verdict is SupervisorVerdict.RELAUNCHED:
            round_.relaunches += 1
            if round_end.is_after_the_end(round_, event):
                round_end.lift_marks(round_)
        elif event.verdict is SupervisorVerdict.GAVE_UP:
            round_end.give_up(round_, event)
        self._touch(round_)
        return Applied(name)
