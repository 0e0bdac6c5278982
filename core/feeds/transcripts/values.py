"""Values that agents beside Claude Code and Codex write: moments in milliseconds, lists of objects."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from .fields import Object, count_of, list_of, moment_of, object_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def objects_of(value: object) -> list[Object]:
    """Return the objects of a JSON array."""
    return [found for item in list_of(value) if (found := object_of(item))]


def any_moment_of(value: object) -> datetime | None:
    """Return the moment that a text names, or milliseconds since 1970."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    since = count_of(value)
    if not since:
        return moment_of(value)
    try:
        return _EPOCH + timedelta(milliseconds=since)
    except OverflowError:
        return None


def compact(value: object) -> str:
    """Return a value that JSON can hold as one line of it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def between_ms(start: datetime | None, end: datetime | None) -> float | None:
    """Return the time between two moments; None where one is not known or they are the wrong way round."""
    if start is None or end is None or end < start:
        return None
    return (end - start) / timedelta(milliseconds=1)
