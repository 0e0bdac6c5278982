"""One line or object of JSON to one event, with an error that names the field and never quotes at length."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import SchemaValidator
from pydantic_core.core_schema import list_schema

from .events import EVENT_TYPES, Event, KnownEvent, Unrecognised
from .faults import CodedError
from .moment import said_once
from .wire_schema import schema_of

_TEXT = (str, bytes)
_KNOWN = SchemaValidator(schema_of(KnownEvent))
_read_line: Callable[[str | bytes], Event] = _KNOWN.validate_json
"""Straight from the text to the event: by way of a dict, or of an adapter's method, it takes half as long again."""
WHY_CHARS = 200  # an error text is shown on one line; what it quotes comes from outside


class EventError(CodedError, ValueError):
    """A text that is no event; ``str()`` says what is wrong with which field, without quoting values."""

    def __init__(
        self, why: str, *, code: str | None = None, round_: str | None = None, **facts: str | int | None
    ) -> None:
        super().__init__(why, code=code, **facts)
        self.round = round_
        """The round that the text names, where that much can be read: it has lost an event."""


def parse_event(data: str | bytes | Mapping[str, Any]) -> Event:
    """Return the event that ``data`` (JSON text or an already decoded object) describes.

    An unknown ``type`` gives ``Unrecognised``; unknown fields are ignored.

    Raises:
        EventError: no JSON, no object, or a field that is missing or of the wrong kind.
    """
    if not isinstance(data, _TEXT):
        return _event(dict(data), None)
    try:
        return _read_line(data)
    except ValidationError:  # no event, an unknown type, or JSON that only Python reads (half a surrogate pair)
        raw, fields = _decoded(data)
        return _event(fields, raw)


def parse_known(frame: str | bytes) -> list[Event] | None:
    """Return the events of an array, read in one go; None when ``frame`` is anything but an array of known events.

    What it returns is what ``parse_event`` makes of each element. After None each has to be read by itself: strictly,
    no number is taken out of a string, for a reader may have to tell such an element apart.
    """
    try:
        return _array_reader()(frame, strict=True)
    except ValidationError:
        return None


def _event(fields: dict[str, Any], raw: str | None) -> Event:
    kind = fields.get("type")
    if not isinstance(kind, str) or not kind:
        raise EventError("no event: field 'type' is missing", code="event_no_type")
    if kind not in EVENT_TYPES:
        return _unrecognised(kind, fields, raw)
    try:
        return cast("Event", _KNOWN.validate_python(fields))
    except ValidationError as error:
        named = fields.get("round")
        raise _first_fault(kind, error, round_=named if isinstance(named, str) else None) from None


def _decoded(data: str | bytes) -> tuple[str, dict[str, Any]]:
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        fields = json.loads(text)
    except UnicodeDecodeError as error:
        raise EventError(f"not UTF-8 at byte {error.start}", code="event_not_utf8", byte=error.start) from None
    except json.JSONDecodeError as error:
        raise EventError(
            f"not JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}",
            code="event_not_json",
            character=error.pos + 1,
        ) from None
    except RecursionError:
        raise EventError("not readable: nested too deeply", code="event_too_deep") from None
    except ValueError:  # a number of more digits than Python converts
        raise EventError("not readable: a number is too long", code="event_number_too_long") from None
    if not isinstance(fields, dict):
        raise EventError("no event: a JSON object is expected", code="event_no_object")
    return text, cast("dict[str, Any]", fields)


def _unrecognised(kind: str, fields: dict[str, Any], raw: str | None) -> Unrecognised:
    text = raw if raw is not None else json.dumps(fields, ensure_ascii=False, default=str)
    known = {name: fields.get(name) for name in ("round", "at", "id", "seq")}
    try:
        return _unrecognised_reader()({"type": kind, "raw": text, **known})
    except ValidationError:  # even the common fields are of another kind: keep the text, read nothing
        return _unrecognised_reader()({"type": kind, "raw": text})


@cache
def _unrecognised_reader() -> Callable[[dict[str, Any]], Unrecognised]:
    return SchemaValidator(schema_of(Unrecognised)).validate_python


@cache
def _array_reader() -> Callable[..., list[Event]]:
    return SchemaValidator(list_schema(schema_of(KnownEvent))).validate_json


def _first_fault(kind: str, error: ValidationError, round_: str | None) -> EventError:
    faults = said_once(error.errors(include_url=False, include_context=False, include_input=False))
    where = ".".join(str(part) for part in faults[0]["loc"][1:]) or "event"
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    why = f"{kind}: field '{where}': {faults[0]['msg']}{more}"[:WHY_CHARS]
    code = "event_field_missing" if faults[0]["type"] == "missing" else "event_field_wrong"
    return EventError(why, code=code, round_=round_, type=kind, field=where[:WHY_CHARS])
