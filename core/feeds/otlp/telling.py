"""What can be told of a trace, in an order in which a round is followed: beginnings, what happened, ends."""

from __future__ import annotations

from collections.abc import Sequence

from ...hub.inlet import Numbered
from ...rounds import Event, Parent, Silence
from ...rounds.events import RoundFinished, RoundStarted
from .call_events import addition, call_events, texts
from .kinds import CLAUDE_CODE, Kind
from .messages import has_content
from .names import Fact
from .round_events import ALWAYS_SILENT, SOURCE, beginning, ending, own_words
from .span import Span, moment, text
from .tool_events import is_rejected, refusal, tool_events
from .trace import Place, Trace


def told_of(trace: Trace, *, only_certain: bool) -> list[Numbered]:
    """Return what can be told of a trace: beginnings, then what happened by its end, then ends from the inside out."""
    if only_certain and trace.root is None:
        return []  # nothing can be certain; asking for each span would take long in a trace that runs for hours
    placed = [(span, trace.place(span.id)) for span in trace.waiting.values()]
    ready = [(span, place) for span, place in placed if place.is_certain or not only_certain]
    if not ready and not trace.details:
        return []
    ready.sort(key=lambda item: (item[0].end_ns, item[0].start_ns, item[0].id))
    telling = _Telling(trace)
    for span, place in ready:
        if telling.add(span, place):
            del trace.waiting[span.id]
    for span_id, details in list(trace.details.items()):
        if telling.add_details(span_id, details, only_certain=only_certain):
            del trace.details[span_id]
    return telling.all()


