"""What is known of one trace: how its spans hang together, and which of them wait for their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from .kinds import Kind, is_agent_tool, kind_of
from .messages import has_content
from .records import Details, Placed, Record, Waiting
from .slim import slim, weight
from .span import Span
from .tool_events import tool_id

DETAILS = "details."
MOST_STEPS = 256
"""From a span up to its root; a longer way is none."""


@dataclass(slots=True)
class Node:
    """A span's place in its trace; what it said is kept only where a round may still be told of it."""

    parent: str | None
    kind: Kind
    tool: str | None = None
    """Of a tool: its id."""
    span: Span | None = None
    is_entry: bool = False
    """The topmost one of its process; what called it belongs to another, and may never arrive."""
    stands: bool = False
    """For a round of its own, which what is below it belongs to."""
    end_ns: int = 0
    """Of one that stands for a round, or may."""
    has_text: bool = False
    """Of a call: it says what was written."""
    is_told: bool = False
    """Of a span that stands for a round: it has begun."""


class Place(NamedTuple):
    """Where a span belongs."""

    holder: str | None
    """The span that stands for the round; None: nothing that arrived does."""
    depth: int
    """Steps up to it."""
    tool: str | None
    """Id of the tool that lies between."""
    in_call: bool
    """A model call lies between: an instrumentation inside another one tells the same call again."""
    is_certain: bool
    """Nothing is missing on the way to the root."""


@dataclass(slots=True)
class Trace:
    """One trace of one sender."""

    owner: str
    id: str
    heard_s: float
    """When something of it arrived last."""
    nodes: dict[str, Node] = field(default_factory=dict[str, Node])
    waiting: dict[str, Span] = field(default_factory=dict[str, Span])
    """Spans that tell something and have no certain place yet."""
    details: dict[str, Span] = field(default_factory=dict[str, Span])
    """What log events told of calls, by the call's span; kept until that is told."""
    sub_agents: dict[str, bool] = field(default_factory=dict[str, bool])
    """Rounds that only their name in the attributes of a span stands for; whether they are over."""
    weights: dict[str, int] = field(default_factory=dict[str, int])
    """Of the spans that are held, in bytes."""
    weight: int = 0
    """Their sum."""
    root: str | None = None
    """The first span without a parent; the round of any other one bears its own name."""
    has_stand_in: bool = False
    """A round was told without its root."""

    def add(self, span: Span) -> bool:
        """Take in a span; return whether it is new."""
        if span.id in self.nodes:
            return False
        kind = kind_of(span)
        parent = None if span.is_entry and span.parent not in self.nodes else span.parent
        node = Node(parent, kind, tool_id(span) if kind is Kind.TOOL else None, is_entry=span.is_entry)
        node.stands = kind is Kind.AGENT or is_agent_tool(span)
        node.has_text = kind is Kind.CALL and has_content(span.attributes)
        self.nodes[span.id] = node
        if parent is None:
            self.root = self.root or span.id
        if parent is None or node.stands:
            node.span, node.end_ns = span, span.end_ns
        if kind is not Kind.OTHER or parent is None:
            self.waiting[span.id] = span
        return True

    def held(self, span_id: str) -> Span | None:
        """Return what is kept of a span's own words; None when they are told, or nothing of it arrived."""
        node = self.nodes.get(span_id)
        return None if node is None else self.waiting.get(span_id) or node.span

    def remember(self, record: Record) -> Record | None:
        """Keep only what is read of what has just arrived, and return what has to be remembered; None: nothing."""
        match record:
            case Details():
                return self._hold_details(record.span.id)
            case Waiting():
                return self._hold(record.span.id)
            case _:
                return record

    def _hold(self, span_id: str) -> Record:
        node, span = self.nodes[span_id], self.held(span_id)
        if span is None:
            return self._placed(span_id)
        small = slim(span)
        if span_id in self.waiting:
            self.waiting[span_id] = small
        if node.span is not None:
            node.span = small
        self._weigh(span_id, small)
        return Waiting(self.owner, small)

    def _hold_details(self, span_id: str) -> Record | None:
        if span_id not in self.details:
            return None
        small = self.details[span_id] = slim(self.details[span_id])
        self._weigh(DETAILS + span_id, small)
        return Details(self.owner, small)

    def let_go(self) -> int:
        """Forget the weight of what was told; return how much that was."""
        gone = [
            key
            for key in self.weights
            if (key.removeprefix(DETAILS) not in self.details if key.startswith(DETAILS) else self.held(key) is None)
        ]
        total = sum(self.weights.pop(key) for key in gone)
        self.weight -= total
        return total

    def _weigh(self, key: str, span: Span) -> None:
        self.weights[key] = weight(span)
        self.weight += self.weights[key]

    def restore(self, placed: Placed) -> bool:
        """Take in a span that was told earlier; return whether it is new."""
        if placed.id in self.nodes:
            return False
        self.nodes[placed.id] = Node(
            placed.parent,
            placed.kind,
            placed.tool,
            is_entry=placed.is_entry,
            stands=placed.stands,
            end_ns=placed.end_ns,
            has_text=placed.has_text,
        )
        if placed.parent is None:
            self.root = self.root or placed.id
        return True

    def records(self) -> Iterator[Record]:
        """Yield what has to be remembered of it."""
        for span_id in self.nodes:
            span = self.held(span_id)
            yield self._placed(span_id) if span is None else Waiting(self.owner, span)
        for span in self.details.values():
            yield Details(self.owner, span)

    def _placed(self, span_id: str) -> Placed:
        node = self.nodes[span_id]
        return Placed(
            self.owner,
            self.id,
            span_id,
            node.parent,
            node.kind,
            node.tool,
            node.is_entry,
            node.stands,
            node.has_text,
            node.end_ns,
        )

    def place(self, span_id: str) -> Place:
        """Return where a span belongs: to the nearest agent above it, else to the outermost span of its trace."""
        tool: str | None = None
        in_call = False
        at = span_id
        for depth in range(MOST_STEPS):
            node = self.nodes.get(at)
            if node is None:
                return Place(None, depth, tool, in_call, is_certain=False)
            if depth and node.stands:
                return Place(at, depth, tool, in_call, is_certain=self._is_rooted(at))
            if depth and node.kind is Kind.TOOL and tool is None:
                tool = node.tool
            in_call = in_call or (depth > 0 and node.kind is Kind.CALL)
            if node.parent is None:
                return Place(at, depth, tool, in_call, is_certain=True)
            at = node.parent
        return Place(None, MOST_STEPS, None, in_call=False, is_certain=False)  # a circle

    def round_of(self, holder: str | None) -> str:
        """Return the name of a round: the trace's own for what belongs to its root, or to no span that arrived."""
        if holder is None:
            return self.id
        node = self.nodes[holder]
        return self.id if holder == self.root and not node.is_entry else f"{self.id}.{holder}"

    def _is_rooted(self, span_id: str) -> bool:
        at: str | None = span_id
        for _ in range(MOST_STEPS):
            if at is None:
                return True
            node = self.nodes.get(at)
            if node is None:
                return False
            at = node.parent
        return False
