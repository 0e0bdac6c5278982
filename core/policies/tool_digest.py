"""One line for a tool call of a recovered trace: its name and the beginning of its arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

MAX_ARGUMENTS = 6
MAX_ARGUMENT_CHARS = 120
"""Per name and per value, the ellipsis of a cut one included."""
UNNAMED = "(unnamed tool)"


def tool_line(block: Mapping[Any, object]) -> str:
    """Return the digest of a ``tool_call`` block, always one line; arguments are read under ``input`` only.

    Arguments that say nothing (null, false, empty) are left out and do not count; a 0 says something.
    """
    name, given = block.get("name"), block.get("input")
    nothing: Mapping[object, object] = {}
    arguments = cast("Mapping[object, object]", given) if isinstance(given, Mapping) else nothing
    telling = [(str(key), value) for key, value in arguments.items() if not _is_empty(value)]
    shown = [f"{_one_line(key)}={_value(value)}" for key, value in telling[:MAX_ARGUMENTS]]
    if len(telling) > MAX_ARGUMENTS:
        shown.append(f"… {len(telling) - MAX_ARGUMENTS} more")
    called = _one_line(name) if isinstance(name, str) and name.strip() else UNNAMED
    return f"{called}({', '.join(shown)})"


def _is_empty(value: object) -> bool:
    return value is None or value is False or (isinstance(value, (str, list, tuple, dict)) and not value)


def _value(value: object) -> str:
    if isinstance(value, str):
        return _one_line(value)
    try:
        return _one_line(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return f"({type(value).__name__})"


def _one_line(text: str) -> str:
    """Return the beginning of ``text`` on one line: an argument must not look like the next line of the trace."""
    begin = " ".join(text[: 4 * MAX_ARGUMENT_CHARS].split())
    short = len(begin) > MAX_ARGUMENT_CHARS or len(text) > 4 * MAX_ARGUMENT_CHARS
    return begin[: MAX_ARGUMENT_CHARS - 1] + "…" if short else begin
