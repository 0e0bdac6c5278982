"""Looking into decoded JSON that may have any shape."""

from __future__ import annotations

from typing import Any, TypeGuard

Path = tuple[str, ...]
"""Keys from an object down to a value."""


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Say whether a decoded value is a JSON object; its keys are strings then."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Say whether a decoded value is a JSON array."""
    return isinstance(value, list)


def text_of(value: object) -> str:
    """Return a string; empty for anything else."""
    return value if isinstance(value, str) else ""


def at_path(value: object, path: Path) -> Any:
    """Return what stands under ``path``; None where a step is missing."""
    for key in path:
        if not is_object(value):
            return None
        value = value.get(key)
    return value
