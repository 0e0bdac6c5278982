"""What is known of spans and sessions, as lines of a journal.

``of`` names the thing, so that no redaction touches it. Reading the same lines again, in any number, changes nothing:
what they tell has numbers of its own, and the store knows them.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ...wire.shapes import is_list, is_object
from .kinds import Kind
from .span import Span


class Placed(NamedTuple):
    """A span that was told: only its place in the trace still matters."""

    owner: str
    trace: str
    id: str
    parent: str | None
    kind: Kind
    tool: str | None
    is_entry: bool
    stands: bool
    """For a round of its own."""
    has_text: bool
    """Its texts are told."""
    end_ns: int


class Waiting(NamedTuple):
    """A span that may still have something to tell."""

    owner: str
    span: Span


class Details(NamedTuple):
    """What a log event told of a call whose span is not told yet."""

    owner: str
    span: Span


class Session(NamedTuple):
    """A session of Claude Code's logs."""

    owner: str
    id: str
    round: str | None
    last_log: str
    last_ns: int
    is_in_spans: bool = False
    """Its spans come too, so its logs tell nothing."""
    agents: tuple[str, ...] = ()
    """Sub-agents of the round."""
    began_ns: int = 0


Record = Placed | Waiting | Details | Session


def line_of(record: Record) -> str:
    """Return a record as a line."""
    match record:
        case Placed(owner, trace, id_, parent, kind, tool, is_entry, stands, has_text, end_ns):
            fields: dict[str, Any] = {
                "of": [owner, trace, id_, parent, tool],
                "node": [kind.name, is_entry, stands, has_text, end_ns],
            }
        case Waiting(owner, span) | Details(owner, span):
            fields = {
                "of": [owner, span.trace, span.id, span.parent],
                "span": [span.name, span.start_ns, span.end_ns, span.status, span.is_entry],
                "attributes": span.attributes,
                "message": span.message,
                "service": span.service,
                "is_detail": isinstance(record, Details),
            }
        case Session(owner, id_, round_, last_log, last_ns, is_in_spans, agents, began_ns):
            fields = {"of": [owner, id_, round_, last_log, *agents], "session": [last_ns, is_in_spans, began_ns]}
    return json.dumps(fields, separators=(",", ":"))


def record_of(line: bytes) -> Record | None:
    """Return what a line holds; None for one that holds nothing of it."""
    try:
        fields = json.loads(line)
        of = fields["of"]
        if "node" in fields:
            kind, is_entry, stands, has_text, end_ns = fields["node"]
            owner, trace, id_, parent, tool = of
            return Placed(owner, trace, id_, parent, Kind[kind], tool, is_entry, stands, has_text, end_ns)
        if "session" in fields:
            owner, id_, round_, last_log, *agents = of
            last_ns, is_in_spans, began_ns = fields["session"]
            return Session(owner, id_, round_, last_log, last_ns, is_in_spans, tuple(agents), began_ns)
        span = _span(of, fields)
        return Details(of[0], span) if fields.get("is_detail") else Waiting(of[0], span)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None


def _span(of: list[Any], fields: dict[str, Any]) -> Span:
    name, start_ns, end_ns, status, is_entry = fields["span"]
    attributes, service = fields["attributes"], fields["service"]
    if not is_object(attributes) or not is_list(of):
        raise ValueError
    return Span(of[1], of[2], of[3], name, start_ns, end_ns, attributes, status, fields["message"], service, is_entry)
