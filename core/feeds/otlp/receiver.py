"""The OpenTelemetry receiver of a hub: exports in, rounds into the store, and only then an answer."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from importlib.util import find_spec
from itertools import chain

from ...hub.errors import StoreUnavailable
from ...hub.inlet import Inlet, Numbered
from ...hub.uploads import Answer, Upload, UploadHandler, UploadHeaders
from ..decoding import CannotDecode, Decoder
from .assembler import Assembler
from .bodies import Batch, Unreadable
from .claude_logs import ClaudeLogs
from .details import call_span, is_details
from .keeping import Keeping
from .kinds import CLAUDE_CODE
from .names import Fact
from .read_json import logs_of_json, spans_of_json
from .replies import JSON, PROTOBUF, RETRY_S, accepted, refused
from .span import Log, Span, text

log = logging.getLogger(__name__)

TRACES, LOGS = "/v1/traces", "/v1/logs"
MOST_BYTES = 8 * 1024 * 1024
"""Of a body as it comes."""
MOST_INFLATED = 32 * 1024 * 1024
SLICE = 200  # records between two turns of everything else
MOST_BACKLOG = 50_000
"""Events that the store did not take; above it exports are turned away."""
INSTALL = "pip install 'roundwatch[otlp]'"
ENCODINGS = frozenset(("gzip", "x-gzip", "deflate", "identity", ""))


class _Refused(Exception):
    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class OtlpReceiver:
    """Serves ``/v1/traces`` and ``/v1/logs``: ``Hub(uploads=OtlpReceiver().paths)``."""

    most_bytes = MOST_BYTES

    def __init__(
        self,
        *,
        assembler: Assembler | None = None,
        logs: ClaudeLogs | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Serve no hub yet.

        Args:
            assembler: makes rounds of spans.
            logs: makes rounds of Claude Code's log events.
            clock: seconds, monotonic.
        """
        self._assembler, self._logs, self._clock = assembler or Assembler(), logs or ClaudeLogs(), clock
        self._inlet: Inlet | None = None
        self._keeping = Keeping()
        self._backlog: list[Numbered] = []
        self._lock = asyncio.Lock()
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.received = 0
        """Spans and log records that could be read."""
        self.refused = 0
        """Those that could not."""

    @property
    def paths(self) -> dict[str, UploadHandler]:
        """What a hub is given."""
        return {TRACES: self, LOGS: self}

    async def open(self, inlet: Inlet) -> None:
        """Begin to store in ``inlet``, what the hub before this one left first."""
        self._inlet = inlet
        records = await self._keeping.open(inlet)
        self._backlog += self._assembler.restore(records, self._clock())
        self._logs.restore(records, self._clock())
        self._task = asyncio.create_task(self._watch_time(), name="otlp")

    async def close(self) -> None:
        """Tell with what is known whatever still waits."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._backlog += self._assembler.close()
        try:
            await self._commit()
        except StoreUnavailable:
            log.error("the store took no more: %d events of spans are not in it", len(self._backlog))
        await self._keeping.close(is_all_told=not self._backlog)

    def refuse(self, status: int, why: str, headers: UploadHeaders) -> Answer:
        """Say no in the request's encoding."""
        return refused(_content_type(headers), status, why)

    async def take(self, upload: Upload) -> Answer:
        """Store what an export holds."""
        content_type = _content_type(upload.headers)
        try:
            if len(self._backlog) + self._keeping.unwritten > MOST_BACKLOG:
                raise _Refused(503, "the store cannot be written: send again later")
            body = await asyncio.to_thread(_inflated, upload.body, upload.headers.get("content-encoding"))
            if upload.path == TRACES:
                batch = await asyncio.to_thread(_spans, content_type, body)
                await self._take_spans(upload.owner, batch)
                return await self._stored(content_type, upload.path, batch.refused, batch.why)
            records = await asyncio.to_thread(_log_records, content_type, body)
            self.received += len(records.records)
            self.refused += records.refused
            calls = [call_span(each) for each in records.records if is_details(each)]
            self._take_details(upload.owner, calls)
            self._backlog += self._logs.feed(upload.owner, records.records, self._clock())
            self._keeping.note(self._logs.take_fresh())
            return await self._stored(content_type, upload.path, records.refused, records.why)
        except _Refused as refusal:
            return refused(content_type, refusal.status, str(refusal))
        except Unreadable as error:
            return refused(content_type, 400, str(error))

    async def _stored(self, content_type: str, path: str, count: int, why: str) -> Answer:
        try:
            await self._commit()
            await self._keeping.write()
        except StoreUnavailable:
            raise _Refused(503, "the store cannot be written: send again later") from None
        if self._keeping.has_grown():
            await self._keeping.compact(chain(self._assembler.records(), self._logs.records()))
        self._news.set()
        return accepted(content_type, path, count, why)

    async def _take_spans(self, owner: str, batch: Batch[Span]) -> None:
        self.received += len(batch.records)
        self.refused += batch.refused
        for start in range(0, len(batch.records), SLICE):
            spans = batch.records[start : start + SLICE]
            for span in spans:
                session = text(span.attributes, Fact.CONVERSATION) if span.name.startswith(CLAUDE_CODE) else None
                if session is not None:
                    self._backlog += self._logs.is_told_by_spans(owner, session)
            self._backlog += self._assembler.feed(owner, spans, self._clock())
            self._keeping.note([*self._assembler.fresh, *self._logs.take_fresh()])
            await asyncio.sleep(0)

    def _take_details(self, owner: str, calls: list[Span]) -> None:
        """Take what log events told of calls; one that names no span stands for itself."""
        alone = [call for call in calls if call.is_entry]
        self._backlog += self._assembler.feed(owner, alone, self._clock())
        self._keeping.note(self._assembler.fresh)
        self._backlog += self._assembler.feed_details(
            owner, [each for each in calls if not each.is_entry], self._clock()
        )
        self._keeping.note(self._assembler.fresh)

    async def _commit(self) -> None:
        """Store what is told; what another request told before too, or its repetition would be confirmed too early."""
        async with self._lock:
            while self._backlog:
                assert self._inlet is not None
                batch = self._backlog[:MOST_BACKLOG]
                await self._inlet.take(batch)
                del self._backlog[: len(batch)]

    async def _watch_time(self) -> None:
        while True:
            try:
                await self._commit()
                await self._keeping.write()
            except StoreUnavailable:
                await asyncio.sleep(RETRY_S)
                continue
            moments = (self._assembler.next_deadline, self._logs.next_deadline)
            deadlines = [moment for moment in moments if moment is not None]
            if not deadlines:  # nothing is alive but a list of sessions
                await self._keeping.rest(self._logs.records())
            self._news.clear()
            try:
                async with asyncio.timeout(max(0.0, min(deadlines) - self._clock()) if deadlines else None):
                    await self._news.wait()
            except TimeoutError:
                self._backlog += self._assembler.due(self._clock())
                self._backlog += self._logs.due(self._clock())


