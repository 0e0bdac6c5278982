"""Numbers out of provider objects: the paths that lead to them are data, one table per wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rounds.base import Usage
from .shapes import Path, at_path, is_object

LARGEST = 2**53
"""A count above this is no count; JSON readers elsewhere would not keep it exact."""


def whole_number(value: Any) -> int | None:
    """Return a count as an integer; None for anything that is none."""
    if type(value) is int and 0 <= value <= LARGEST:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not -LARGEST <= value <= LARGEST or value != int(value):
        return None
    return int(value)


def first_number(value: Any, paths: tuple[Path, ...]) -> int | None:
    """Return the first count that one of ``paths`` leads to."""
    for path in paths:
        at = at_path(value, path)
        if at is not None and (found := whole_number(at)) is not None:
            return found
    return None


def read_usage(value: Any, paths: Mapping[str, tuple[Path, ...]]) -> Usage | None:
    """Return the provider's own numbers; None when the object reports none of the five. See ``read_counts``."""
    found = read_counts(value, paths)
    return Usage(**found) if found else None


def read_counts(value: Any, paths: Mapping[str, tuple[Path, ...]]) -> dict[str, int]:
    """Return those of the five numbers that the object reports, by their names in ``Usage``.

    Args:
        value: a usage object, or whatever stands in its place.
        paths: for each field of ``Usage`` where its number may stand, best first.
    """
    if not is_object(value):
        return {}  # most pieces of a stream report nothing: nothing is looked for
    found: dict[str, int] = {}
    for name, where in paths.items():
        for path in where:
            at = value.get(path[0])
            if at is None:
                continue
            if len(path) > 1:
                at = at_path(at, path[1:])
            number = at if type(at) is int and 0 <= at <= LARGEST else whole_number(at)  # nearly all are such
            if number is not None:
                found[name] = number
                break
    return found


def sent_cap(request: Mapping[str, Any], paths: tuple[Path, ...]) -> int | None:
    """Return the output cap of a request; None when it names none, or none above 0 (no limit)."""
    cap = first_number(request, paths)
    return cap if cap is not None and cap > 0 else None
