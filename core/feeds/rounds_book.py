"""Which round a request belongs to, found without the agent's help; no clock, no socket in here."""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..rounds.base import CallOutcome, RefusedWhy
from .asked import Asked, ToolResult
from .identity import Identity
from .pending_tools import Pending, PendingTools
from .refusals import refusal

MAX_ROUNDS = 4096
"""Rounds remembered; the one that was longest without a call is forgotten first."""
RETRY_WAIT_S = 30.0
"""How long a round whose call failed waits for another attempt; official clients pause 8 s at most."""

Scope = tuple[str, ...]
"""What keeps conversations apart: upstream, wire, thread and agent."""
_Key = tuple[Scope, str]


@dataclass(slots=True, eq=False)
class FoundRound:
    """A round that the proxy knows."""

    id: str
    thread: str
    scope: Scope
    keys: set[_Key] = field(default_factory=set[_Key])
    agents: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Threads and agents whose newest round it was when it was placed."""
    calls: int = 0
    in_flight: int = 0
    failed: bool = False
    """Its newest call brought no answer."""
    is_over: bool = False
    pending: PendingTools = field(default_factory=PendingTools)
    waits_since: float = 0.0
    deadline: float | None = None
    """When it is closed if no request comes; both in seconds."""

    def next_call(self) -> str:
        """Return the name of its next call."""
        self.calls += 1
        return f"c{self.calls}"


@dataclass(slots=True)
class Answered:
    """A tool result, and the round and call it belongs to."""

    round: FoundRound
    pending: Pending
    result: ToolResult
    refused: RefusedWhy | None


@dataclass(slots=True)
class Placed:
    """Where a request belongs."""

    round: FoundRound
    is_new: bool
    answered: list[Answered]
    parent: str | None = None
    """The round it works for, where that is known."""
    began_before: bool = False
    """The round is new to us, but this is not its first request."""
    left: FoundRound | None = None
    """A round whose tools were interrupted by this request: it is over."""


class RoundBook:
    """Finds rounds. Explicit names win; then pending tool calls; then the user turns in the request."""

    def __init__(self, run: str, *, idle_s: float) -> None:
        """Begin an empty book.

        Args:
            run: begins every name made up here.
            idle_s: how long a round waits for its next request before it counts as left.
        """
        self._run, self._idle_s = run, idle_s
        self._made = 0
        self._rounds: OrderedDict[str, FoundRound] = OrderedDict()
        self._by_key: dict[_Key, FoundRound] = {}
        self._by_tool: dict[tuple[Scope, str], FoundRound] = {}
        self._by_agent: dict[tuple[str, str], FoundRound] = {}
        self._threads: OrderedDict[_Key, str] = OrderedDict()
        self._deadlines: list[tuple[float, int, FoundRound]] = []

    def place(self, asked: Asked, who: Identity, scope: Scope) -> Placed:
        """Return the round of a request that now goes out, and the tool results that it brings."""
        scope = (*scope, who.thread or "", who.agent or "")
        owner = self._owner(asked, scope)
        answered = list(self._answers(owner, asked.results)) if owner is not None else []
        interrupted = any(answer.refused is RefusedWhy.INTERRUPTED for answer in answered)
        found = self._explicit(who, scope) or (None if interrupted else owner or self._by_turn(asked, who, scope))
        is_new = found is None or found.calls == 0
        if found is None:
            found = self._new(f"{self._run}-{self._number()}", self._thread(asked, who, scope), scope)
        self._remember(found, asked, who)
        found.in_flight += 1
        found.is_over, found.deadline = False, None
        return Placed(
            found,
            is_new,
            answered,
            parent=self._parent(who, found) if is_new else None,
            began_before=is_new and bool(asked.results) and not interrupted and who.round is None,
            left=owner if interrupted and owner is not found else None,
        )

    def requested(self, round_: FoundRound, tool: Pending) -> None:
        """Note that a call asks for a tool; its result may come with a later request."""
        if round_.pending.add(tool) and tool.id_given:
            self._by_tool[round_.scope, tool.id] = round_

    def call_ended(self, round_: FoundRound, call: str, outcome: CallOutcome, now_s: float) -> bool:
        """Note the end of a call; say whether the round is over with it.

        A call that brought no answer may be tried again; its tools, if it asked for any, hardly run.

        Args:
            now_s: a monotonic clock, seconds.
        """
        round_.in_flight -= 1
        round_.failed = outcome in (CallOutcome.FAILED, CallOutcome.BODY_CUT)
        if round_.in_flight:
            return False
        asks = any(tool.call == call for tool in round_.pending)
        if outcome is CallOutcome.CANCELLED or not (round_.failed or asks):
            round_.is_over = True
            return True
        wait_s = min(RETRY_WAIT_S, self._idle_s) if round_.failed else self._idle_s
        round_.waits_since, round_.deadline = now_s, now_s + wait_s
        heapq.heappush(self._deadlines, (round_.deadline, self._number(), round_))
        return False

    def next_deadline(self) -> float | None:
        """Return the moment at which to look for rounds that waited too long; None while none waits."""
        return self._deadlines[0][0] if self._deadlines else None

    def expired(self, now_s: float) -> Iterator[FoundRound]:
        """Yield the rounds that waited too long for their next request; they are over."""
        while self._deadlines and self._deadlines[0][0] <= now_s:
            deadline, _, round_ = heapq.heappop(self._deadlines)
            if round_.deadline == deadline and not round_.is_over:
                round_.is_over, round_.deadline = True, None
                yield round_

    def waiting(self) -> Iterator[FoundRound]:
        """Yield the rounds that wait for their next request."""
        yield from (round_ for round_ in self._rounds.values() if round_.deadline is not None and not round_.is_over)

    def answered_by(self, round_: FoundRound, response: str) -> None:
        """Note the id of a response: a later request may name it instead of repeating the conversation."""
        self._note_thread((round_.scope, "response " + response), round_.thread)

    def _number(self) -> int:
        self._made += 1
        return self._made

    def _new(self, id_: str, thread: str, scope: Scope) -> FoundRound:
        round_ = self._rounds[id_] = FoundRound(id_, thread, scope)
        while len(self._rounds) > MAX_ROUNDS:
            self._forget(next(iter(self._rounds.values())))
        return round_

    def _forget(self, round_: FoundRound) -> None:
        del self._rounds[round_.id]
        for key in round_.keys:
            if self._by_key.get(key) is round_:
                del self._by_key[key]
        for tool in round_.pending:
            self._by_tool.pop((round_.scope, tool.id), None)
        for agent in round_.agents:
            if self._by_agent.get(agent) is round_:
                del self._by_agent[agent]

    def _explicit(self, who: Identity, scope: Scope) -> FoundRound | None:
        if who.round is None:
            return None
        return self._rounds.get(who.round) or self._new(who.round, who.thread or who.round, scope)

    def _owner(self, asked: Asked, scope: Scope) -> FoundRound | None:
        """Return the round that waits for the results in a request.

        Some servers count their ids from 0 in every conversation: the user turns decide between equal ones.
        """
        if not asked.results:
            return None
        same_turn = self._by_key.get((scope, asked.turns[-1])) if asked.turns else None
        if same_turn is not None and any(same_turn.pending.answered(result) for result in asked.results):
            return same_turn
        for result in asked.results:
            if result.id is not None and (found := self._by_tool.get((scope, result.id))) is not None:
                return found
        return None

    def _by_turn(self, asked: Asked, who: Identity, scope: Scope) -> FoundRound | None:
        found = self._by_key.get((scope, asked.turns[-1])) if asked.turns else None
        if found is None:
            return None
        if who.retries or asked.goes_on:
            return found
        return found if found.failed and not found.in_flight and not found.is_over else None

    def _answers(self, owner: FoundRound, results: Iterable[ToolResult]) -> Iterator[Answered]:
        for result in results:
            tool = owner.pending.answered(result)
            if tool is not None:
                owner.pending.remove(tool)
                self._by_tool.pop((owner.scope, tool.id), None)
                yield Answered(owner, tool, result, refusal(result.text, is_error=result.is_error))

    def _thread(self, asked: Asked, who: Identity, scope: Scope) -> str:
        """Return the thread of a new round: named, or that of the turn before, or a new one."""
        named = who.thread or asked.conversation
        if named is not None:
            return named
        keys = [(scope, turn) for turn in asked.turns[-2::-1]]
        if asked.previous is not None:
            keys.insert(0, (scope, "response " + asked.previous))
        for key in keys:
            if key in self._threads:
                return self._threads[key]
        return f"{self._run}-t{self._number()}"

    def _remember(self, round_: FoundRound, asked: Asked, who: Identity) -> None:
        self._rounds.move_to_end(round_.id)
        if asked.turns:
            key = (round_.scope, asked.turns[-1])
            self._by_key[key] = round_
            round_.keys.add(key)
            self._note_thread(key, round_.thread)
        agent = (round_.thread, who.agent or "")
        self._by_agent[agent] = round_
        round_.agents.add(agent)

    def _note_thread(self, key: _Key, thread: str) -> None:
        self._threads[key] = thread
        self._threads.move_to_end(key)
        while len(self._threads) > 4 * MAX_ROUNDS:
            self._threads.popitem(last=False)

    def _parent(self, who: Identity, child: FoundRound) -> str | None:
        if who.parent is not None:
            return who.parent if who.parent != child.id else None
        if not who.is_sub_agent:
            return None
        parent = self._by_agent.get((child.thread, who.parent_agent or ""))
        return parent.id if parent is not None and parent is not child else None
