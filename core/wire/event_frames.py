"""Amazon's binary event stream (``application/vnd.amazon.eventstream``): frames with headers and two checksums.

A frame is: total length, headers length, CRC-32 of these eight bytes, headers, payload, CRC-32 of all before it;
numbers are big-endian.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, cast

from .faults import Fault, quoted
from .json_text import Unread, load
from .pieces import Piece, Value, Word, new_value
from .shapes import at_path, text_of

MAX_FRAME = 25 * 1024 * 1024
"""Bytes of one frame; Amazon allows 24 MiB of payload."""
FIRST_BYTES = b"\x00\x01"
"""What a frame can begin with: the highest byte of a length below ``MAX_FRAME``."""

_FIRST = re.compile(b"[" + re.escape(FIRST_BYTES) + b"]")
_PRELUDE = struct.Struct(">III")
_CRC = struct.Struct(">I")
_LENGTH = struct.Struct(">H")
_STRING = 7
_SIZES: Mapping[int, int] = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""Bytes of a header value by its type; types 6 and 7 state their own length."""
_VARIABLE = frozenset((6, _STRING))


class Frame(NamedTuple):
    """One whole frame with its text headers."""

    headers: Mapping[str, str]
    payload: bytes
    offset: int


_new: Callable[[type[Frame], tuple[Mapping[str, str], bytes, int]], Frame] = cast("Any", tuple).__new__
# without the named tuple's own wrapper: half the cost


class FrameParser:
    """An incremental parser: the same bytes give the same frames, however they are split.

    A damaged frame is counted and the next whole one is looked for.
    """

    def __init__(self, *, offset: int = 0) -> None:
        """Start at byte ``offset`` of the body."""
        self._offset = offset
        """Where the buffer begins in the body."""
        self._buffer = bytearray()
        self._searching = False
        """A prelude did not hold; every place where a frame could begin is tried."""
        self._wanted = 0
        """Bytes of the frame that the buffer begins with; 0 = not known yet."""

    def feed(self, data: bytes) -> list[Frame | Fault]:
        """Return the frames that the bytes complete."""
        if self._buffer:
            self._buffer += data
            if len(self._buffer) < self._wanted:
                return []
            data = bytes(self._buffer)  # once for every frame at most, however small the pieces
        found: list[Frame | Fault] = []
        at, size, self._wanted = 0, len(data), 0
        while size - at >= _PRELUDE.size:
            total, headers, crc = _PRELUDE.unpack_from(data, at)
            sane = _PRELUDE.size + headers + _CRC.size <= total <= MAX_FRAME
            if not sane or zlib.crc32(data[at : at + 8]) != crc:
                if not self._searching:
                    found.append(Fault(self._offset + at, "a frame with a wrong prelude checksum or length"))
                self._searching = True
                at = _next_start(data, at + 1)
            elif size - at < total:
                self._wanted = total
                break
            else:
                self._searching = False
                found.append(_frame(data, at, total, headers, self._offset + at))
                at += total
        self._buffer = bytearray(data[at:])
        self._offset += at
        return found

    def close(self) -> list[Frame | Fault]:
        """Return what is left: that the body ends inside a frame."""
        if not self._buffer or self._searching:
            return []
        return [Fault(self._offset, "a frame that stops in the middle")]


def _next_start(data: bytes, at: int) -> int:
    found = _FIRST.search(data, at)
    return found.start() if found else len(data)


def _frame(data: bytes, at: int, total: int, headers_length: int, offset: int) -> Frame | Fault:
    """Return the frame that begins at ``at``; ``offset`` is where that is in the body."""
    start, end = at + _PRELUDE.size + headers_length, at + total - _CRC.size
    if zlib.crc32(data[at:end]) != _CRC.unpack_from(data, end)[0]:
        return Fault(offset, "a frame with a wrong message checksum")
    headers = _headers(data[at + _PRELUDE.size : start])
    if headers is None:
        return Fault(offset, "a frame whose headers cannot be read")
    return _new(Frame, (headers, data[start:end], offset))


@lru_cache(maxsize=256)  # the frames of a stream have few different ones
def _headers(data: bytes) -> Mapping[str, str] | None:
    """Return the text headers; None when they do not add up."""
    found: dict[str, str] = {}
    at = 0
    while at < len(data):
        name_end = at + 1 + data[at]
        if name_end >= len(data):
            return None
        name, type_, at = data[at + 1 : name_end].decode("utf-8", "replace"), data[name_end], name_end + 1
        if type_ in _VARIABLE:
            if at + _LENGTH.size > len(data):
                return None
            size = _LENGTH.unpack_from(data, at)[0]
            at += _LENGTH.size
        elif type_ in _SIZES:
            size = _SIZES[type_]
        else:
            return None
        if at + size > len(data):
            return None
        if type_ == _STRING:
            found[name] = data[at : at + size].decode("utf-8", "replace")
        at += size
    return found


class EventFraming:
    """A body of binary frames with JSON payloads; an exception frame is an error."""

    streamed = True

    def __init__(self, offset: int) -> None:
        """Start at byte ``offset`` of the body."""
        self._parser = FrameParser(offset=offset)

    def feed(self, data: bytes) -> list[Piece]:
        """Return the pieces of the frames that the bytes complete."""
        return [_piece(item) for item in self._parser.feed(data)]

    def close(self) -> list[Piece]:
        """Return what is left."""
        return [_piece(item) for item in self._parser.close()]


def _piece(item: Frame | Fault) -> Piece:
    if isinstance(item, Fault):
        return item
    headers, payload, offset = item
    text = payload.decode("utf-8", "replace")
    value = load(text)
    match headers.get(":message-type"):
        case "event":
            kind = headers.get(":event-type")
            if type(value) is Unread:
                return Word(text, kind, offset)
            return new_value(value, kind, offset)
        case "exception":
            return Value(_exception(headers.get(":exception-type"), value, text), "error", offset)
        case "error":
            error = {"code": headers.get(":error-code"), "message": headers.get(":error-message")}
            return Value(error, "error", offset)
        case other:
            return Fault(offset, f"a frame of unknown message type {quoted(other or '')}")


def _exception(type_: str | None, value: object, text: str) -> dict[str, object]:
    said = (text_of(at_path(value, (name,))) for name in ("message", "Message", "originalMessage"))
    return {"code": type_, "message": next((words for words in said if words), text)}
