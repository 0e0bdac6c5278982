"""The hub's own frames, ``feed.*``: what it says besides events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated, Any, Literal, cast

from pydantic import ConfigDict, Field, ValidationError
from pydantic_core import SchemaValidator

from ..rounds.base import Frozen
from ..rounds.wire_schema import schema_of
from .errors import FrameError
from .limits import SEND_BYTES
from .store_health import Health

PREFIX = "feed."


class FeedFrame(Frozen):
    """Base of what a hub says; ``from`` is a Python keyword, hence the alias."""

    model_config = ConfigDict(populate_by_name=True)
    v: Literal[1] = 1


class Hello(FeedFrame):
    """First frame to a watcher: which stream this is and what is kept of it.

    ``first`` is ``last + 1`` while nothing is kept.
    """

    type: Literal["feed.hello"] = "feed.hello"
    stream: str
    first: int
    last: int
    server: str


class GapWhy(StrEnum):
    """Why events that were asked for do not come."""

    TRIMMED = "trimmed"
    """The hub no longer keeps them. Said by our own client too, when it asked for all from the beginning."""
    STREAM_CHANGED = "stream_changed"
    """The store is another one: what followed in the old one is not known, so ``to`` is null."""
    REWOUND = "rewound"
    """The store is older than what the watcher has seen: it was restored."""
    HOLE = "hole"
    """Said by our own client: an unfiltered feed jumped without an explanation."""


class Gap(FeedFrame):
    """Events ``from`` to ``to`` (both included; ``to`` null: not known) are missing."""

    type: Literal["feed.gap"] = "feed.gap"
    from_: int = Field(validation_alias="from", serialization_alias="from")
    to: int | None = None
    why: str


class State(FeedFrame):
    """How the hub's store is. Sent only when something is, was, or may be wrong with it."""

    type: Literal["feed.state"] = "feed.state"
    writing: str
    """``ok``, or why nothing can be stored: ``full``, ``read_only``, ``failing``. Meanwhile publishers wait."""
    checking: str
    """``running`` after an unclean end, then ``sound`` or ``damaged``; ``not_needed``, ``unknown``."""
    why: str | None = None

    @classmethod
    def of(cls, health: Health) -> State:
        """Return what to tell about a store's health."""
        return cls(writing=health.writing, checking=health.checking, why=health.why)


class Live(FeedFrame):
    """The replay is over; what follows happens now."""

    type: Literal["feed.live"] = "feed.live"


class At(FeedFrame):
    """Everything up to ``seq`` has been sent or filtered out."""

    type: Literal["feed.at"] = "feed.at"
    seq: int


class Ack(FeedFrame):
    """Everything of this producer up to the number in ``id`` is settled: stored, or rejected."""

    type: Literal["feed.ack"] = "feed.ack"
    id: str


class Reject(FeedFrame):
    """An event (or, without ``id``, a frame) was not taken.

    ``why`` is ``gap``, with the number ``expected``, when the producer skipped one, and ``not_owner`` when its name
    belongs to another token; then the event is not settled. Anything else is a sentence, and the event is settled.
    """

    type: Literal["feed.reject"] = "feed.reject"
    id: str | None = None
    why: str
    expected: int | None = None


GAP_WHY = "gap"
NOT_OWNER_WHY = "not_owner"
WatchFrame = Hello | Gap | State | Live | At
PublishFrame = Ack | Reject
AnyFrame = Annotated[WatchFrame | PublishFrame, Field(discriminator="type")]
_READER = SchemaValidator(schema_of(AnyFrame))


def read_frame(fields: dict[str, Any]) -> WatchFrame | PublishFrame:
    """Return the frame that a decoded ``feed.*`` object is.

    Raises:
        FrameError: an unknown frame, or one with a field missing or wrong.
    """
    try:
        return cast("WatchFrame | PublishFrame", _READER.validate_python(fields))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in fault["loc"]) or "type"
        raise FrameError(f"no frame of the feed: field '{where}': {fault['msg'][:200]}") from None


def encode(frame: FeedFrame) -> bytes:
    """Return the frame as JSON in UTF-8; absent values stay absent, except ``to`` and ``id``, which say null."""
    keep = frame.model_dump(by_alias=True).items()
    said = {name: value for name, value in keep if value is not None or name in ("to", "id")}
    return json.dumps(said, separators=(",", ":")).encode()


def joined(parts: Iterable[bytes]) -> bytes:
    """Return one websocket frame of these encoded events: the event itself, or an array of several."""
    parts = list(parts)
    return parts[0] if len(parts) == 1 else b"[" + b",".join(parts) + b"]"


def frames_of(events: Iterable[bytes]) -> Iterator[bytes]:
    """Yield websocket frames of at most ``SEND_BYTES`` with these encoded events, or one larger event alone."""
    parts: list[bytes] = []
    size = 0
    for event in events:
        if parts and size + len(event) > SEND_BYTES:
            yield joined(parts)
            parts, size = [], 0
        parts.append(event)
        size += len(event)
    if parts:
        yield joined(parts)
