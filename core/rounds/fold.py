"""How each kind of event changes its round; the ledger finds the round and tells the ancestors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import fold_calls, fold_tools
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
    ToolFinished,
    ToolRefused,
    ToolRequested,
    ToolStarted,
    Unrecognised,
)
from .round import Round
from .round_end import end, reopen


def start(round_: Round, event: RoundStarted) -> None:
    """Take in ``round.started``; a repeated one adds what the first left out."""
    round_.start_seen = True
    round_.started_at = round_.started_at or event.at
    for name in ("thread", "agent", "title", "model", "harness", "limits", "locale", "source"):
        value = getattr(event, name)
        if value is not None:
            setattr(round_, name, value)
    if event.parent is not None and (event.parent.tool_call or round_.parent is None or not round_.parent.tool_call):
        round_.parent = event.parent  # the tool call that started it is not forgotten for a round alone
    if event.silent:
        round_.silent |= frozenset(event.silent)


def _round_output(round_: Round, event: RoundOutput) -> None:
    if event.kind == "reasoning":
        round_.reasoning_chars += max(len(event.text or ""), event.chars or 0)
    elif round_.output.add(event.text, event.chars):
        round_.text_visible = round_.text_after_last_tool = True
        round_.text_from = None
    if not round_.entries or not isinstance(round_.entries[-1], RoundOutput):
        round_.entries.append(event)
    round_.note_step(event.at)


def _iteration(round_: Round, event: IterationCompleted) -> None:
    round_.note_step(event.at)


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
    round_.note_step(event.at)


def _suspended(round_: Round, event: RoundSuspended) -> None:
    round_.entries.append(event)
    if not round_.is_over:
        round_.suspended = event
    round_.note_step(event.at)


def _selection(round_: Round, event: SelectionUnresolved) -> None:
    round_.selection = event
    round_.entries.append(event)


def _no_model(round_: Round, event: NoUsableModel) -> None:
    round_.no_model = event
    round_.entries.append(event)


def _cancel(round_: Round, event: CancelRequested) -> None:
    if not _comes_too_late(round_, event):
        round_.cancels.append(event)
    round_.suspended = None
    round_.entries.append(event)
    round_.note_step(event.at)


def _comes_too_late(round_: Round, event: CancelRequested) -> bool:
    """A stop that was asked for after the end explains nothing about it."""
    ended_before = round_.ended_at is not None and event.at is not None and event.at > round_.ended_at
    return round_.is_over and ended_before


def _stopped(round_: Round, event: RoundStopped) -> None:
    round_.stopped = round_.stopped or event
    reopen(round_)
    round_.entries.append(event)
    end(round_)


def _finished(round_: Round, event: RoundFinished) -> None:
    round_.finished = event if round_.finished is None or event.claimed is not None else round_.finished
    reopen(round_)
    end(round_)


HANDLERS: Mapping[type[Event], Callable[[Round, Any], None]] = {
    RoundStarted: start,
    SelectionUnresolved: _selection,
    NoUsableModel: _no_model,
    CallStarted: fold_calls.started,
    CallOutput: fold_calls.output,
    RoundOutput: _round_output,
    CallUsage: fold_calls.usage,
    CallFinished: fold_calls.finished,
    ToolRequested: fold_tools.requested,
    ToolStarted: fold_tools.started,
    ToolFinished: fold_tools.finished,
    ToolRefused: fold_tools.refused,
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
