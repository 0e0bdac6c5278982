"""A body that streams JSON objects with nothing around them: one a line, or the elements of one running array."""

from __future__ import annotations

from .faults import Fault
from .json_split import MAX_VALUE, JsonSplitter, Raw
from .json_text import Unread, load
from .pieces import Piece, Value

_OBJECT = ord("{")


class ValueFraming:
    """Newline-delimited JSON, or a JSON array whose elements come one by one.

    It stops like any other stream does: half an object at the end is counted and not read.
    """

    streamed = True

    def __init__(self, offset: int) -> None:
        """Start at byte ``offset`` of the body."""
        self._splitter = JsonSplitter(offset=offset)

    def feed(self, data: bytes) -> list[Piece]:
        """Return the values that the bytes complete."""
        pieces: list[Piece] = []
        at = 0
        while at < len(data):
            if self._splitter.is_idle:
                at = self._whole_lines(data, at, pieces)
            end = data.find(b"\n", at) + 1 or len(data)
            pieces += value_pieces(self._splitter.feed(data[at:end]))
            at = end
        return pieces

    def _whole_lines(self, data: bytes, at: int, pieces: list[Piece]) -> int:
        """Read objects that have a line for themselves, as nearly all have; return where something else begins."""
        start, offset = at, self._splitter.seen - at
        while (end := data.find(b"\n", at)) > at and data[at] == _OBJECT and end - at < MAX_VALUE:
            try:
                value = load(data[at:end].decode("utf-8"))
            except UnicodeDecodeError:
                break
            if isinstance(value, Unread):
                break
            pieces.append(Value(value, None, offset + at))
            at = end + 1
        self._splitter.skip(at - start)
        return at

    def close(self) -> list[Piece]:
        """Return what is left."""
        return value_pieces(self._splitter.close())


def value_pieces(found: list[Raw | Fault]) -> list[Piece]:
    """Return the decoded values, and what could not be decoded."""
    pieces: list[Piece] = []
    for one in found:
        if isinstance(one, Fault):
            pieces.append(one)
        else:
            pieces += _decoded(one)
    return pieces


def _decoded(raw: Raw) -> list[Piece]:
    pieces: list[Piece] = []
    try:
        text = raw.data.decode("utf-8")
    except UnicodeDecodeError as error:
        pieces.append(Fault(raw.offset + error.start, "not UTF-8"))
        text = raw.data.decode("utf-8", "replace")
    value = load(text)
    pieces.append(Fault(raw.offset, value.why) if isinstance(value, Unread) else Value(value, None, raw.offset))
    return pieces
