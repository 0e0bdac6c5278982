"""A body of server-sent events with JSON data, and what servers write between them against the rules."""

from __future__ import annotations

from .faults import Fault, quoted
from .json_split import JsonSplitter
from .json_text import Unread, load, salvage
from .pieces import Piece, Value, Word, new_value
from .sse import SseEvent, SseItem, SseParser, SseStray
from .value_framing import value_pieces

MAX_BARE = 1024 * 1024
"""Bytes of one JSON value without ``data:`` that are kept; what stands there is an error object."""


class SseFraming:
    """A body of server-sent events with JSON data."""

    streamed = True

    def __init__(self, offset: int) -> None:
        """Start at byte ``offset`` of the body."""
        self._parser = SseParser(offset=offset)
        self._bare: JsonSplitter | None = None
        """Reads a JSON value over several lines without ``data:``: Gemini reports errors that way."""
        self._bare_at = 0

    def feed(self, data: bytes) -> list[Piece]:
        """Return the pieces of the events that the bytes complete."""
        return self._pieces(self._parser.feed(data))

    def close(self) -> list[Piece]:
        """Return the pieces of an event that lacks its blank line."""
        return [*self._pieces(self._parser.close()), *self._end_bare()]

    def _pieces(self, items: list[SseItem]) -> list[Piece]:
        found: list[Piece] = []
        for item in items:
            match item:
                case SseEvent():
                    if self._bare is not None:
                        found += self._end_bare()
                    kind, text, offset = item
                    value = load(text)
                    if type(value) is Unread:
                        found += _odd_pieces(item)
                    else:
                        found.append(new_value(value, kind, offset))
                case SseStray():
                    found += self._stray(item)
                case Fault():
                    found.append(item)
        return found

    def _stray(self, stray: SseStray) -> list[Piece]:
        line = stray.line.encode("utf-8", "replace")
        if self._bare is not None:
            line = b"\n" + line
        else:
            if not stray.line.lstrip().startswith(("{", "[")):
                return [_stray_piece(stray)]
            self._bare, self._bare_at = JsonSplitter(offset=stray.offset, max_value=MAX_BARE), stray.offset
        found = self._bare.feed(line)
        if found and not self._bare.is_open:
            self._bare = None
        return value_pieces(found)

    def _end_bare(self) -> list[Piece]:
        """Return what came of bare JSON that stops in the middle."""
        bare, self._bare = self._bare, None
        if bare is None or not bare.is_open:
            return []
        value = salvage(bare.rest.decode("utf-8", "replace"), 0)
        return [*([Value(value, None, self._bare_at)] if value else []), *value_pieces(bare.close())]


def _odd_pieces(event: SseEvent) -> list[Piece]:
    """Return data that is not JSON as one piece, or line by line: some servers forget the blank line between events."""
    if not event.data.strip():
        return []
    whole = _piece(event.data, event.kind, event.offset)
    if isinstance(whole, Value) or "\n" not in event.data:
        return [whole]
    lines = [_piece(line, event.kind, event.offset) for line in event.data.split("\n") if line.strip()]
    return lines if any(isinstance(line, Value) for line in lines) else [whole]


def _piece(text: str, kind: str | None, offset: int) -> Piece:
    value = load(text)
    return Word(text.strip(), kind, offset) if isinstance(value, Unread) else Value(value, kind, offset)


def _stray_piece(stray: SseStray) -> Piece:
    """Return what an undefined field says: an error under its own name."""
    if stray.name.strip() == "error":
        return _piece(stray.value, "error", stray.offset)
    return Fault(stray.offset, f"unknown field {quoted(stray.name)}")