def _content_type(headers: UploadHeaders) -> str:
    return headers.get("content-type").partition(";")[0].strip().lower()


def _inflated(body: bytes, encoding: str) -> bytes:
    if encoding.strip().lower() not in ENCODINGS:
        raise _Refused(415, "the body has an unknown Content-Encoding: gzip, deflate and none are read")
    pieces: list[bytes] = []
    size = 0
    try:
        decoder = Decoder(encoding, most=MOST_INFLATED + 1)
        for piece in decoder.feed(body):
            size += len(piece)
            if size > MOST_INFLATED:
                raise _Refused(413, f"the body inflates to more than {MOST_INFLATED} bytes")
            pieces.append(piece)
    except CannotDecode as error:
        if size + 1 > MOST_INFLATED:
            raise _Refused(413, f"the body inflates to more than {MOST_INFLATED} bytes") from None
        raise _Refused(400, str(error)) from None
    if not decoder.is_whole:  # what is there may be an export too, of fewer spans
        raise _Refused(400, "the compressed body ends too early")
    return b"".join(pieces)


def _spans(content_type: str, body: bytes) -> Batch[Span]:
    if content_type == JSON:
        return spans_of_json(body)
    _needs_protobuf(content_type)
    from .read_protobuf import spans_of_protobuf  # here: JSON needs no such library

    return spans_of_protobuf(body)


def _log_records(content_type: str, body: bytes) -> Batch[Log]:
    if content_type == JSON:
        return logs_of_json(body)
    _needs_protobuf(content_type)
    from .read_protobuf import logs_of_protobuf  # here: JSON needs no such library

    return logs_of_protobuf(body)


def _needs_protobuf(content_type: str) -> None:
    if content_type != PROTOBUF:
        raise _Refused(415, f"the body is neither {PROTOBUF} nor {JSON}")
    try:
        is_there = find_spec("opentelemetry.proto") is not None
    except (ImportError, ValueError):
        is_there = False
    if not is_there:
        raise _Refused(415, f"protobuf needs opentelemetry-proto on the hub's side: {INSTALL}; or send JSON")
