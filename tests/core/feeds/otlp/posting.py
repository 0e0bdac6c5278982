"""Posting exports to a real hub, and what it stored."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from roundwatch.core.feeds.otlp import OtlpReceiver, Span
from roundwatch.core.hub import Access, Hub, Identity, Role, Selection, StoredEvent, StoreListener
from roundwatch.core.hub.sqlite_store import SqliteStore
from roundwatch.core.rounds import Ledger, parse_event

TOKEN = "a-token-of-the-test"
ACCESS = Access({TOKEN: Identity("me"), "only-watches": Identity("you", frozenset((Role.WATCH,)))})
PATIENCE_S = 20


class Place(NamedTuple):
    """Where a hub of another process listens."""

    url: str


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


@asynccontextmanager
async def receiving(receiver: OtlpReceiver | None = None, **options: Any) -> AsyncGenerator[Hub]:
    """A hub that receives exports."""
    async with Hub(port=0, access=ACCESS, uploads=(receiver or OtlpReceiver()).paths, **options) as hub:
        yield hub


async def raw(hub: Hub | Place, data: bytes, ssl: Any = None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Send bytes and return the connection."""
    port = int(hub.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=ssl)
    writer.write(data)
    return reader, writer


def request(path: str, body: bytes = b"", method: str = "POST", **headers: str) -> bytes:
    """One request; a header that is empty is left out."""
    sent = {
        "Host": "localhost", "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json",
        "Content-Length": str(len(body)),
    } | {name.replace("_", "-"): value for name, value in headers.items()}  # fmt: skip
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items() if value), "", ""]
    return "\r\n".join(lines).encode() + body


async def read_reply(reader: asyncio.StreamReader) -> Reply:
    """Read one answer."""
    async with asyncio.timeout(PATIENCE_S):
        head = (await reader.readuntil(b"\r\n\r\n")).decode().rstrip("\r\n").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Reply(int(head[0].split()[1]), headers, body)


async def post(hub: Hub | Place, path: str, body: bytes = b"", method: str = "POST", **headers: str) -> Reply:
    """Send one request on a connection of its own."""
    reader, writer = await raw(hub, request(path, body, method, **headers))
    try:
        return await read_reply(reader)
    finally:
        writer.close()
        await writer.wait_closed()


def as_json(*spans: Span) -> bytes:
    """An export in OTLP's JSON."""
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [_span(each) for each in spans]}]}]}).encode()


def _span(each: Span) -> dict[str, Any]:
    return {
        "traceId": each.trace, "spanId": each.id, "parentSpanId": each.parent or "", "name": each.name,
        "startTimeUnixNano": str(each.start_ns), "endTimeUnixNano": str(each.end_ns), "status": {"code": each.status},
        "attributes": [{"key": key, "value": any_value(value)} for key, value in each.attributes.items()],
    }  # fmt: skip


def any_value(value: Any) -> dict[str, Any]:
    """A value as OTLP's JSON writes it."""
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case list():
            return {"arrayValue": {"values": [any_value(each) for each in value]}}  # pyright: ignore[reportUnknownVariableType]
        case _:
            return {"kvlistValue": {"values": [{"key": key, "value": any_value(each)} for key, each in value.items()]}}


def log_json(*records: dict[str, Any]) -> bytes:
    """An export of log records; each is its event name, time and attributes."""
    found = [
        {
            "timeUnixNano": str(record["ns"]),
            "body": {"stringValue": record["event"]},
            "attributes": [{"key": key, "value": any_value(value)} for key, value in record["attributes"].items()],
            "traceId": record.get("trace", ""),
            "spanId": record.get("span", ""),
        }
        for record in records
    ]
    return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": found}]}]}).encode()


async def stored(store: SqliteStore) -> Sequence[bytes]:
    """All events that a store holds."""
    found: list[bytes] = []
    after = 0
    while (page := await store.read(after, Selection())).wires:
        found += page.wires
        after = page.through
    return found


@asynccontextmanager
async def kept(path: Any) -> AsyncGenerator[SqliteStore]:
    """The store of a hub that is gone."""
    store = SqliteStore(path)
    await store.open(StoreListener(_nothing))
    try:
        yield store
    finally:
        await store.close()


def _nothing(_: Sequence[StoredEvent]) -> None:
    pass


async def ledger_of(path: Any) -> Ledger:
    """What a store's events fold to."""
    ledger = Ledger()
    async with kept(path) as store:
        for wire in await stored(store):
            ledger.apply(parse_event(wire))
    return ledger
