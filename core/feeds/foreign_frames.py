"""Frames of foreign event streams: JSON of any shape, looked at before it is used."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from ..hub.foreign import UnreadableFrame
from ..wire.shapes import is_list, is_object
from .key_shapes import without_keys

NAME_CHARS = 100
TEXT_CHARS = 64_000
"""Of one piece of output; what is beyond is counted and left out."""
PREVIEW_CHARS = 2000
LATEST_MS = 253_402_300_799_000
MOST_TOKENS = 2**53  # a larger count is no count

Fields = Mapping[str, Any]


def objects_of(frame: str) -> list[dict[str, Any]]:
    """Return the objects of a frame, which holds one or an array of them.

    Raises:
        UnreadableFrame: it is no JSON, or holds something else.
    """
    try:
        decoded: object = json.loads(frame)
    except (ValueError, RecursionError):
        raise UnreadableFrame("no JSON") from None
    elements: list[Any] = decoded if is_list(decoded) else [decoded]
    found = [each for each in elements if is_object(each)]
    if not found:
        raise UnreadableFrame("no JSON object")
    return found


def name_of(fields: Fields, key: str) -> str | None:
    """Return a member that is an id or a name: as it is, or where it cannot be one of ours, a digest of it."""
    given = fields.get(key)
    if isinstance(given, int) and not isinstance(given, bool):
        given = str(given)
    if not isinstance(given, str) or not given:
        return None
    if len(given) <= NAME_CHARS and given.isprintable() and given.strip():
        return given
    return hashlib.sha256(given.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def said_in(fields: Fields, key: str) -> str | None:
    """Return a member that is text for people, without what looks like a key; None when it is none or empty."""
    given = fields.get(key)
    if not isinstance(given, str) or not given:
        return None
    return without_keys(given.encode("utf-8", "replace").decode())


def object_in(fields: Fields, key: str) -> dict[str, Any]:
    """Return a member that is an object; an empty one for anything else."""
    given = fields.get(key)
    return given if is_object(given) else {}


def list_in(fields: Fields, key: str) -> list[dict[str, Any]]:
    """Return those elements of a member that are objects."""
    given = fields.get(key)
    return [each for each in given if is_object(each)] if is_list(given) else []


def moment_ms(given: object) -> datetime | None:
    """Return milliseconds since 1970 as a moment; None for anything else."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= LATEST_MS:
        return None
    return datetime.fromtimestamp(given / 1000, UTC)


def as_json(given: object) -> str | None:
    """Return a value as the text that a model would have written; None when there is none or it is too long."""
    if given is None:
        return None
    try:
        text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        text = text.encode("utf-8", "replace").decode()
    except (TypeError, ValueError, RecursionError):
        return None
    return without_keys(text) if len(text) <= TEXT_CHARS else None
