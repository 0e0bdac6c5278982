"""Results that say a tool did not run, or that it failed: on most wires only their texts tell."""

from __future__ import annotations

import json
import re

from ..rounds.base import RefusedWhy
from ..wire.shapes import is_object

LOOKED_AT = 2000
"""Characters at the beginning of a result that are looked at."""

_REFUSALS: tuple[tuple[RefusedWhy, re.Pattern[str]], ...] = (
    # Claude Code, when its user says no, and when its user interrupts
    (RefusedWhy.INTERRUPTED, re.compile(r"^\[Request interrupted by user")),
    (
        RefusedWhy.PERMISSION,
        re.compile(
            r"^(?:The user doesn't want to (?:proceed with|take) this|User rejected|Permission to use .{1,200}denied)"
        ),
    ),
    # Codex: its user, its sandbox
    (RefusedWhy.PERMISSION, re.compile(r"^(?:exec command )?rejected by user|^sandbox denied", re.IGNORECASE)),
    (RefusedWhy.INTERRUPTED, re.compile(r"^aborted by user|^aborted$", re.IGNORECASE)),
    # Gemini CLI: its user says no, its user interrupts
    (RefusedWhy.PERMISSION, re.compile(r"^\[Operation Cancelled\] Reason: User did not allow")),
    (RefusedWhy.INTERRUPTED, re.compile(r"^\[Operation Cancelled\] Reason: User cancelled")),
    # agent frameworks, for a name that is none of their tools
    (RefusedWhy.UNKNOWN_TOOL, re.compile(r"^(?:<tool_use_error>)?(?:Error: )?No such tool available", re.IGNORECASE)),
    # our own runner, and others that answer a cut response
    (RefusedWhy.OUTPUT_CAP, re.compile(r"max_tokens.{0,400}(?:discarded|not run|cut)", re.IGNORECASE | re.DOTALL)),
)
_FAILURE = re.compile(r"^[\[(<*]{0,3}(?:error|exception|traceback)\b", re.IGNORECASE)


def refusal(text: str, *, is_error: bool | None) -> RefusedWhy | None:
    """Return who or what refused the call, if its result says that it was refused.

    Args:
        is_error: the wire's own flag; a result that it calls good is no refusal. None: the wire has no such flag.
    """
    if is_error is False:
        return None
    beginning = text.lstrip()[:LOOKED_AT]
    for why, pattern in _REFUSALS:
        if why is RefusedWhy.OUTPUT_CAP and is_error is None and not _FAILURE.search(beginning):
            continue  # a tool may well read a text about max_tokens
        if pattern.search(beginning):
            return why
    return None


def looks_failed(text: str) -> bool:
    """Say whether a result on a wire without an error flag tells of a failure, by how it begins."""
    beginning = text.lstrip()[:LOOKED_AT]
    if _FAILURE.search(beginning):
        return True
    if not beginning.startswith("{") or len(text) > LOOKED_AT:
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return is_object(value) and bool(value.get("error"))
