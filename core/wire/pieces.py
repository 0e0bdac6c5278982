"""What a body falls into, whatever frames it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, cast

from .faults import Fault


class Value(NamedTuple):
    """One decoded JSON value."""

    value: Any
    kind: str | None = None
    """The event's name on the wire, or ``error`` for what named itself so."""
    offset: int = 0


_new: Callable[[type[Value], tuple[Any, str | None, int]], Value] = cast("Any", tuple).__new__


def new_value(value: Any, kind: str | None, offset: int) -> Value:
    """Return a ``Value``; every piece of a stream is one, and this way one costs half."""
    return _new(Value, (value, kind, offset))


class Word(NamedTuple):
    """Data that is no JSON: a marker like ``[DONE]``, or plain text."""

    text: str
    kind: str | None = None
    offset: int = 0


class Cut(NamedTuple):
    """A JSON body stops, or stops being JSON, in the middle: something of it is missing for certain."""

    offset: int
    why: str


Piece = Value | Word | Cut | Fault


class Framing(Protocol):
    """Turns bytes into pieces; one per way of framing a body."""

    streamed: bool
    """Pieces come while the body is still running."""

    def feed(self, data: bytes) -> list[Piece]:
        """Return the pieces that the bytes complete."""
        ...

    def close(self) -> list[Piece]:
        """Return what is left at the end of the body."""
        ...
