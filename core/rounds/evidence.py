"""How sure a Completed is, and whether the platform's own word agrees with what was recorded."""

from __future__ import annotations

from collections.abc import Iterator

from .base import CallOutcome, Silence
from .calls import Call
from .reasons import NATURAL, StopReason
from .round import Round
from .rules import has_partial
from .verdicts import Doubt, Verdict

_DONE_WORDS = frozenset(
    ("completed", "complete", "success", "succeeded", "successful", "ok", "done", "finished", "answered", "end_turn")
)
_NOT_DONE_WORDS = frozenset(
    (
        "error", "failed", "failure", "cancelled", "canceled", "aborted", "interrupted", "truncated", "timeout",
        "timed_out", "stalled", "incomplete", "partial", "max_iterations", "suspended",
    )
)  # fmt: skip


_COMPLETED, _TOOL_USE = CallOutcome.COMPLETED, StopReason.TOOL_USE


def doubts(round_: Round) -> tuple[Doubt, ...]:
    """Return why a round judged Completed is unconfirmed; empty = confirmed (outcomes.md 2.6.8)."""
    found = dict.fromkeys(_of_the_last_call(round_))
    if round_.doubts:
        found.update(dict.fromkeys(doubt for doubt in Doubt if doubt in round_.doubts))
    if Silence.TEXT in round_.silent and not has_partial(round_) and not _counts_tell_of_text(round_):
        found[Doubt.TEXT_NOT_RECORDED] = None
    if round_.tally["implausible"]:
        found[Doubt.USAGE_IMPLAUSIBLE] = None
    return tuple(found)


def _of_the_last_call(round_: Round) -> Iterator[Doubt]:
    last = round_.last_call
    if last is None:
        yield Doubt.NO_CALLS_RECORDED
        return
    reason = last.judged_reason
    if reason in NATURAL:
        if not last.output.visible and last.continuation is None and _is_broken_off(round_.text_from):
            yield Doubt.REASON_CONTRADICTS_CONTENT  # an end without an answer: the text is that of a broken call
        return
    if not last.is_over:
        return  # only inside a gap of our own view, which is a doubt itself
    if reason is None:
        unrecorded = Silence.FINISH_REASON in round_.silent
        yield Doubt.INFERRED if unrecorded else Doubt.FINISH_REASON_NEVER_REPORTED
    elif reason is _TOOL_USE:
        yield Doubt.REASON_CONTRADICTS_CONTENT
    else:
        yield Doubt.UNRECOGNISED_REASON


def _counts_tell_of_text(round_: Round) -> bool:
    """Say whether the last call made more tokens than its reasoning took."""
    if round_.last_call is None:
        return False
    usage = round_.last_call.usage
    return (usage.output_tokens or 0) > (usage.reasoning_tokens or 0)


_WHOLE = NATURAL | {StopReason.TOOL_USE, StopReason.PAUSED, StopReason.UNKNOWN}


def _is_broken_off(call: Call | None) -> bool:
    """Say whether a call's text is a piece that nothing finished: it failed, was cut, or never ended."""
    return call is not None and (call.outcome is not _COMPLETED or call.judged_reason not in _WHOLE)


def claims_completed(status: str) -> bool | None:
    """Say whether a claimed status means *completed*; None for a word we do not know."""
    word = status.strip().lower().replace("-", "_").replace(" ", "_")
    if word in _DONE_WORDS:
        return True
    return False if word in _NOT_DONE_WORDS else None


def contradicts_claim(round_: Round, verdict: Verdict) -> bool:
    """Say whether the platform's claim and the evidence differ about *completed*."""
    if round_.finished is None or round_.finished.claimed is None:
        return False
    claimed = claims_completed(round_.finished.claimed.status)
    return claimed is not None and claimed is not (verdict is Verdict.COMPLETED)
