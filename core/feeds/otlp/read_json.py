"""Exports in OTLP's JSON: lower camel case, hex ids, numbers of 64 bits as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...wire.shapes import is_list, is_object
from .attributes import of_json, pairs_of_json, whole, whole_text
from .bodies import Batch, Unreadable, is_id
from .span import Log, Span, as_name

ENTRY_KNOWN, ENTRY = 0x100, 0x200
STATUS_NAMES = {"STATUS_CODE_UNSET": 0, "STATUS_CODE_OK": 1, "STATUS_CODE_ERROR": 2}
"""Some exporters write protobuf's names."""


def spans_of_json(body: bytes) -> Batch[Span]:
    """Return the spans of an export; those that are none are counted.

    Raises:
        Unreadable: the body is no export of spans.
    """
    batch: Batch[Span] = Batch()
    for service, record in _records(body, "resourceSpans", "scopeSpans", "spans"):
        batch.take(_span(record, service), "a span needs traceId (32 hex digits) and spanId (16)")
    return batch


def logs_of_json(body: bytes) -> Batch[Log]:
    """Return the events of an export of log records; those that are none are counted.

    Raises:
        Unreadable: the body is no export of log records.
    """
    batch: Batch[Log] = Batch()
    for service, record in _records(body, "resourceLogs", "scopeLogs", "logRecords"):
        batch.take(_log(record, service), "a log record is a JSON object")
    return batch


def _records(body: bytes, resources: str, scopes: str, records: str) -> Iterator[tuple[str | None, Any]]:
    try:
        export = json.loads(body)
    except (ValueError, RecursionError):
        raise Unreadable("the body is no JSON") from None
    if not is_object(export) or not is_list(export.get(resources, [])):
        raise Unreadable(f"the body is no JSON object with '{resources}'")
    for resource in export.get(resources, []):
        if not is_object(resource):
            continue
        described = resource.get("resource")
        service = pairs_of_json(described.get("attributes") if is_object(described) else None).get("service.name")
        for scope in _list(resource.get(scopes)):
            for record in _list(scope.get(records)) if is_object(scope) else ():
                yield as_name(service) if isinstance(service, str) else None, record


def _list(given: object) -> list[Any]:
    return given if is_list(given) else []


def _span(record: Any, service: str | None) -> Span | None:
    if not is_object(record) or not is_id(record.get("traceId"), 32) or not is_id(record.get("spanId"), 16):
        return None
    attributes = pairs_of_json(record.get("attributes"))
    for event in _list(record.get("events")):
        if is_object(event):
            for key, found in pairs_of_json(event.get("attributes")).items():
                attributes.setdefault(key, found)
    parent, name, given = record.get("parentSpanId"), record.get("name"), record.get("status")
    status: dict[str, Any] = given if is_object(given) else {}
    code, message = status.get("code"), status.get("message")
    flags = whole(record.get("flags")) or 0
    return Span(
        trace=record["traceId"].lower(),
        id=record["spanId"].lower(),
        parent=parent.lower() if is_id(parent, 16) else None,
        name=whole_text(name) if isinstance(name, str) else "",
        start_ns=whole(record.get("startTimeUnixNano")) or 0,
        end_ns=whole(record.get("endTimeUnixNano")) or 0,
        attributes=attributes,
        status=STATUS_NAMES.get(code, 0) if isinstance(code, str) else whole(code) or 0,
        message=whole_text(message) if isinstance(message, str) else "",
        service=service,
        is_entry=bool(flags & ENTRY_KNOWN and flags & ENTRY),
    )


def _log(record: Any, service: str | None) -> Log | None:
    if not is_object(record):
        return None
    attributes = pairs_of_json(record.get("attributes"))
    named = record.get("eventName") or attributes.get("event.name") or of_json(record.get("body"))
    trace, span = record.get("traceId"), record.get("spanId")
    return Log(
        event=whole_text(named) if isinstance(named, str) else "",
        time_ns=whole(record.get("timeUnixNano")) or whole(record.get("observedTimeUnixNano")) or 0,
        attributes=attributes,
        trace=trace.lower() if is_id(trace, 32) else None,
        span=span.lower() if is_id(span, 16) else None,
        service=service,
    )
