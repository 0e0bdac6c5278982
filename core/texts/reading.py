"""Read single facts of an outcome, a note or a warning; whatever has another shape counts as not recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from .clean import clean
from .numbers import is_finite

MOST_QUOTED = 600
"""Characters of one outside text in a sentence; the whole of it is in the inspector."""
MOST_LISTED = 12
"""Names in one sentence; the rest is counted."""


def text_of(facts: Mapping[str, object], name: str) -> str | None:
    """Return a text, cleaned and of a length that a sentence can hold; None when absent or blank."""
    value = facts.get(name)
    return quotable(value) if isinstance(value, str) else None


def quotable(value: str | None) -> str | None:
    """Return an outside text as a sentence can quote it; None when it is absent or blank."""
    return clean(value.strip(" \t\n"), limit=MOST_QUOTED) if value and value.strip() else None


def number_of(facts: Mapping[str, object], name: str) -> float | None:
    """Return a number; None when absent or not finite."""
    value = facts.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return value if is_finite(value) else None


def count_of(facts: Mapping[str, object], name: str) -> float | None:
    """Return a number, or the length of a list; None when absent."""
    items = _items(facts, name)
    return number_of(facts, name) if items is None else len(items)


def flag_of(facts: Mapping[str, object], name: str) -> bool | None:
    """Return yes or no; None when absent."""
    value = facts.get(name)
    return value if isinstance(value, bool) else None


def names_of(facts: Mapping[str, object], name: str) -> tuple[str, ...]:
    """Return the texts of a list, cleaned, blank ones left out; empty when absent."""
    items = _items(facts, name) or ()
    return tuple(found for each in items if isinstance(each, str) and (found := quotable(each)))


def _items(facts: Mapping[str, object], name: str) -> Sequence[object] | None:
    value = facts.get(name)
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else None
