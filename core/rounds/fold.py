"""How each kind of event changes its round; the ledger finds the round and tells the ancestors."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from .base import CancelledBy
from .calls import Call
from .events import (
    CallFinished,
    CallOutput,
    CallStarted,
    CallUsage,
    CancelRequested,
    Event,
    IterationCompleted,
    NoUsableModel,
    RoundFinished,
    RoundOutput,
    RoundPartial,
    RoundResumed,
    RoundStarted,
    RoundStopped,
    RoundSuspended,
    RoundWarning,
    SelectionUnresolved,
    ThreadSupervised,
    ToolFinished,
    ToolRefused,
    ToolRequested,
    ToolStarted,
    Unrecognised,
)
from .marks import retally
from .round import Round
from .tool_calls import ToolCall
from .verdicts import Doubt


def start(round_: Round, event: RoundStarted) -> None:
    """Take in ``round.started``; a repeated one adds what the first left out."""
    round_.start_seen = True
    round_.started_at = round_.started_at or event.at
    for name in ("thread", "agent", "title", "model", "parent", "harness", "limits", "locale"):
        value = getattr(event, name)
        if value is not None:
            setattr(round_, name, value)


def end(round_: Round) -> None:
    """Mark what is still open as over with the round."""
    round_.suspended = None
    round_.ended_at = round_.last_at
    for tool in round_.tool_calls.values():
        tool.round_over = True


def lift_marks(round_: Round) -> None:
    """Take back earlier cancel, stopped and finished marks: the round goes on (outcomes.md R4f).

    They stay in the timeline as history.
    """
    round_.cancels.clear()
    round_.stopped = round_.finished = round_.gave_up = None
    _reopen(round_)
    round_.ended_at = None
    for tool in round_.tool_calls.values():
        tool.round_over = False


def _reopen(round_: Round) -> None:
    """Forget that it was closed from outside: more came, or its real end."""
    round_.closed_why = None
    round_.doubts.discard(Doubt.END_NOT_RECORDED)


def give_up(round_: Round, event: ThreadSupervised) -> None:
    """Take in that the supervisor gave up: the round is over without a ``round.finished``.

    A host's cancel before it is one of the interruptions counted; a user's stays the cause.
    """
    round_.gave_up = event
    round_.cancels[:] = [cancel for cancel in round_.cancels if cancel.by is not CancelledBy.HOST]
    end(round_)


def _call(round_: Round, name: str) -> Call:
    found = round_.calls_by_id.get(name)
    if found is None:
        found = round_.calls_by_id[name] = Call(name)
        round_.calls.append(found)
        round_.entries.append(found)
        retally(round_, found)
    return found


def _call_started(round_: Round, event: CallStarted) -> None:
    is_new = event.call not in round_.calls_by_id
    if is_new and round_.is_over and round_.gave_up is None and is_after_the_end(round_, event):
        lift_marks(round_)
    call = _call(round_, event.call)
    call.start(event)
    if is_new:
        _put_in_order(round_, call)
    if event.continuation is not None and (cut := round_.calls_by_id.get(event.continuation.of)) is not None:
        cut.continued = True
    _step(round_, event)
    retally(round_, call)


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


def is_after_the_end(round_: Round, event: CallStarted | ThreadSupervised) -> bool:
    """Say whether ``event`` reopens an ended round: what happened before the end and is only told late does not."""
    return event.at is None or round_.ended_at is None or event.at >= round_.ended_at


def _call_output(round_: Round, event: CallOutput) -> None:
    call = _call(round_, event.call)
    reasoning_before = call.reasoning.chars
    if call.stream(event):
        round_.text_visible = round_.text_after_last_tool = True
        round_.text_from = call
    round_.reasoning_chars += call.reasoning.chars - reasoning_before
    _step(round_, event)


def _round_output(round_: Round, event: RoundOutput) -> None:
    if event.kind == "reasoning":
        round_.reasoning_chars += max(len(event.text or ""), event.chars or 0)
    elif round_.output.add(event.text, event.chars):
        round_.text_visible = round_.text_after_last_tool = True
        round_.text_from = None
    if not round_.entries or not isinstance(round_.entries[-1], RoundOutput):
        round_.entries.append(event)
    _step(round_, event)


def _call_usage(round_: Round, event: CallUsage) -> None:
    call = _call(round_, event.call)
    call.report(event)
    _step(round_, event)
    retally(round_, call)


def _call_finished(round_: Round, event: CallFinished) -> None:
    call = _call(round_, event.call)
    call.finish(event)
    _step(round_, event)
    retally(round_, call)
    for tool in call.tool_calls:
        _settle(tool, call)
        retally(round_, tool)


def _tool(round_: Round, call: str | None, name: str) -> ToolCall:
    """The tool call meant: of the named call, else of the newest call that requested that id."""
    known = round_.tool_calls.get((call, name)) if call is not None else round_.tools_by_id.get(name)
    if known is None and call is not None:
        unowned = round_.tool_calls.get((None, name))
        known = unowned if unowned is not None and not unowned.name else None
    return known if known is not None else _new_tool(round_, call, name)


def _new_tool(round_: Round, call: str | None, name: str) -> ToolCall:
    tool = ToolCall(call, name, round_over=round_.is_over)
    if call is not None:
        asking = _call(round_, call)
        asking.tool_calls.append(tool)
        _settle(tool, asking)
    round_.tool_calls[call, name] = round_.tools_by_id[name] = tool
    round_.open_tools[call, name] = tool
    round_.entries.append(tool)
    retally(round_, tool)
    return tool


def _settle(tool: ToolCall, asking: Call) -> None:
    """Tell a tool call how the response that asked for it stands."""
    tool.response_over, tool.response_cut = asking.is_over, asking.is_cut


def _tool_requested(round_: Round, event: ToolRequested) -> None:
    tool = round_.tool_calls.get((event.call, event.tool_call))
    if tool is None:
        tool = _new_tool(round_, event.call, event.tool_call)
    tool.name = event.name
    tool.add_arguments(event.arguments)
    tool.complete = event.complete if event.complete is not None else tool.complete
    tool.server = bool(event.server) or tool.server
    tool.id_given = tool.id_given if event.id_given is None else event.id_given
    tool.requested_at = tool.requested_at or event.at
    if tool.call is not None:
        round_.calls_by_id[tool.call].output_seen = True
    if not tool.counts:
        round_.open_tools.pop((tool.call, tool.id), None)
    elif not tool.answered:
        round_.open_tools.setdefault((tool.call, tool.id), tool)
    _step(round_, event)
    retally(round_, tool)


def _tool_started(round_: Round, event: ToolStarted) -> None:
    tool = _tool(round_, event.call, event.tool_call)
    tool.started = True
    tool.early = event.early if event.early is not None else tool.early
    tool.started_at = tool.started_at or event.at
    _step(round_, event)
    retally(round_, tool)


def _tool_finished(round_: Round, event: ToolFinished) -> None:
    tool = _tool(round_, event.call, event.tool_call)
    _answer(round_, tool)
    tool.finished_ok = event.ok
    tool.duration_ms = event.duration_ms if event.duration_ms is not None else tool.duration_ms
    tool.preview = event.preview or tool.preview
    tool.error = event.error or tool.error
    tool.finished_at = tool.finished_at or event.at
    _step(round_, event)
    retally(round_, tool)


def _tool_refused(round_: Round, event: ToolRefused) -> None:
    tool = _tool(round_, event.call, event.tool_call)
    _answer(round_, tool)
    tool.why = event.why
    tool.message = event.message
    tool.early = event.started_early if event.started_early is not None else tool.early
    tool.finished_at = tool.finished_at or event.at
    _step(round_, event)
    retally(round_, tool)


def _answer(round_: Round, tool: ToolCall) -> None:
    """The first answer of a client tool starts the count of what is written after the last one."""
    if not tool.server and not tool.answered:
        round_.text_after_last_tool = False
    round_.open_tools.pop((tool.call, tool.id), None)


def _iteration(round_: Round, event: IterationCompleted) -> None:
    _step(round_, event)


def _shown(round_: Round, event: RoundWarning | RoundPartial | RoundResumed | Unrecognised) -> None:
    round_.entries.append(event)
    match event:
        case RoundPartial():
            round_.partials.append(event)
        case RoundResumed():
            round_.suspended = None
        case Unrecognised():
            round_.tally["unknown"] += 1
        case RoundWarning():
            pass
    _step(round_, event)


def _suspended(round_: Round, event: RoundSuspended) -> None:
    round_.entries.append(event)
    if not round_.is_over:
        round_.suspended = event
    _step(round_, event)


def _selection(round_: Round, event: SelectionUnresolved) -> None:
    round_.selection = event
    round_.entries.append(event)


def _no_model(round_: Round, event: NoUsableModel) -> None:
    round_.no_model = event
    round_.entries.append(event)


def _cancel(round_: Round, event: CancelRequested) -> None:
    round_.cancels.append(event)
    round_.suspended = None
    round_.entries.append(event)
    _step(round_, event)


def _stopped(round_: Round, event: RoundStopped) -> None:
    round_.stopped = round_.stopped or event
    _reopen(round_)
    round_.entries.append(event)
    end(round_)


def _finished(round_: Round, event: RoundFinished) -> None:
    round_.finished = event if round_.finished is None or event.claimed is not None else round_.finished
    _reopen(round_)
    end(round_)


def _step(round_: Round, event: Event) -> None:
    if event.at is not None and (round_.last_step_at is None or event.at > round_.last_step_at):
        round_.last_step_at = event.at


HANDLERS: Mapping[type[Event], Callable[[Round, Any], None]] = {
    RoundStarted: start,
    SelectionUnresolved: _selection,
    NoUsableModel: _no_model,
    CallStarted: _call_started,
    CallOutput: _call_output,
    RoundOutput: _round_output,
    CallUsage: _call_usage,
    CallFinished: _call_finished,
    ToolRequested: _tool_requested,
    ToolStarted: _tool_started,
    ToolFinished: _tool_finished,
    ToolRefused: _tool_refused,
    IterationCompleted: _iteration,
    RoundWarning: _shown,
    RoundPartial: _shown,
    RoundSuspended: _suspended,
    RoundResumed: _shown,
    CancelRequested: _cancel,
    RoundStopped: _stopped,
    RoundFinished: _finished,
    Unrecognised: _shown,
}
"""One row per event type; a test holds it complete. ``thread.supervised`` is the ledger's own."""
