"""Rounds out of spans, which arrive at their end, children before parents, in any pieces, and more than once.

A span is told once nothing is missing on its way to the root of its trace. What it tells depends on it alone, and
its events are numbered under a producer name of its own: an export that is sent again is stored once, whatever else
arrived meanwhile, and after a hub was started again too.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...hub.inlet import Numbered
from .records import Details, Placed, Record, Session, Waiting
from .span import Span
from .telling import told_of
from .trace import Trace

ABSENT_S = 120.0
"""A trace of which nothing arrived for so long is told without its root."""
KEPT_S = 900.0
"""How long a trace's structure is kept for what comes late."""
MOST_SPANS = 100_000
"""Spans known at a time, of all traces; then the oldest trace is told and forgotten."""
MOST_BYTES = 64 * 1024 * 1024
"""Likewise, of spans that wait."""


class Assembler:
    """Sans-I/O: spans and the time in, events out."""

    def __init__(
        self,
        *,
        absent_s: float = ABSENT_S,
        kept_s: float = KEPT_S,
        most_spans: int = MOST_SPANS,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """Begin with no trace; see the module's constants for the bounds."""
        self._absent_s, self._kept_s, self._most, self._most_bytes = absent_s, kept_s, most_spans, most_bytes
        self._traces: OrderedDict[tuple[str, str], Trace] = OrderedDict()
        """The one that was heard of longest ago first."""
        self._unsettled: OrderedDict[tuple[str, str], Trace] = OrderedDict()
        """Of these, those with spans that wait; in the same order."""
        self._spans = self._bytes = 0
        self.fresh: list[Record] = []
        """What has to be remembered of the spans that were fed last."""
        self.duplicates = 0
        """Spans that came again."""

    @property
    def waiting(self) -> int:
        """How many spans wait for their place."""
        return sum(len(trace.waiting) for trace in self._unsettled.values())

    @property
    def next_deadline(self) -> float | None:
        """When ``due`` has something to do, in the clock's seconds; None: only after more has arrived."""
        unsettled = next(iter(self._unsettled.values()), None)
        oldest = next(iter(self._traces.values()), None)
        moments = [unsettled.heard_s + self._absent_s] if unsettled is not None else []
        return min([*moments, *([oldest.heard_s + self._kept_s] if oldest is not None else [])], default=None)

    def feed(self, owner: str, spans: Iterable[Span], now_s: float) -> list[Numbered]:
        """Take in what one sender exported; return what can be told now."""
        return self._take((Waiting(owner, span) for span in spans), now_s)

    def feed_details(self, owner: str, calls: Iterable[Span], now_s: float) -> list[Numbered]:
        """Take in what log events told of calls, each as the span that it is about; return what can be told now."""
        return self._take((Details(owner, call) for call in calls), now_s)

    def restore(self, records: Iterable[Record], now_s: float) -> list[Numbered]:
        """Take in what an assembler before this one left; return what can be told, some of it for the second time."""
        return self._take(records, now_s)

    def records(self) -> Iterator[Record]:
        """Yield what has to be remembered of all traces."""
        for trace in self._traces.values():
            yield from trace.records()

    def _take(self, records: Iterable[Record], now_s: float) -> list[Numbered]:
        arrived: dict[tuple[str, str], list[Waiting | Placed | Details]] = {}
        for record in records:
            if isinstance(record, Session):
                continue
            key = record.owner, record.trace if isinstance(record, Placed) else record.span.trace
            trace = self._trace(key, now_s)
            new = arrived.setdefault(key, [])
            match record:
                case Details():
                    is_new = record.span.id not in trace.details
                    trace.details[record.span.id] = record.span
                case Waiting():
                    is_new = trace.add(record.span)
                    self._spans += is_new
                case Placed():
                    is_new = trace.restore(record)
                    self._spans += is_new
            self.duplicates += not is_new
            if is_new:
                new.append(record)
        return self._tell(arrived)

    def _tell(self, arrived: Mapping[tuple[str, str], Sequence[Waiting | Placed | Details]]) -> list[Numbered]:
        told: list[Numbered] = []
        self.fresh = []
        for key, records in arrived.items():
            trace = self._traces[key]
            told += told_of(trace, only_certain=True)
            before = trace.weight
            held = (trace.remember(record) for record in records)
            self.fresh += [record for record in held if record is not None]
            self._bytes += trace.weight - before
            self._file(key, trace)
        while self._spans > self._most or self._bytes > self._most_bytes:
            told += self._forget(next(iter(self._traces)))
        return told

    def due(self, now_s: float) -> list[Numbered]:
        """Tell what has waited for too long with what is known, and forget what is long over."""
        told: list[Numbered] = []
        while self._unsettled:
            key, trace = next(iter(self._unsettled.items()))
            if trace.heard_s + self._absent_s > now_s:
                break
            told += told_of(trace, only_certain=False)
            self._file(key, trace)
        while self._traces:
            key, trace = next(iter(self._traces.items()))
            if trace.heard_s + self._kept_s > now_s:
                break
            told += self._forget(key)
        return told

    def close(self) -> list[Numbered]:
        """Tell everything with what is known."""
        told: list[Numbered] = []
        for key in list(self._traces):
            told += self._forget(key)
        return told

    def _trace(self, key: tuple[str, str], now_s: float) -> Trace:
        trace = self._traces.get(key)
        if trace is None:
            trace = self._traces[key] = Trace(*key, heard_s=now_s)
        trace.heard_s = now_s
        self._traces.move_to_end(key)
        return trace

    def _file(self, key: tuple[str, str], trace: Trace) -> None:
        if trace.root is not None or not trace.waiting:  # else nothing can have been told
            self._bytes -= trace.let_go()
        self._unsettled.pop(key, None)
        if trace.waiting or trace.details:
            self._unsettled[key] = trace

    def _forget(self, key: tuple[str, str]) -> list[Numbered]:
        trace = self._traces.pop(key)
        self._unsettled.pop(key, None)
        self._spans -= len(trace.nodes)
        self._bytes -= trace.weight
        return told_of(trace, only_certain=False)
