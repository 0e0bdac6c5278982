"""The log event that tells of one model call in full, beside its span or in its place.

Where the span comes too, the event only adds the texts that the span lacks: a call counts once.
"""

from __future__ import annotations

import hashlib
import json

from .span import Log, Span

EVENT = "gen_ai.client.inference.operation.details"


def is_details(log: Log) -> bool:
    """Return whether a log record is this event."""
    return log.event == EVENT


def call_span(log: Log) -> Span:
    """Return the span that the event tells of; an entry of its own where it names none.

    The event is written when the call has ended; when it began is not told.
    """
    trace, span = log.trace, log.span
    is_alone = trace is None or span is None
    if trace is None or span is None:
        mark = _mark(log)
        trace, span = mark[:32], mark[32:48]
    return Span(trace, span, None, EVENT, 0, log.time_ns, log.attributes, service=log.service, is_entry=is_alone)


def _mark(log: Log) -> str:
    """Return hex digits that are the same whenever the record is sent."""
    parts = [log.time_ns, log.service, sorted((name, repr(value)) for name, value in log.attributes.items())]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
