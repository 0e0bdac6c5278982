"""The end of a round: what closes it, and what takes an end back."""

from __future__ import annotations

from .base import CancelledBy, StoppedWhy
from .events import CallStarted, ThreadSupervised
from .round import Round
from .verdicts import Doubt

LIMITS = frozenset((StoppedWhy.ITERATIONS, StoppedWhy.TOKENS, StoppedWhy.COST, StoppedWhy.WALL_CLOCK))
"""Stops after which one more call may write a summary; the limit was reached all the same (outcomes.md 2.6.15)."""


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
    round_.summary_call = None
    reopen(round_)
    round_.ended_at = None
    for tool in round_.tool_calls.values():
        tool.round_over = False


def reopen(round_: Round) -> None:
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


def goes_on_with(round_: Round, event: CallStarted) -> bool:
    """Say whether a new call reopens an ended round.

    The first call after a limit is its forced summary and leaves the end as it is; a giving up stays.
    """
    if not round_.is_over or round_.gave_up is not None or not is_after_the_end(round_, event):
        return False
    if round_.stopped is None or round_.stopped.why not in LIMITS or round_.summary_call:
        return True
    round_.summary_call = event.call
    return False


def is_after_the_end(round_: Round, event: CallStarted | ThreadSupervised) -> bool:
    """Say whether ``event`` reopens an ended round: what happened before the end and is only told late does not."""
    return event.at is None or round_.ended_at is None or event.at >= round_.ended_at
