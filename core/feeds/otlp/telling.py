"""What can be told of a trace, in an order in which a round is followed: beginnings, what happened, ends."""

from __future__ import annotations

from collections.abc import Sequence

from ...hub.inlet import Numbered
from ...rounds import Event, Parent
from ...rounds.events import RoundStarted
from .call_events import addition, call_events
from .kinds import Kind
from .messages import has_content
from .round_events import ALWAYS_SILENT, SOURCE, beginning, ending, own_words
from .span import Span
from .tool_events import is_rejected, refusal, tool_events
from .trace import Place, Trace


def told_of(trace: Trace, *, only_certain: bool) -> list[Numbered]:
    """Return what can be told of a trace: beginnings, then what happened by its end, then ends from the inside out."""
    if only_certain and not trace.has_root:
        return []  # nothing can be certain; asking for each span would take long in a trace that runs for hours
    placed = [(span, trace.place(span.id)) for span in trace.waiting.values()]
    ready = [(span, place) for span, place in placed if place.is_certain or not only_certain]
    if not ready:
        return []
    ready.sort(key=lambda item: (item[0].end_ns, item[0].start_ns, item[0].id))
    telling = _Telling(trace)
    for span, place in ready:
        if telling.add(span, place):
            del trace.waiting[span.id]
    return telling.all()


class _Telling:
    """The events of one go."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._begun: list[Numbered] = []
        self._middle: list[Numbered] = []
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
        round_ = self._round(place.holder)
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
        if place is not None and above is not None and trace.nodes[above].kind is Kind.AGENT:
            self._begin(above, None)
            parent = Parent(round=trace.round_of(above), tool_call=place.tool)
        alone = node.kind is Kind.CALL
        first = beginning(node.span, node.kind, round_, parent=parent, thread=None if alone else trace.id)
        self._begun += _numbered(trace, _of_round(trace, holder), [first])
        self._ended.append((place.depth if place is not None else 0, holder, node.span))
        node.span = None

    def _end(self, holder: str, span: Span) -> list[Numbered]:
        kind, round_ = self._trace.nodes[holder].kind, self._trace.round_of(holder)
        events = list(ending(span, kind, round_))
        if round_ not in self._worded:  # else the same words were told by a call
            events += own_words(span, kind, round_)
        return _numbered(self._trace, _of_round(self._trace, holder), events, after=1)


def _of_round(trace: Trace, holder: str) -> str:
    """Return the producer of a round's own events; a root may be a call or a tool too, with another one for these."""
    return f"otlp.{trace.id}.{holder}.round"


def _numbered(trace: Trace, producer: str, events: Sequence[Event], after: int = 0) -> list[Numbered]:
    return [Numbered(trace.owner, producer, n, event) for n, event in enumerate(events, after + 1)]
