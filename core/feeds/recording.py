"""One exchange, made into events: its request places it in a round, its response is translated as it comes."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from http import HTTPStatus

from ..hub.coalesce import Coalescer
from ..rounds.base import CallError, CallOutcome
from ..rounds.events import (
    CallFinished,
    CallStarted,
    Event,
    RoundFinished,
    ToolRequested,
)
from ..wire import WIRES, Translator, translator
from ..wire.counts import sent_cap
from ..wire.errors import PROVIDER_ERROR
from ..wire.shapes import text_of
from .asked import Asked, read_request
from .capture import Capture, Censor
from .decoding import CannotDecode, Decoder
from .endpoints import Endpoint
from .exchange import Ending
from .heads import Headers, header
from .identity import Identity
from .pending_tools import Pending
from .placed_events import answered, left, opened
from .request_secrets import Secrets
from .rounds_book import FoundRound, RoundBook

log = logging.getLogger(__name__)

MAX_REQUEST = 32 * 1024 * 1024
"""A longer request is not read; its answer is."""
OBSERVATION = "observation"
"""The error kind of a call whose end we do not know through a fault or limit of our own."""
TRANSPORT = "transport"
_RESPONSE_ID = re.compile(rb'"id"\s*:\s*"(resp_[\w-]{1,200})"')
_LOOKED_AT = 4096


@dataclass(frozen=True)
class Sent:
    """What is known of a request when its head goes out."""

    upstream: str
    endpoint: Endpoint
    headers: Headers
    query: str
    at_s: float
    """A monotonic clock, seconds."""
    began: datetime | None = None
    """The same moment by the calendar: its events are published later, and a round must not look shorter for it."""


@dataclass(eq=False)
class Recording:
    """The state of one exchange on the observer's side."""

    sent: Sent
    book: RoundBook
    capture: Capture
    coalescer: Coalescer = field(default_factory=Coalescer)

    def __post_init__(self) -> None:
        self._body = bytearray()
        self._too_long = False
        self._asked: Asked | None = None
        self._round: FoundRound | None = None
        self._call = ""
        self._translator: Translator | None = None
        self._decoder: Decoder | None = None
        self._unreadable: str | None = None
        self._status = 0
        self._head = bytearray()

    @cached_property
    def censor(self) -> Censor:
        """Every event goes through it on its way out, after it was coalesced; made off the request's way."""
        return Censor(self.capture, Secrets(self.sent.headers, self.sent.query))

    # the request

    def request_body(self, data: bytes) -> None:
        """Take in a piece of the request's body."""
        if self._round is not None:
            return
        if len(self._body) + len(data) > MAX_REQUEST:
            self._too_long = True
            self._body.clear()
        elif not self._too_long:
            self._body += data

    def request_end(self) -> list[Event]:
        """Place the whole request in a round and return what that tells."""
        if self._round is not None:
            return []
        wire = self.sent.endpoint.wire
        asked = self._read()
        self.censor.keep_out(asked.secrets)
        who = Identity.of(self.sent.headers).named(self.censor.name)
        asked = asked.named(self.censor.name)
        placed = self.book.place(asked, who, (self.sent.upstream, wire))
        self._round = placed.round
        self._call = placed.round.next_call()
        model = self.sent.endpoint.model or text_of(asked.body.get("model")) or None
        return [
            *(answered(answer, self.censor) for answer in placed.answered),
            *left(placed),
            *opened(placed, who, self.censor.title(asked.title), model, self.sent.began),
            CallStarted(
                round=placed.round.id,
                at=self.sent.began,
                call=self._call,
                model=model,
                provider=self.sent.upstream,
                wire=wire,
                max_output_tokens=sent_cap(asked.body, WIRES[wire].caps),
                attempt=who.retries + 1 if who.retries else None,
            ),
        ]

    @property
    def refers_back(self) -> bool:
        """The whole request speaks of what an earlier response said, which may wait to be read."""
        asked = self._read()
        return bool(asked.results) or asked.previous is not None

    def _read(self) -> Asked:
        """Return what the whole request asks; it is read once."""
        if self._asked is None:
            self._asked = self._read_body(self.sent.endpoint.wire)
            self._body.clear()
        return self._asked

    def _read_body(self, wire: str) -> Asked:
        try:
            decoder = Decoder(header(self.sent.headers, b"content-encoding"), most=MAX_REQUEST)
            body = b"".join(decoder.feed(bytes(self._body)))
        except CannotDecode as error:
            log.info("a request cannot be read: %s", error)
            return Asked({})
        return read_request(wire, body) or Asked({})

    # the response

    def response(self, status: int, headers: Headers) -> list[Event]:
        """Take in the head of the response; one that comes before the request's end places what is there."""
        events = self.request_end()
        assert self._round is not None
        self._status = status
        body = dict(self._read().body)
        self._translator = translator(
            self.sent.endpoint.wire,
            round=self._round.id,
            call=self._call,
            request=body,
            http_status=status,
            announce=False,
        )
        try:
            self._decoder = Decoder(header(headers, b"content-encoding"))
        except CannotDecode as error:
            self._unreadable = str(error)
        return events

    @property
    def has_begun(self) -> bool:
        """The response has said something."""
        return self._translator is not None and self._translator.has_begun

    @property
    def is_timed(self) -> bool:
        """Every time is taken that is read from pieces of the response: from now on they may be read together."""
        return self._translator is not None and self._translator.is_timed

    def response_body(self, pieces: Sequence[tuple[bytes, float]]) -> Iterator[list[Event]]:
        """Yield the events of pieces of the response's body, each with the milliseconds when it came.

        Each list comes of at most ``STEP`` bytes, decoded ones, so that reading can be interrupted.
        """
        for n, (data, at_ms) in enumerate(pieces):
            if self.is_timed:
                yield from self._decoded(b"".join([data for data, _ in pieces[n:]]), pieces[-1][1])
                return
            yield from self._decoded(data, at_ms)

    def _decoded(self, data: bytes, at_ms: float) -> Iterator[list[Event]]:
        if self._translator is None or self._decoder is None or self._unreadable is not None:
            return
        try:
            for piece in self._decoder.feed(data):
                self._note_head(piece)
                yield self._told(self._translator.feed(piece, at_ms))
        except CannotDecode as error:
            self._unreadable = str(error)

    def end(self, ending: Ending, reason: str | None, at_ms: float, lost: str | None) -> list[Event]:
        """Return the end of the call, and of its round where that is known.

        Args:
            reason: in words, where there is something to say.
            lost: why a part of the body did not reach us; then nothing is concluded from it.
        """
        events = self.request_end()
        assert self._round is not None
        events += self._told(self._finished(ending, reason, at_ms, lost or self._unreadable))
        finished = events[-1]
        assert isinstance(finished, CallFinished)
        now_s = self.sent.at_s + at_ms / 1000
        if self.book.call_ended(self._round, self._call, finished.outcome, now_s):
            events.append(RoundFinished(round=self._round.id))
        return events

    def _note_head(self, data: bytes) -> None:
        if self.sent.endpoint.wire != "openai-responses" or self._round is None or len(self._head) >= _LOOKED_AT:
            return
        self._head += data[:_LOOKED_AT]
        if (found := _RESPONSE_ID.search(self._head)) is not None:
            self.book.answered_by(self._round, found[1].decode("ascii"))
            self._head += bytes(_LOOKED_AT)  # it is found: look no further

    def _told(self, events: Sequence[Event]) -> list[Event]:
        for event in events:
            if isinstance(event, ToolRequested) and not event.server and self._round is not None:
                self.book.requested(
                    self._round,
                    Pending(
                        self._call,
                        event.tool_call,
                        event.name,
                        event.id_given is not False,
                        told_id=self.censor.name(event.tool_call),
                        told_name=self.censor.text(event.name),
                    ),
                )
        return list(events)

    def _finished(self, ending: Ending, reason: str | None, at_ms: float, lost: str | None) -> list[Event]:
        assert self._round is not None
        if ending is Ending.UNREACHABLE or lost is not None:
            return [self._bare(CallOutcome.FAILED, at_ms, self._unread(ending, lost or reason))]
        if self._translator is None:
            if ending is Ending.CLIENT_LEFT:
                return [self._bare(CallOutcome.CANCELLED, at_ms)]
            return [self._bare(CallOutcome.BODY_CUT, at_ms, CallError(kind=TRANSPORT, message=reason))]
        broken = None if ending in (Ending.COMPLETE, Ending.CLIENT_LEFT) else reason or ending.value
        events = self._translator.close(at_ms, broken)
        last = events[-1]
        if ending is Ending.CLIENT_LEFT and isinstance(last, CallFinished) and not _is_whole(last):
            events[-1] = last.model_copy(update={"outcome": CallOutcome.CANCELLED, "error": None})
        return events

    def _unread(self, ending: Ending, why: str | None) -> CallError:
        """Return the error of a call whose body says nothing to us; a status of failure is the provider's own word."""
        if self._status >= HTTPStatus.BAD_REQUEST:
            return CallError(kind=PROVIDER_ERROR, http_status=self._status, message=why)
        return CallError(kind=TRANSPORT if ending is Ending.UNREACHABLE else OBSERVATION, message=why)

    def _bare(self, outcome: CallOutcome, at_ms: float, error: CallError | None = None) -> CallFinished:
        assert self._round is not None
        return CallFinished(
            round=self._round.id, call=self._call, outcome=outcome, finish_reason=None, error=error, total_ms=at_ms
        )

    @property
    def unreadable_count(self) -> int:
        """How many places of the response could not be read."""
        return self._translator.unreadable_count if self._translator is not None else 0


def _is_whole(end: CallFinished) -> bool:
    """Say whether a client that left had everything: many leave at the end marker, before the last byte."""
    return end.outcome is CallOutcome.FAILED or end.finish_reason is not None or end.done_marker is True