class _Telling:
    """The events of one go."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._begun: list[Numbered] = []
        self._middle: list[Numbered] = []
        self._over: list[Numbered] = []
        """Ends of sub-agents that no span stands for."""
        self._ended: list[tuple[int, str, Span]] = []
        """Rounds that end, with their depth."""
        self._worded: set[str] = set()
        """Rounds whose calls hold texts."""

    def all(self) -> list[Numbered]:
        """Return them in their order."""
        self._ended.sort(key=lambda item: -item[0])
        return [
            *self._begun,
            *self._middle,
            *self._over,
            *(told for _, holder, span in self._ended for told in self._end(holder, span)),
        ]

    def add(self, span: Span, place: Place) -> bool:
        """Take in a span; return whether it is done with: a root waits until something belongs to it."""
        trace = self._trace
        kind = trace.nodes[span.id].kind
        is_root = trace.nodes[span.id].parent is None
        if kind is Kind.AGENT:
            self._begin(span.id, None if is_root else place)
            return True
        if is_root and kind is Kind.OTHER:
            if trace.has_stand_in:
                self._begin(span.id, None)
            return True  # what belongs to it begins it, see ``_round``
        if place.in_call and kind is Kind.CALL:
            return True
        round_ = self._round_for(span, place)
        if kind is Kind.CALL:
            events = list(call_events(span, round_))
            more = addition(span, round_)
            self._say(span.id, [*events, more] if more is not None else events)
            if has_content(span.attributes):
                self._worded.add(round_)
        elif kind is Kind.TOOL:
            self._say(span.id, list(tool_events(span, round_)))
        elif place.tool is not None and is_rejected(span.attributes):
            self._say(span.id, [refusal(span, round_, place.tool)])
        return True

    def add_details(self, span_id: str, details: Span, *, only_certain: bool) -> bool:
        """Take in what a log event told of a call; return whether it is done with."""
        trace = self._trace
        node = trace.nodes.get(span_id)
        if node is None:
            if only_certain:
                return False
            round_ = self._round(None)  # its span never came
            more = addition(details, round_)
            self._say(span_id, [*call_events(details, round_), *([more] if more is not None else [])])
            return True
        place = trace.place(span_id)
        if span_id in trace.waiting or (only_certain and not place.is_certain):
            return False
        if node.kind is Kind.CALL and not place.in_call and not node.has_text:
            self._say(f"{span_id}.details", list(texts(details, self._round_for(details, place))))
        return True

    def _round_for(self, span: Span, place: Place) -> str:
        """Return the round that a span belongs to: where only an attribute names its agent, that one's."""
        trace, round_ = self._trace, self._round(place.holder)
        agent = text(span.attributes, Fact.SUB_AGENT) if span.name.startswith(CLAUDE_CODE) else None
        if agent is None or (place.holder is not None and trace.nodes[place.holder].kind is Kind.TOOL):
            return round_
        above = text(span.attributes, Fact.PARENT_AGENT)
        parent = round_ if above is None or above == agent else self._sub_agent(round_, above, span, place, round_)
        return self._sub_agent(round_, agent, span, place, parent)

    def _sub_agent(self, main: str, agent: str, span: Span, place: Place, parent: str) -> str:
        trace, round_ = self._trace, f"{main}.{agent}"
        producer = f"otlp.{trace.id}.agent.{agent}"
        if round_ not in trace.sub_agents:
            trace.sub_agents[round_] = False
            above = Parent(round=parent, tool_call=place.tool)
            silent = (*ALWAYS_SILENT[:1], str(Silence.END))
            named = text(span.attributes, Fact.AGENT) or agent
            thread = text(span.attributes, Fact.CONVERSATION) or trace.id
            start = RoundStarted(round=round_, parent=above, agent=named, thread=thread, source=SOURCE, silent=silent)
            self._begun += _numbered(trace, producer, [start])
        if place.holder is not None and not trace.sub_agents[round_]:
            trace.sub_agents[round_] = True
            over = RoundFinished(round=round_, at=moment(trace.nodes[place.holder].end_ns))
            self._over += _numbered(trace, producer, [over], after=1)
        return round_

    def _say(self, span_id: str, events: Sequence[Event]) -> None:
        self._middle += _numbered(self._trace, f"otlp.{self._trace.id}.{span_id}", events)

    def _round(self, holder: str | None) -> str:
        """Return the round that a span stands for, begun if it was not."""
        trace = self._trace
        round_ = trace.round_of(holder)
        if holder is not None:
            self._begin(holder, None)
        elif not trace.has_stand_in:
            trace.has_stand_in = True
            stand_in = RoundStarted(round=round_, thread=trace.id, source=SOURCE, silent=ALWAYS_SILENT)
            self._begun += _numbered(trace, f"otlp.{trace.id}", [stand_in])
        return round_

    def _begin(self, holder: str, place: Place | None) -> None:
        """Begin and end the round that a span stands for, once."""
        trace = self._trace
        node = trace.nodes[holder]
        if node.is_told or node.span is None:
            return
        node.is_told = True
        round_ = trace.round_of(holder)
        if place is None and node.parent is not None:
            place = trace.place(holder)
        above = place.holder if place is not None else None
        parent = None
        if place is not None and above is not None and trace.nodes[above].stands:
            self._begin(above, None)
            parent = Parent(round=trace.round_of(above), tool_call=node.tool or place.tool)
        elif place is not None and node.kind is Kind.TOOL:  # nobody's agent, but a sub-agent all the same
            parent = Parent(round=self._round(above), tool_call=node.tool)
        alone = node.kind is Kind.CALL
        first = beginning(node.span, node.kind, round_, parent=parent, thread=None if alone else trace.id)
        self._begun += _numbered(trace, _of_round(trace, holder), [first])
        self._ended.append((place.depth if place is not None else 0, holder, node.span))
        node.span = None

    def _end(self, holder: str, span: Span) -> list[Numbered]:
        node, round_ = self._trace.nodes[holder], self._trace.round_of(holder)
        kind = Kind.AGENT if node.stands else node.kind
        events = list(ending(span, kind, round_))
        if round_ not in self._worded:  # else the same words were told by a call
            events += own_words(span, kind, round_)
        return _numbered(self._trace, _of_round(self._trace, holder), events, after=1)


def _of_round(trace: Trace, holder: str) -> str:
    """Return the producer of a round's own events; a root may be a call or a tool too, with another one for these."""
    return f"otlp.{trace.id}.{holder}.round"


def _numbered(trace: Trace, producer: str, events: Sequence[Event], after: int = 0) -> list[Numbered]:
    return [Numbered(trace.owner, producer, n, event) for n, event in enumerate(events, after + 1)]
