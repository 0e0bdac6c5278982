"""Exports as protobuf, which is what nearly all exporters send."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]  # its types are a package of their own
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from .attributes import of_protobuf, pairs_of_protobuf
from .bodies import Batch, Unreadable
from .read_json import ENTRY, ENTRY_KNOWN
from .span import Log, Span, as_name

TRACE_BYTES, SPAN_BYTES = 16, 8


def spans_of_protobuf(body: bytes) -> Batch[Span]:
    """Return the spans of an export; those that are none are counted.

    Raises:
        Unreadable: the body is no export of spans.
    """
    export: Any = _parsed(ExportTraceServiceRequest(), body)
    batch: Batch[Span] = Batch()
    for resource in export.resource_spans:
        service = _service(resource)
        for scope in resource.scope_spans:
            for record in scope.spans:
                batch.take(_span(record, service), "a span needs a trace id and a span id")
    return batch


def logs_of_protobuf(body: bytes) -> Batch[Log]:
    """Return the events of an export of log records.

    Raises:
        Unreadable: the body is no export of log records.
    """
    export: Any = _parsed(ExportLogsServiceRequest(), body)
    batch: Batch[Log] = Batch()
    for resource in export.resource_logs:
        service = _service(resource)
        for scope in resource.scope_logs:
            for record in scope.log_records:
                batch.take(_log(record, service), "")
    return batch


def _parsed(message: Any, body: bytes) -> Any:
    try:
        message.ParseFromString(body)
    except DecodeError:
        raise Unreadable("the body is no protobuf export of this signal") from None
    return message


def _service(resource: Any) -> str | None:
    for pair in resource.resource.attributes:
        if pair.key == "service.name":
            return as_name(pair.value.string_value)
    return None


def _span(record: Any, service: str | None) -> Span | None:
    if len(record.trace_id) != TRACE_BYTES or len(record.span_id) != SPAN_BYTES:
        return None
    if not any(record.trace_id) or not any(record.span_id):
        return None
    attributes = pairs_of_protobuf(record.attributes)
    for event in record.events:
        for name, found in pairs_of_protobuf(event.attributes).items():
            attributes.setdefault(name, found)
    parent = record.parent_span_id
    return Span(
        trace=record.trace_id.hex(),
        id=record.span_id.hex(),
        parent=parent.hex() if len(parent) == SPAN_BYTES and any(parent) else None,
        name=record.name,
        start_ns=record.start_time_unix_nano,
        end_ns=record.end_time_unix_nano,
        attributes=attributes,
        status=record.status.code,
        message=record.status.message,
        service=service,
        is_entry=bool(record.flags & ENTRY_KNOWN and record.flags & ENTRY),
    )


def _log(record: Any, service: str | None) -> Log:
    attributes = pairs_of_protobuf(record.attributes)
    named = record.event_name or attributes.get("event.name") or of_protobuf(record.body)
    return Log(
        event=named if isinstance(named, str) else "",
        time_ns=record.time_unix_nano or record.observed_time_unix_nano,
        attributes=attributes,
        trace=record.trace_id.hex() if len(record.trace_id) == TRACE_BYTES else None,
        span=record.span_id.hex() if len(record.span_id) == SPAN_BYTES else None,
        service=service,
    )
