"""The translator that every wire format builds on: bytes in, call events out, no clock and no socket."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from ..rounds.base import CallError
from ..rounds.events import CallStarted, Event
from .answer import Answer
from .body import Body
from .counts import read_counts, sent_cap, whole_number
from .errors import MESSAGE_CHARS, error_page, provider_error
from .faults import Fault, Faults, quoted
from .json_text import well_formed
from .pieces import Cut, Piece, Value, Word
from .shapes import Path, is_object, text_of
from .tool_reader import ToolReader

TRANSPORT = "transport"
"""The error kind of a transfer that broke."""
DONE = "[DONE]"


class Translator(ABC):
    """Translates one response body of one wire format.

    The same bytes give the same events however they are split, as long as no times are given.
    Nothing that a body may hold makes it raise.
    """

    wire: ClassVar[str]
    """The format's name."""
    caps: ClassVar[tuple[Path, ...]]
    """Where a request states its output cap, the field that wins first."""
    kinds: ClassVar[frozenset[str]] = frozenset(("", "message"))
    """Event names that carry the format's JSON; any other one only says that the provider is alive."""
    json_streams: ClassVar[bytes] = b""
    """The first bytes, of ``{`` and ``[``, that mean a stream of JSON objects on this wire."""
    marks_end: ClassVar[bool] = True
    """A stream of this format has an end marker of its own."""

    def __init__(
        self,
        *,
        round: str,
        call: str,
        request: Mapping[str, Any] | None = None,
        http_status: int = 200,
        provider: str | None = None,
        announce: bool = True,
    ) -> None:
        """See ``translator``."""
        self._round = round
        self._call = call
        self._status = http_status
        self._request = dict(request or {})
        self._body = Body(b"" if http_status >= 400 else self._json_streams())
        self._faults = Faults()
        self._answer = Answer(round_=round, call=call)
        self._asked = ToolReader(self._answer, self._fault)
        self._cut: Cut | None = None
        self._closed = False
        self._has_read = False
        self._is_foreign = False
        self._cap_wanted = announce and sent_cap(self._request, self.caps) is None
        self._started = self._start(provider) if announce else None

    @property
    def unreadable(self) -> tuple[Fault, ...]:
        """The first things that could not be read, with their byte offset."""
        return self._faults.kept

    @property
    def unreadable_count(self) -> int:
        """How many things could not be read."""
        return self._faults.count

    @property
    def has_read(self) -> bool:
        """Whether anything of the body was an object that a response holds; false for another kind of page or file."""
        return self._has_read

    @property
    def has_begun(self) -> bool:
        """Whether the first output has come."""
        return self._answer.has_begun

    @property
    def is_timed(self) -> bool:
        """Whether the first output and the first text have come: no later moment but the end's is reported."""
        return self._answer.has_answered

    def feed(self, data: bytes, at_ms: float | None = None) -> list[Event]:
        """Return the events of every wire event that ``data`` completes.

        Args:
            data: the next bytes of the body, any number of them.
            at_ms: when they came, in monotonic milliseconds since the request left.
        """
        if self._closed:
            if data:
                self._fault(0, f"{len(data)} bytes after the end")
            return []
        self._at(at_ms)
        self._take(self._body.feed(bytes(data)))
        return self._events()

    def close(self, at_ms: float | None = None, broken: str | None = None) -> list[Event]:
        """Return what is left and the end of the call; a second time, nothing.

        Args:
            at_ms: when the body ended; without it the time of the last bytes stands.
            broken: what broke the transfer; None when the body just ended.
        """
        if self._closed:
            return []
        self._closed = True
        self._take(self._body.close())
        if self._status >= 400 and self._answer.error is None:
            self._answer.fail(error_page(bytes(self._body.head), self._status))
        self._end()
        self._at(at_ms)
        if self._cut is not None:
            self._answer.done = False  # the word for it may stand in front of what was cut off
        end = self._answer.finished(
            streamed=self.marks_end and self._body.streamed is True, lost=self._lost(broken), total_ms=self._answer.now
        )
        return [*self._events(), end]

    @abstractmethod
    def _read(self, value: dict[str, Any], kind: str | None, offset: int) -> None:
        """Take in one JSON object of a good response; ``kind`` is its SSE event name."""

    def _end(self) -> None:
        """Take in the end of the body: tell of the tool calls that are still open."""
        self._answer.end_tools()

    def _json_streams(self) -> bytes:
        """Return ``json_streams``, or less of it where the request tells that the answer is one object."""
        return self.json_streams

    def _mark(self, word: Word) -> None:
        """Take in data that is no JSON; a format with an end marker of its own looks for it here."""
        if word.text != DONE:
            self._fault(word.offset, f"not JSON: {quoted(word.text)}")

    def _fault(self, offset: int, why: str) -> None:
        self._faults.add(Fault(offset, why))

    def _foreign(self, offset: int, why: str) -> None:
        """Tell of an object that no response of this wire holds: it alone does not make the body one."""
        self._is_foreign = True
        self._fault(offset, why)

    def _fail(self, value: Any) -> None:
        self._answer.fail(provider_error(value, self._status))

    def _report(self, value: Any, paths: Mapping[str, tuple[Path, ...]]) -> bool:
        """Take in a usage object; say whether it reports anything."""
        if value is None:  # most pieces of a stream report nothing
            return False
        counts = read_counts(value, paths)
        if counts:
            self._answer.count(counts, tell=self._body.streamed is True)
        return bool(counts)

    def _echoed_cap(self, value: Any) -> None:
        """Take in an output cap that the provider says it was asked for; the request itself goes first."""
        cap = whole_number(value)
        if self._cap_wanted and cap is not None and cap > 0:
            self._cap_wanted = False
            self._answer.tell(CallStarted(round=self._round, call=self._call, wire=self.wire, max_output_tokens=cap))

    def _take(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            match piece:
                case Value():
                    self._value(piece)
                case Fault():
                    self._faults.add(piece)
                case Cut():
                    self._cut = piece
                case Word():
                    self._word(piece)

    def _word(self, piece: Word) -> None:
        if piece.kind == "error" and piece.text != DONE:
            self._fail(piece.text)
        elif piece.kind is None or piece.kind in self.kinds:
            self._mark(piece)

    def _value(self, piece: Value) -> None:
        value, kind, offset = piece
        if is_object(value):
            self._is_foreign = False
            if self._status < 400 and kind != "error":
                self._read(value, kind, offset)
                self._has_read = self._has_read or not self._is_foreign
                return
            self._has_read = True
        if self._status >= 400 or kind == "error":
            self._fail(value)
        else:
            self._fault(offset, f"no JSON object but {type(value).__name__}")

    def _lost(self, broken: str | None) -> CallError | None:
        """Return why the transfer broke; a JSON body that stops in the middle broke, whatever its carrier says.

        A finish word before the cut does not make it whole: several providers write theirs in front of the text.
        """
        if broken is not None:
            return CallError(kind=TRANSPORT, message=well_formed(broken)[:MESSAGE_CHARS] or None)
        if self._cut is not None:
            return CallError(kind=TRANSPORT, message=self._cut.why)
        return None

    def _at(self, at_ms: float | None) -> None:
        if at_ms is not None and math.isfinite(at_ms):
            self._answer.now = at_ms

    def _start(self, provider: str | None) -> CallStarted:
        model = text_of(self._request.get("model"))
        return CallStarted(
            round=self._round,
            call=self._call,
            model=well_formed(model) or None,
            provider=provider,
            wire=self.wire,
            max_output_tokens=sent_cap(self._request, self.caps),
        )

    def _events(self) -> list[Event]:
        events = self._answer.drain()
        if self._started is not None:
            events.insert(0, self._started)
            self._started = None
        return events
