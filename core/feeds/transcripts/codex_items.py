"""What Codex's items say: how a tool call came out, and which texts are prompts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pydantic_core import from_json

from ...rounds.base import RefusedWhy
from .fields import Object, count_of, duration_of, object_of, texts_of, word_of

_HARNESS = (
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<skill>",
    "<skills_instructions>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<hook_prompt",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
)
"""How user messages begin that the harness writes."""
ABORTED = "<turn_aborted>"
_REQUEST = "## My request for Codex:"
"""Stands before what the user wrote, behind what an editor added."""


def is_prompt(text: str) -> bool:
    """Return whether a user message was written by a user."""
    start = text[:200].lstrip()
    return bool(start) and not start.startswith(_HARNESS)


def asked(text: str) -> str:
    """Return what a prompt asks, for a title."""
    before, mark, request = text[:20_000].partition(_REQUEST)
    return request if mark else before


@dataclass(frozen=True, slots=True)
class Result:
    """How a tool call came out."""

    text: str
    ok: bool | None = None
    """None: nothing says so."""
    why: RefusedWhy | None = None
    """Set when it was refused."""
    duration_ms: float | None = None


_ABORTED = re.compile(r"aborted(?: by user|\s*$)")
_REJECTED = re.compile(
    r"(?:(?:exec command|command|patch|tool call|request) )?(?:was )?(?:rejected|declined|denied) by (?:the )?user\b"
    r"|user (?:rejected|declined|cancelled) "
    r"|.{0,120}rejected by user approval settings"
)
_BLOCKED = re.compile(
    r"(?:failed in sandbox|(?:execution error: )?sandbox denied|rejected: |.{0,200}\brejected: blocked by policy)"
)
_REFUSING = ("rejected", "declined", "denied", "cancelled", "sandbox")
"""One of these stands in every text that the two patterns above match: most outputs hold none."""
_FAILED = re.compile(
    r"(?:tool call error:|execution error:|error:|Error:|failed |exec_command failed|apply_patch verification)"
)
_EXIT = re.compile(r"(?:^|\n)(?:Exit code: |Process exited with code )(-?\d{1,6})\b")
_WALL = re.compile(r"(?:^|\n)Wall time: (\d{1,9}(?:\.\d{1,9})?) seconds")
HEAD_CHARS = 600
"""How far into a tool's output Codex's own words can stand; what a tool wrote comes behind them."""


def result_of(output: object) -> Result:
    """Return what the output of a tool call says."""
    fields = object_of(output)
    text = texts_of(fields.get("content") if fields else output)
    success = fields.get("success")
    known = success if isinstance(success, bool) else None
    if text.startswith("{") and (found := _with_metadata(text)) is not None:
        return found
    head = text[:HEAD_CHARS]
    exit_code = _EXIT.search(head) if " code" in head else None  # looking for a plain word first: a tenth of its time
    wall = _WALL.search(head) if "Wall time: " in head else None
    took = float(wall[1]) * 1000 if wall is not None else None
    if exit_code is not None:
        return Result(text, int(exit_code[1]) == 0, None, took)
    why = refused_why(head)
    if why is not None:
        return Result(text, False, why)
    if known is None and _FAILED.match(head):
        known = False
    return Result(text, known, None, took)


def refused_why(text: str) -> RefusedWhy | None:
    """Return why Codex turned a tool call down, by the words it answers the model with."""
    if text.startswith("aborted") and _ABORTED.match(text):
        return RefusedWhy.INTERRUPTED
    if any(word in text for word in _REFUSING):
        if _BLOCKED.match(text):
            return RefusedWhy.POLICY
        if _REJECTED.match(text):
            return RefusedWhy.POLICY if "approval settings" in text else RefusedWhy.PERMISSION
    return RefusedWhy.UNKNOWN_TOOL if text.startswith("unsupported call: ") else None


def _with_metadata(text: str) -> Result | None:
    """Return what the older form says: an object with the output and the exit code."""
    try:
        fields = object_of(from_json(text))
    except ValueError:
        return None
    metadata = object_of(fields.get("metadata"))
    exit_code = metadata.get("exit_code")
    if not isinstance(exit_code, int):
        return None
    said = texts_of(fields.get("output"))
    took = duration_of(metadata.get("duration_seconds"))
    return Result(said, exit_code == 0, None, took * 1000 if took is not None else None)


def ended(payload: Object) -> Result:
    """Return what an event about the end of a tool call says (command, patch, tool of an MCP server)."""
    output = payload.get("aggregated_output") or payload.get("formatted_output") or payload.get("stdout")
    text = output if isinstance(output, str) else ""
    ok: bool | None = None
    result = payload.get("result")
    outcome = object_of(result)
    if "Err" in outcome:
        ok, text = False, text or str(outcome["Err"])
    elif "Ok" in outcome:
        done = object_of(outcome["Ok"])
        ok = not (done.get("is_error") is True or done.get("isError") is True)
        text = text or texts_of(done.get("content"))
    if isinstance(success := payload.get("success"), bool):
        ok = success
    if isinstance(code := payload.get("exit_code"), int):
        ok = code == 0
    status = word_of(payload.get("status"))
    if status == "declined":
        return Result(text or status, False, RefusedWhy.PERMISSION)
    if ok is None and status in ("failed", "completed"):
        ok = status == "completed"
    if ok is False:
        text = text or texts_of(payload.get("stderr"))
    return Result(text, ok, None, took_ms(payload.get("duration")))


def spawned_thread(text: str) -> str | None:
    """Return the session that a call for a sub-agent started, as its output names it."""
    try:
        fields = object_of(from_json(text))
    except ValueError:
        return None
    return next(
        (name for key in ("agent_id", "thread_id", "new_thread_id") if (name := word_of(fields.get(key)))), None
    )


def took_ms(duration: object) -> float | None:
    """Return a duration in ms that is written in seconds and nanoseconds."""
    fields = object_of(duration)
    seconds, nanos = count_of(fields.get("secs")), count_of(fields.get("nanos"))
    if seconds is None:
        return None
    return seconds * 1000 + (nanos or 0) / 1_000_000
