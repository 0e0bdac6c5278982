"""Looking into the records of transcripts: nothing about their values is certain."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from ...wire.shapes import is_list, is_object

Object = dict[str, Any]
NOTHING: Object = {}
LARGEST = 2**53
"""A larger number is no count."""


def object_of(value: object) -> Object:
    """Return a JSON object; an empty one for anything else."""
    return value if is_object(value) else NOTHING


def list_of(value: object) -> list[Any]:
    """Return a JSON array; an empty one for anything else."""
    return value if is_list(value) else []


def word_of(value: object) -> str | None:
    """Return a string that says anything; None for anything else."""
    return value if isinstance(value, str) and value and not value.isspace() else None


def count_of(value: object) -> int | None:
    """Return a count of 0 or more; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST else None


def duration_of(value: object) -> float | None:
    """Return a duration of 0 or more, in whatever unit it is written; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < LARGEST else None


def moment_of(value: object) -> datetime | None:
    """Return the moment a text names, in UTC; one without a zone is taken as UTC. None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def texts_of(content: object) -> str:
    """Return the text of a message's content: a string, or blocks that hold ``text``."""
    if isinstance(content, str):
        return content
    parts = (object_of(block).get("text") for block in list_of(content))
    return "\n".join(part for part in parts if isinstance(part, str))
