"""Marks of calls and tool calls, counted per round so that notes and proofs cost O(1) to read."""

from __future__ import annotations

from .base import CallOutcome, RefusedWhy
from .calls import Call
from .reasons import CUT, reported
from .round import Round
from .tool_calls import ToolCall

_BROKEN = frozenset((CallOutcome.FAILED, CallOutcome.STALLED, CallOutcome.BODY_CUT))


_COMPLETED, _OUTPUT_CAP = CallOutcome.COMPLETED, RefusedWhy.OUTPUT_CAP
_NONE: frozenset[str] = frozenset()
_OPEN = frozenset(("open",))
_TOOLS = frozenset(("tools",))
_REPORTED = frozenset(("reported",))


def _call_marks(call: Call) -> frozenset[str]:
    reason = call.stop_reason
    known = _REPORTED if reason is not None or reported(call.finish_reason) is not None else _NONE
    outcome = call.outcome
    if outcome is None:
        return known | _OPEN
    marks = set[str]()
    if outcome in _BROKEN:
        marks.add("broken")
    elif not known and outcome is _COMPLETED:
        marks.add("unreported")
    if reason in CUT:
        marks.add("cut")
    if call.usage_implausible:
        marks.add("implausible")
    return known | marks if marks else known


def _tool_marks(tool: ToolCall) -> frozenset[str]:
    if not tool.counts:
        return _NONE
    marks = set[str]()
    if tool.why is not None:
        marks.add("discarded" if tool.why is _OUTPUT_CAP else "refused")
    elif tool.finished_ok is False:
        marks.add("tool_failed")
    ran = tool.started or tool.finished_ok is True  # answered with an error unstarted: it did not run
    if ran and tool.why is None and not tool.arguments_whole:
        marks.add("incomplete_run")
    return _TOOLS | marks if marks else _TOOLS


def tally_new(round_: Round, call: Call) -> None:
    """Count a call that was just made: it is open, and nothing else is known of it."""
    call.marks = _OPEN
    round_.tally["open"] += 1


def retally(round_: Round, item: Call | ToolCall) -> None:
    """Bring the round's counts up to date after ``item`` changed."""
    marks = _call_marks(item) if isinstance(item, Call) else _tool_marks(item)
    before = item.marks
    if marks == before:
        return
    for mark in before - marks:
        round_.tally[mark] -= 1
    for mark in marks - before:
        round_.tally[mark] += 1
    item.marks = marks


def earlier(round_: Round, mark: str) -> int:
    """Return how many calls before the last one bear ``mark``."""
    last = round_.last_call
    return round_.tally[mark] - (1 if last is not None and mark in last.marks else 0)
