"""A span without what nobody reads: one that waits for its parents is held in memory and on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...wire.shapes import is_list, is_object
from ..key_shapes import without_keys
from .names import INDEXED_INPUT, INDEXED_OUTPUT, NAMES, Fact
from .span import Attributes, Span, value

READ = frozenset(name for names in NAMES.values() for name in names) - frozenset(NAMES[Fact.INPUT_MESSAGES])
IDS = frozenset((*NAMES[Fact.CONVERSATION], *NAMES[Fact.TOOL_CALL]))
"""They link events and stay as they are."""
INPUT = NAMES[Fact.INPUT_MESSAGES][0]
ITEM_BYTES = 60
"""What a small value takes in memory, more or less."""


def slim(span: Span) -> Span:
    """Return a span with only those attributes that are read, and without keys in them.

    What a model was given is never told, only that it was recorded.
    """
    kept = {
        name: found if name in IDS else _clean(found)
        for name, found in span.attributes.items()
        if name in READ or name.startswith(INDEXED_OUTPUT)
    }
    if _has_input(span.attributes):
        kept[INPUT] = True
    return replace(span, attributes=kept, message=without_keys(span.message))


def weight(span: Span) -> int:
    """Return about how many bytes a span takes."""
    return 8 * ITEM_BYTES + len(span.name) + len(span.message) + _weight(span.attributes)


def _has_input(attributes: Attributes) -> bool:
    return value(attributes, Fact.INPUT_MESSAGES) is not None or any(
        name.startswith(INDEXED_INPUT) and name.endswith("content") for name in attributes
    )


def _clean(found: Any) -> Any:
    if isinstance(found, str):
        return without_keys(found)
    if is_list(found):
        return [_clean(each) for each in found]
    if is_object(found):
        return {name: _clean(each) for name, each in found.items()}
    return found


def _weight(found: Any) -> int:
    if isinstance(found, str):
        return ITEM_BYTES + len(found)
    if is_list(found):
        return ITEM_BYTES + sum(_weight(each) for each in found)
    if isinstance(found, Mapping):
        return ITEM_BYTES + sum(ITEM_BYTES + len(name) + _weight(each) for name, each in found.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return ITEM_BYTES
