"""Marks of calls and tool calls, counted per round so that notes and proofs cost O(1) to read."""

from __future__ import annotations

from .base import CallOutcome, RefusedWhy
from .calls import Call
from .reasons import reported
from .round import Round
from .tool_calls import ToolCall

_BROKEN = frozenset((CallOutcome.FAILED, CallOutcome.STALLED, CallOutcome.BODY_CUT))


def _call_marks(call: Call) -> frozenset[str]:
    reason_known = reported(call.finish_reason) is not None or call.stop_reason is not None
    marks = {"reported"} if reason_known else set[str]()
    if not call.is_over:
        return frozenset(marks | {"open"})
    if call.outcome in _BROKEN:
        marks.add("broken")
    elif not reason_known and call.outcome is CallOutcome.COMPLETED:
        marks.add("unreported")
    if call.is_cut:
        marks.add("cut")
    if call.usage_implausible:
        marks.add("implausible")
    return frozenset(marks)


def _tool_marks(tool: ToolCall) -> frozenset[str]:
    if not tool.counts:
        return frozenset()
    marks = {"tools"}
    if tool.why is not None:
        marks.add("discarded" if tool.why is RefusedWhy.OUTPUT_CAP else "refused")
    elif tool.finished_ok is False:
        marks.add("tool_failed")
    ran = tool.started or tool.finished_ok is True  # answered with an error unstarted: it did not run
    if ran and tool.why is None and not tool.arguments_whole:
        marks.add("incomplete_run")
    return frozenset(marks)


def retally(round_: Round, item: Call | ToolCall) -> None:
    """Bring the round's counts up to date after ``item`` changed."""
    marks = _call_marks(item) if isinstance(item, Call) else _tool_marks(item)
    if marks == item.marks:
        return
    for mark in item.marks - marks:
        round_.tally[mark] -= 1
    for mark in marks - item.marks:
        round_.tally[mark] += 1
    item.marks = marks


def earlier(round_: Round, mark: str) -> int:
    """Return how many calls before the last one bear ``mark``."""
    last = round_.last_call
    return round_.tally[mark] - (1 if last is not None and mark in last.marks else 0)
