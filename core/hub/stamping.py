"""An event on its way out: one line of JSON that fits, its long texts cut with their size stated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from ..rounds.events import Event, Unrecognised
from ..rounds.parse import EventError, parse_event
from .errors import FrameError
from .limits import EVENT_BYTES
from .lines import one_line, split_frame, with_member, without_member

Publishable = Event | Mapping[str, Any] | str | bytes
"""What ``Publisher.publish`` takes: an event, a decoded object, or a line of JSON."""

ID_ROOM = 300  # the id that is put in front when the line is sent
FIT_BYTES = EVENT_BYTES - ID_ROOM
SHORTEST_CHARS = 200  # a text is not cut below this: then the event does not fit


class TooLarge(ValueError):
    """An event that does not fit even with its texts cut; ``line`` is the whole of it."""

    def __init__(self, line: str) -> None:
        """Keep the line for the dead-letter file."""
        super().__init__(f"the event has {len(line.encode())} bytes and does not fit into {EVENT_BYTES}")
        self.line = line


class Outgoing(NamedTuple):
    """A line to send."""

    line: str
    shortened: bool
    """A text of it was cut: the event would not have fitted."""


def outgoing(item: Publishable, now: datetime | None) -> Outgoing:
    """Return the line to send: ``v`` and ``at`` filled in, no ``id``, no ``seq``, not above ``FIT_BYTES``.

    Args:
        now: the moment of what is published as it happens; None for a record, whose missing times stay missing:
            when it is sent says nothing of when it happened.

    A cut text keeps its beginning. How many characters it had stands in ``chars`` (for ``text``) and, for every cut
    field, in ``cut``: ``{"cut": {"text": 5000000}}``.

    Raises:
        EventError: ``item`` is no event; the caller learns it at once.
        TooLarge: it does not fit even when cut.
    """
    text, fields = _text_of(item)
    stamps: dict[str, str | int] = {"v": 1}
    if now is not None:
        stamps["at"] = now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    for name in ("id", "seq", *(stamp for stamp in stamps if fields.get(stamp) is None)):
        if name in fields:
            text = without_member(text, name)
    for name, value in stamps.items():
        if fields.get(name) is None:
            text = with_member(text, name, value)
    return Outgoing(text, False) if _size(text) <= FIT_BYTES else Outgoing(_fitted(text), True)


def outgoing_line(item: Publishable, now: datetime | None) -> str:
    """Return only the line; see ``outgoing``."""
    return outgoing(item, now).line


def _text_of(item: Publishable) -> tuple[str, Mapping[str, Any]]:
    """Return an event as one line of JSON, a given line in its own words, and what it decodes to."""
    if isinstance(item, Unrecognised):
        item = item.raw
    if isinstance(item, str | bytes):
        return _text_of_line(item)
    if isinstance(item, BaseModel):
        return _text_of_event(item), {name: value for name, value in item.__dict__.items() if value is not None}
    parse_event(item)
    fields = dict(item)
    return _dumped(fields), fields


def _text_of_event(event: BaseModel) -> str:
    """Return a checked event, which holds nothing that JSON does not know; without the detour over a dictionary."""
    try:
        return event.__pydantic_serializer__.to_json(event, exclude_none=True).decode("utf-8")
    except PydanticSerializationError as error:  # one that was put together unchecked
        raise EventError(f"no event: it cannot be written as JSON: {error}") from None


def _text_of_line(line: str | bytes) -> tuple[str, Mapping[str, Any]]:
    parse_event(line)  # says in words what is wrong
    text = line if isinstance(line, str) else line.decode("utf-8")
    try:
        piece = split_frame(text)[0]
    except FrameError as error:
        raise EventError(str(error)) from None
    if piece.fields is None:
        raise EventError(piece.fault or "no event: a JSON object is expected")
    return one_line(piece.text), piece.fields


def _dumped(fields: Mapping[str, Any]) -> str:
    try:
        return json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise EventError(f"no event: it cannot be written as JSON: {error}") from None


def _size(line: str) -> int:
    try:
        return len(line.encode())
    except UnicodeEncodeError:
        raise EventError("no event: a text holds half a surrogate pair") from None


def _fitted(line: str) -> str:
    """Cut the longest text, again and again, until the event fits."""
    fields: dict[str, Any] = json.loads(line)
    sizes: dict[str, int] = {}
    texts = list(_texts(fields))
    while (over := _size(_dumped(fields | {"cut": sizes}))) > FIT_BYTES:
        longest = max(texts, key=lambda text: len(text[0][text[1]]), default=None)
        if longest is None or len(longest[0][longest[1]]) <= SHORTEST_CHARS:
            raise TooLarge(line)
        holder, name, path = longest
        text: str = holder[name]
        sizes.setdefault(path, len(text))
        share = FIT_BYTES / over
        holder[name] = text[: max(SHORTEST_CHARS, int(len(text) * min(share, 0.9) * 0.9))]
        if path == "text" and fields.get("chars") is None:
            fields["chars"] = sizes[path]
    return _dumped(fields | {"cut": sizes})


NOT_CUT = frozenset({"type", "round", "call", "tool_call", "thread", "at"})  # what an event is found by


def _texts(fields: dict[str, Any], prefix: str = "") -> list[tuple[dict[str, Any], str, str]]:
    """Return the places of all texts that may be cut, with their dotted paths; lists are not looked into."""
    found: list[tuple[dict[str, Any], str, str]] = []
    for name, value in fields.items():
        if isinstance(value, str) and name not in NOT_CUT:
            found.append((fields, name, prefix + name))
        elif isinstance(value, dict):
            found += _texts(cast("dict[str, Any]", value), f"{prefix}{name}.")
    return found
