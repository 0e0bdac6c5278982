"""Spans through a hub's receiver into its store, against parsing the same bodies and nothing else."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path

import h11
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import ScopeSpans
from roundwatch.core.feeds.otlp import OtlpReceiver
from roundwatch.core.hub import Access, Hub

from tests.benchmarks.timing import compare

EXPORTS = 20
TRACES = 50  # in one export, each of an agent with four calls and five tools: 500 spans, as an SDK batches them
STEPS = 5
SPANS = EXPORTS * TRACES * (2 * STEPS)
BEGAN_NS = 1_790_000_000_000_000_000


def bodies() -> Iterator[bytes]:
    for _ in range(EXPORTS):
        export = ExportTraceServiceRequest()
        scope = export.resource_spans.add().scope_spans.add()
        for _ in range(TRACES):
            _trace(scope)
        yield export.SerializeToString()


def _trace(scope: ScopeSpans) -> None:
    trace, root = secrets.token_bytes(16), secrets.token_bytes(8)
    for step in range(STEPS):
        if step < STEPS - 1:
            word = "stop" if step == STEPS - 2 else "tool_calls"
            _span(scope, trace, root, step, "chat", _words("gen_ai.response.finish_reasons", word))
        _span(scope, trace, root, step, "execute_tool", _text("gen_ai.tool.name", "look"))
    _span(scope, trace, b"", STEPS, "invoke_agent", own=root)


def _span(
    scope: ScopeSpans, trace: bytes, parent: bytes, step: int, operation: str, *more: KeyValue, own: bytes = b""
) -> None:
    scope.spans.add(
        trace_id=trace, span_id=own or secrets.token_bytes(8), parent_span_id=parent, name=operation,
        start_time_unix_nano=BEGAN_NS + step * 10**9, end_time_unix_nano=BEGAN_NS + (step + 1) * 10**9,
        attributes=[
            _text("gen_ai.operation.name", operation), _text("gen_ai.request.model", "mini-4"),
            _text("gen_ai.provider.name", "openai"), _text("server.address", "api.example"),
            KeyValue(key="gen_ai.usage.output_tokens", value=AnyValue(int_value=7)), *more,
        ],
    )  # fmt: skip


def _text(key: str, value: str) -> KeyValue:
    return KeyValue(key=key, value=AnyValue(string_value=value))


def _words(key: str, *values: str) -> KeyValue:
    listed = ArrayValue(values=[AnyValue(string_value=value) for value in values])
    return KeyValue(key=key, value=AnyValue(array_value=listed))


async def through_the_receiver() -> int:
    with tempfile.TemporaryDirectory() as folder:
        uploads = OtlpReceiver().paths
        async with Hub(Path(folder) / "s.db", port=0, access=Access.anyone(), uploads=uploads) as hub:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(hub.url.rpartition(":")[2]))
            for body in bodies():
                link = h11.Connection(h11.CLIENT)
                headers = [("Host", "localhost"), ("Content-Length", str(len(body)))]
                headers.append(("Content-Type", "application/x-protobuf"))
                writer.write(link.send(h11.Request(method="POST", target="/v1/traces", headers=headers)) or b"")
                writer.write(body)
                head = await reader.readuntil(b"\r\n\r\n")
                assert head.startswith(b"HTTP/1.1 200"), head
            writer.close()
    return SPANS


def parsed_alone() -> int:
    for body in bodies():
        export = ExportTraceServiceRequest.FromString(body)
        assert len(export.resource_spans[0].scope_spans[0].spans) == SPANS / EXPORTS
    return SPANS


def main() -> None:
    compare(
        "receive, translate, store / make and parse protobuf alone",
        lambda: asyncio.run(through_the_receiver()),
        parsed_alone,
        "span",
    )


if __name__ == "__main__":
    main()
