"""The 25 verdicts and what follows from each: status, completion reason, what a parent hears."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What a round IS: one value, decided by the ordered table in ``rules``."""

    COMPLETED = "completed"
    CANCELLED = "cancelled"
    SELECTION_UNRESOLVED = "selection_unresolved"
    NO_USABLE_MODEL = "no_usable_model"
    PROVIDER_STALLED = "provider_stalled"
    RESPONSE_BODY_CUT = "response_body_cut"
    PROVIDER_ERROR = "provider_error"
    ROUND_TIMED_OUT = "round_timed_out"
    FAULTED = "faulted"
    SUPERVISOR_GAVE_UP = "supervisor_gave_up"
    STALLED_ITERATIONS = "stalled_iterations"
    MAX_ITERATIONS = "max_iterations"
    TOKEN_BUDGET = "token_budget"
    COST_BUDGET = "cost_budget"
    WALL_CLOCK = "wall_clock"
    UNFINISHED_TOOL_CALL = "unfinished_tool_call"
    OUTPUT_CAP_REACHED = "output_cap_reached"
    CONTEXT_WINDOW_EXCEEDED = "context_window_exceeded"
    CONTENT_FILTERED = "content_filtered"
    TURN_PAUSED = "turn_paused"
    STREAM_ENDED_WITHOUT_FINISH = "stream_ended_without_finish"
    NO_OUTPUT = "no_output"
    NO_FINAL_ANSWER = "no_final_answer"
    SUSPENDED = "suspended"
    RUNNING = "running"


class TerminalStatus(StrEnum):
    """The state of the record; a round that is not over has none."""

    COMPLETED = "completed"
    CANCELLED = "cancelled"
    ERROR = "error"


class CompletionReason(StrEnum):
    """Why the loop ended."""

    COMPLETED = "completed"
    MAX_ITERATIONS = "max_iterations"
    TOKEN_BUDGET_EXCEEDED = "token_budget_exceeded"
    COST_BUDGET_EXCEEDED = "cost_budget_exceeded"
    WALL_CLOCK_EXCEEDED = "wall_clock_exceeded"
    ABORTED = "aborted"
    INTERRUPTED = "interrupted"
    SUSPENDED = "suspended"
    TRUNCATED = "truncated"
    ERROR = "error"


class ParentOutcome(StrEnum):
    """The one word a parent hears."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    FAILED = "failed"


class Evidence(StrEnum):
    """How sure a Completed is; None for every other verdict."""

    CONFIRMED = "confirmed"
    UNCONFIRMED = "unconfirmed"


class Doubt(StrEnum):
    """Why a Completed is unconfirmed (outcomes.md 2.6.8)."""

    FINISH_REASON_NEVER_REPORTED = "finish_reason_never_reported"
    UNRECOGNISED_REASON = "unrecognised_reason"
    REASON_CONTRADICTS_CONTENT = "reason_contradicts_content"
    NO_CALLS_RECORDED = "no_calls_recorded"
    INFERRED = "inferred"
    TEXT_NOT_RECORDED = "text_not_recorded"
    END_NOT_RECORDED = "end_not_recorded"
    FEED_GAP = "feed_gap"
    USAGE_IMPLAUSIBLE = "usage_implausible"


class StoppedBy(StrEnum):
    """Who cancelled a round."""

    USER = "user"
    HOST = "host"
    PROVIDER = "provider"
    NOT_RECORDED = "not_recorded"


@dataclass(frozen=True, slots=True)
class Standing:
    """What follows from a verdict alone."""

    status: TerminalStatus | None
    completion_reason: CompletionReason | None
    is_success: bool = False
    parent_outcome: ParentOutcome | None = ParentOutcome.FAILED


_ERROR = Standing(TerminalStatus.ERROR, CompletionReason.ERROR)
_OPEN = Standing(None, None, parent_outcome=None)

STANDINGS: Mapping[Verdict, Standing] = dict.fromkeys(Verdict, _ERROR) | {
    Verdict.COMPLETED: Standing(
        TerminalStatus.COMPLETED, CompletionReason.COMPLETED, is_success=True, parent_outcome=ParentOutcome.ANSWERED
    ),
    Verdict.CANCELLED: Standing(TerminalStatus.CANCELLED, CompletionReason.ABORTED),
    Verdict.ROUND_TIMED_OUT: Standing(TerminalStatus.ERROR, CompletionReason.WALL_CLOCK_EXCEEDED),
    Verdict.MAX_ITERATIONS: Standing(TerminalStatus.ERROR, CompletionReason.MAX_ITERATIONS),
    Verdict.TOKEN_BUDGET: Standing(TerminalStatus.ERROR, CompletionReason.TOKEN_BUDGET_EXCEEDED),
    Verdict.COST_BUDGET: Standing(TerminalStatus.ERROR, CompletionReason.COST_BUDGET_EXCEEDED),
    Verdict.WALL_CLOCK: Standing(TerminalStatus.ERROR, CompletionReason.WALL_CLOCK_EXCEEDED),
    Verdict.SUSPENDED: Standing(None, CompletionReason.SUSPENDED, parent_outcome=None),
    Verdict.RUNNING: _OPEN,
}
"""outcomes.md 2.3; CANCELLED and the two cuts depend on the round, see ``standing``."""

_TRUNCATED = Standing(
    TerminalStatus.ERROR, CompletionReason.TRUNCATED, is_success=True, parent_outcome=ParentOutcome.PARTIAL
)
CUT_VERDICTS = frozenset((Verdict.OUTPUT_CAP_REACHED, Verdict.CONTEXT_WINDOW_EXCEEDED))
"""Verdicts whose text, if there is any, is handed over as a partial answer with the truncation marker."""

TRUNCATION_MARKER = "\n\n[System: response truncated at max_tokens]"
"""Fixed suffix of a cut answer in results and transcripts; never counted as text (outcomes.md 4)."""


def standing(verdict: Verdict, *, has_partial: bool = False, stopped_by: StoppedBy | None = None) -> Standing:
    """Return what follows from ``verdict``.

    Args:
        has_partial: answer text after the last tool result has a visible character; matters for a cut.
        stopped_by: who cancelled; a user's stop is INTERRUPTED, every other ABORTED.
    """
    if verdict in CUT_VERDICTS and has_partial:
        return _TRUNCATED
    if verdict is Verdict.CANCELLED and stopped_by is StoppedBy.USER:
        return Standing(TerminalStatus.CANCELLED, CompletionReason.INTERRUPTED)
    return STANDINGS[verdict]
