"""A body that streams JSON objects with nothing around them: one a line, or the elements of one running array."""

from __future__ import annotations

from .faults import Fault
from .json_split import MAX_VALUE, JsonSplitter, Raw
from .json_text import Unread, load
from .pieces import Piece, Value


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
            end = data.find(b"\n", at) + 1 or len(data)
            if not (self._splitter.is_idle and self._whole_line(data[at:end], pieces)):
                pieces += value_pieces(self._splitter.feed(data[at:end]))
            at = end
        return pieces

    def _whole_line(self, line: bytes, pieces: list[Piece]) -> bool:
        """Read an object that has a line for itself, as nearly all have; say whether that is what stands there."""
        if not (line.startswith(b"{") and line.endswith(b"\n")) or len(line) > MAX_VALUE:
            return False
        try:
            value = load(line.decode("utf-8"))
        except UnicodeDecodeError:
            return False
        if isinstance(value, Unread):
            return False
        pieces.append(Value(value, None, self._splitter.seen))
        self._splitter.skip(len(line))
        return True

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
