"""Server-sent events from bytes in any pieces: lines, fields, events, and what does not belong there."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from .faults import Fault

MAX_LINE = 8 * 1024 * 1024
"""Bytes of one line, and characters of one event, that are kept; a longer one is counted, not read."""

_LINE_END = re.compile(rb"\r\n|\r|\n")
_LF = 0x0A
_EVENT = b"event: "
_DATA = b"data: "
_new: Callable[[type[SseEvent], tuple[str | None, str, int]], SseEvent] = cast("Any", tuple).__new__
# without the named tuple's own wrapper: half the cost


class SseEvent(NamedTuple):
    """One complete event; ``data`` lines are joined by line feeds."""

    kind: str | None
    data: str
    offset: int
    """Where its first line begins, in bytes."""


class SseStray(NamedTuple):
    """A line with a field that the format does not define.

    A conforming parser drops it; some servers report their errors that way.
    """

    name: str
    value: str
    line: str
    offset: int


SseItem = SseEvent | SseStray | Fault


class SseParser:
    """An incremental parser: the same bytes give the same items, however they are split.

    A byte order mark is the caller's to take off. Lines end with CR, LF or CRLF.
    """

    def __init__(self, *, offset: int = 0, max_line: int = MAX_LINE) -> None:
        """Start at byte ``offset`` of the body."""
        self._max = max_line
        self._seen = offset
        self._line = bytearray()
        self._line_at = offset
        self._line_too_long = False
        self._skip_lf = False
        self._kind: str | None = None
        self._data: list[str] = []
        self._size = 0
        self._event_at: int | None = None
        self._spoiled = False
        self._items: list[SseItem] = []

    def feed(self, data: bytes) -> list[SseItem]:
        """Return what the bytes complete."""
        at = 0
        if self._skip_lf and data:
            self._skip_lf = False
            if data[0] == _LF:
                at = 1
                self._line_at += 1
        plain = b"\r" not in data
        while at < len(data):
            if plain and self._is_idle and (end := self._whole_events(data, at)) > at:
                at = end
                continue
            found = _LINE_END.search(data, at)
            if found is None:
                self._append(data[at:])
                break
            self._append(data[at : found.start()])
            at = found.end()
            self._end_line(next_at=self._seen + at)
        self._skip_lf = self._skip_lf or data.endswith(b"\r")
        self._seen += len(data)
        return self._drain()

    @property
    def _is_idle(self) -> bool:
        """No line and no event has begun."""
        return not (self._line or self._line_too_long or self._spoiled or self._data) and (
            self._event_at is None and self._kind is None
        )

    def _whole_events(self, data: bytes, at: int) -> int:
        """Read events in the form that nearly all have, and return where the last of them ends.

        Each has one ``data`` line, one ``event`` line at most in front of it, and is all there; lines end with LF.
        """
        while True:
            kind, begin = None, at
            if data.startswith(_EVENT, at):
                end = data.find(b"\n", at)
                kind, begin = data[at + len(_EVENT) : end], end + 1
                if end < 0:
                    return at
            end = data.find(b"\n", begin)
            whole = end >= 0 and data.startswith(b"\n", end + 1) and data.startswith(_DATA, begin)
            if not whole or end - at > self._max:
                return at
            try:
                text = data[begin + len(_DATA) : end].decode("utf-8")
                name = None if kind is None else kind.decode("utf-8")
            except UnicodeDecodeError:
                return at
            self._items.append(_new(SseEvent, (name, text, self._seen + at)))
            at = end + 2
            self._line_at = self._seen + at

    def close(self) -> list[SseItem]:
        """Return what is left: a last line without an end, an event without its blank line."""
        if self._line or self._line_too_long:
            self._end_line(next_at=self._seen)
        self._dispatch()
        return self._drain()

    def _drain(self) -> list[SseItem]:
        items, self._items = self._items, []
        return items

    def _append(self, piece: bytes) -> None:
        if self._line_too_long:
            return
        if len(self._line) + len(piece) > self._max:
            self._line_too_long = True
            self._line.clear()
            return
        self._line += piece

    def _end_line(self, next_at: int) -> None:
        raw, at, too_long = bytes(self._line), self._line_at, self._line_too_long
        self._line.clear()
        self._line_too_long = False
        self._line_at = next_at
        if too_long:
            self._fault(at, f"line longer than {self._max} bytes")
            self._spoiled = True
        elif not raw:
            self._dispatch()
        elif not raw.startswith(b":"):
            self._field(self._decode(raw, at), at)

    def _decode(self, raw: bytes, at: int) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            self._fault(at + error.start, "not UTF-8")
            return raw.decode("utf-8", "replace")

    def _field(self, line: str, at: int) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name in ("data", "event") and self._event_at is None:
            self._event_at = at
        if name == "data":
            self._size += len(value)
            if self._size > self._max:
                self._spoiled = True
                self._data.clear()
            if not self._spoiled:
                self._data.append(value)
        elif name == "event":
            self._kind = value
        elif name not in ("id", "retry"):
            self._items.append(SseStray(name, value, line, at))

    def _dispatch(self) -> None:
        if self._spoiled and self._size > self._max:
            self._fault(self._event_at or 0, f"event longer than {self._max} characters")
        elif not self._spoiled and self._event_at is not None:
            self._items.append(SseEvent(self._kind, "\n".join(self._data), self._event_at))
        self._kind = None
        self._data = []
        self._size = 0
        self._event_at = None
        self._spoiled = False

    def _fault(self, at: int, why: str) -> None:
        self._items.append(Fault(at, why))
