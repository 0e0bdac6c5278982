"""The pieces of a response body: its first bytes tell whether it is SSE, JSON, a stream of JSON or binary frames."""

from __future__ import annotations

import codecs
import re
from typing import Any

from .event_frames import FIRST_BYTES, EventFraming
from .faults import Fault
from .json_text import Unread, is_blank, load_next, salvage
from .pieces import Cut, Framing, Piece, Value
from .shapes import is_list
from .sse_framing import SseFraming
from .value_framing import ValueFraming

MAX_JSON_BODY = 16 * 1024 * 1024
"""Bytes of an unstreamed body that are kept."""
MAX_VALUES = 10_000
"""JSON values of one unstreamed body that are read."""
ENDS_EARLY = "the JSON body ends in the middle"
BREAKS_OFF = "the JSON body cannot be read to its end"
HEAD = 2048
"""Bytes of every body kept as they came, to quote an error page that is neither SSE nor JSON."""

_BOM = codecs.BOM_UTF8
_BLANKS = re.compile(rb"[ \t\r\n]+")
_LINE_END = re.compile(rb"[\r\n]")


class JsonFraming:
    """A body of one JSON value; several, or one array of them, are read one by one."""

    streamed = False

    def __init__(self, offset: int) -> None:
        """Start at byte ``offset`` of the body."""
        self._start = offset
        self._seen = offset
        self._kept = bytearray()

    def feed(self, data: bytes) -> list[Piece]:
        """Keep the bytes: a JSON body can only be read when it is over."""
        self._seen += len(data)
        self._kept += data[: max(0, MAX_JSON_BODY - len(self._kept))]
        return []

    def close(self) -> list[Piece]:
        """Return the values of the body; of a cut one, what arrived of it."""
        found: list[Piece] = []
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = decoder.decode(bytes(self._kept))  # not final: half a character at the end is no character
        dropped = self._seen - self._start - len(self._kept)
        if dropped:
            found.append(Fault(self._seen - dropped, f"{dropped} bytes beyond the {MAX_JSON_BODY} that are kept"))
        at = 0
        while not is_blank(text, at):
            value = load_next(text, at)
            if isinstance(value, Unread):
                found += self._rest(text, at, value, cut=not dropped and (value.ended or not found))
                break
            found += [Value(one, None, self._start + at) for one in _each(value[0])]
            at = value[1]
            if len(found) > MAX_VALUES:
                return [*found[:MAX_VALUES], Fault(self._start + at, f"more than {MAX_VALUES} JSON values")]
        return found

    def _rest(self, text: str, at: int, unread: Unread, *, cut: bool) -> list[Piece]:
        offset = self._start + len(text[: unread.at].encode("utf-8", "replace"))
        found: list[Piece] = [Value(one, None, offset) for one in _each(salvage(text, at))]
        found.append(Fault(offset, unread.why))
        if cut:
            found.append(Cut(offset, ENDS_EARLY if unread.ended else BREAKS_OFF))
        return found


def _each(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if is_list(value) else [value]


class Body:
    """A response body that finds its framing by itself.

    A byte order mark, blank lines and SSE comments before the first byte that tells are skipped.
    """

    def __init__(self, json_streams: bytes = b"") -> None:
        """Start before the first byte.

        Args:
            json_streams: the first bytes, of ``{`` and ``[``, that mean a stream of JSON objects on this wire.
        """
        self._json_streams = json_streams
        self._framing: Framing | None = None
        self._held = b""
        self._offset = 0
        self._in_comment = False
        self._mark_possible = True
        self.head = bytearray()
        """The first bytes as they came."""

    @property
    def streamed(self) -> bool | None:
        """Whether the body is a stream of events; None while that is open."""
        return None if self._framing is None else self._framing.streamed

    def feed(self, data: bytes) -> list[Piece]:
        """Return the pieces that the bytes complete."""
        if len(self.head) < HEAD:
            self.head += data[: HEAD - len(self.head)]
        if self._framing is not None:
            return self._framing.feed(data)
        self._held += data
        return self._sniff()

    def close(self) -> list[Piece]:
        """Return what is left at the end of the body."""
        if self._framing is not None:
            return self._framing.close()
        return [Fault(self._offset, "half a byte order mark")] if self._held else []

    def _sniff(self) -> list[Piece]:
        self._skip_lead()
        if not self._held or (self._mark_possible and _BOM.startswith(self._held)):
            return []
        self._framing = self._framing_for(self._held[0])
        held, self._held = self._held, b""
        return self._framing.feed(held)

    def _framing_for(self, first: int) -> Framing:
        if first in FIRST_BYTES:
            return EventFraming(self._offset)
        if first in self._json_streams:
            return ValueFraming(self._offset)
        return JsonFraming(self._offset) if first in b"{[" else SseFraming(self._offset)

    def _skip_lead(self) -> None:
        at, held = 0, self._held
        while at < len(held):
            if self._mark_possible and held.startswith(_BOM, at):
                self._mark_possible = False
                at += len(_BOM)
            elif self._in_comment or held.startswith(b":", at):
                end = _LINE_END.search(held, at)
                self._in_comment = end is None
                at = end.end() if end else len(held)
            elif blanks := _BLANKS.match(held, at):
                at = blanks.end()
            else:
                break
        self._held = held[at:]
        self._offset += at
