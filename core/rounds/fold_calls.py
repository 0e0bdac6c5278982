"""How the events of a model call change its round."""

from __future__ import annotations

from bisect import bisect_right
from datetime import UTC, datetime
from operator import itemgetter

from .base import OutputKind
from .calls import Call
from .events import CallFinished, CallOutput, CallStarted, CallUsage
from .marks import retally, tally_new
from .round import Round
from .round_end import goes_on_with, lift_marks
from .tool_calls import ToolCall


def settle(tool: ToolCall, asking: Call) -> None:
    """Tell a tool call how the response that asked for it stands."""
    tool.response_over, tool.response_cut = asking.is_over, asking.is_cut


def call_of(round_: Round, name: str) -> Call:
    """Return the call of that name, made at its first mention."""
    found = round_.calls_by_id.get(name)
    if found is None:
        found = round_.calls_by_id[name] = Call(name)
        round_.calls.append(found)
        round_.entries.append(found)
        tally_new(round_, found)
    return found


def started(round_: Round, event: CallStarted) -> None:
    """Take in ``call.started``; a new call after the end reopens the round."""
    is_new = event.call not in round_.calls_by_id
    if is_new and goes_on_with(round_, event):
        lift_marks(round_)
    call = call_of(round_, event.call)
    call.start(event)
    if is_new:
        _put_in_order(round_, call)
    else:
        retally(round_, call)
    if event.continuation is not None and (cut := round_.calls_by_id.get(event.continuation.of)) is not None:
        cut.continued = True
    round_.note_step(event.at)


_NO_MOMENT = datetime.min.replace(tzinfo=UTC)


def _put_in_order(round_: Round, call: Call) -> None:
    """Move the newest ledger entry to where its start belongs: told late, it is not the last call."""
    before = round_.calls[-2].started_at if len(round_.calls) > 1 else None
    if call.started_at is None or before is None or before <= call.started_at:
        return
    last = round_.calls[-2]
    round_.calls.pop()
    place = bisect_right(round_.calls, call.started_at, key=lambda known: known.started_at or _NO_MOMENT)
    round_.calls.insert(place, call)
    retally(round_, last)


_OUTPUT_FIELDS = itemgetter("call", "kind", "text", "chars", "choice", "at")
"""All in one go: three of four events are pieces of output, and each attribute of a model costs a look-up in Python."""
_REASONING = OutputKind.REASONING


def output(round_: Round, event: CallOutput) -> None:
    """Take in ``call.output``."""
    name, kind, text, chars, choice, at = _OUTPUT_FIELDS(event.__dict__)
    call = round_.calls_by_id.get(name) or call_of(round_, name)
    if kind is _REASONING:
        before = call.reasoning.chars
        call.take(kind, text, chars, choice, at)
        round_.reasoning_chars += call.reasoning.chars - before
    elif call.take(kind, text, chars, choice, at):
        round_.text_visible = round_.text_after_last_tool = True
        if round_.text_from is not call:
            round_.text_from = _later(round_.text_from, call)
    round_.note_step(at)


def _later(before: Call | None, call: Call) -> Call:
    """Return the one that began later; what is told late was not written last."""
    if before is None or before.started_at is None or call.started_at is None:
        return call
    return before if before.started_at > call.started_at else call


def usage(round_: Round, event: CallUsage) -> None:
    """Take in ``call.usage``."""
    call = call_of(round_, event.call)
    call.report(event)
    round_.note_step(event.at)
    if call.is_over:  # of an open call no mark depends on its counts
        retally(round_, call)


def finished(round_: Round, event: CallFinished) -> None:
    """Take in ``call.finished``, and tell the response's tool calls."""
    call = call_of(round_, event.call)
    call.finish(event)
    round_.note_step(event.at)
    retally(round_, call)
    if call.tool_calls:
        cut = call.is_cut
        for tool in call.tool_calls:
            tool.response_over, tool.response_cut = True, cut
            retally(round_, tool)
