"""Whether a cut call is continued, what the continuing request adds, and how both calls look from above as one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from ..rounds.base import USAGE_FIELDS, CallOutcome, ContinuationKind, OutputKind, Usage
from ..rounds.reasons import StopReason

CONTINUATIONS_PER_CALL = 1
"""Default budget: a cut call is continued once. 0 turns continuing off; one number serves both kinds."""

SAFE_TO_CONTINUE = frozenset((OutputKind.TEXT, OutputKind.REASONING, OutputKind.USAGE))
"""A whitelist: a call that streamed anything else, a kind nobody knows included, is not continued."""

PROMPTS: Mapping[ContinuationKind, str] = {
    ContinuationKind.OUTPUT_CAP: (
        "Your answer was cut off when it reached its output limit. Carry on exactly where it broke off. "
        "Do not repeat what is already there and do not comment on the cut."
    ),
    ContinuationKind.STREAM_ENDED: (
        "The connection ended early, before your answer was complete. Carry on exactly where it broke off. "
        "Do not repeat what is already there and do not comment on the interruption."
    ),
}
"""What the added user turn says. A broken stream knows nothing of a limit, so its prompt names none."""


class ContinueWhy(StrEnum):
    """Why a call is continued, or why not."""

    CUT = "cut"
    """It is continued."""
    NOT_COMPLETED = "not_completed"
    """The transfer itself failed: stall guard and retry own that."""
    NOT_CUT = "not_cut"
    """The provider reported an end that is no cut at the output limit."""
    UNSAFE_CONTENT = "unsafe_content"
    """A tool call, or a kind of content nobody knows, streamed."""
    NO_PROOF = "no_proof"
    """No finish reason came, and this client has never seen one: its provider may simply send none."""
    BUDGET_SPENT = "budget_spent"
    """Continuing is off, or this call has been continued as often as allowed."""
    CONTEXT_WINDOW = "context_window"
    """The window is full, or would overflow."""


@dataclass(frozen=True, slots=True)
class WindowUse:
    """What the continuing request would need of the context window; tokens, None = not known."""

    context_window: int | None = None
    input_tokens: int | None = None
    partial_tokens: int | None = None
    prompt_tokens: int | None = None
    max_output_tokens: int | None = None

    @property
    def overflows(self) -> bool:
        """Whether the parts that are known exceed the window; an unknown window never overflows."""
        parts = (self.input_tokens, self.partial_tokens, self.prompt_tokens, self.max_output_tokens)
        return self.context_window is not None and sum(part or 0 for part in parts) > self.context_window


@dataclass(frozen=True, slots=True)
class ContinueDecision:
    """Whether to continue: the kind of continuation, or None, and why."""

    kind: ContinuationKind | None
    why: ContinueWhy


def may_continue(
    outcome: CallOutcome | None,
    reason: StopReason | None,
    streamed: Collection[str],
    *,
    provider_proved: bool,
    used: int = 0,
    budget: int = CONTINUATIONS_PER_CALL,
    window: WindowUse | None = None,
) -> ContinueDecision:
    """Decide whether a call that is over is continued.

    Args:
        outcome: how the transfer ended.
        reason: the neutral stop reason; None = none was reported.
        streamed: the kinds of content that came.
        provider_proved: an earlier call of this client, of whatever round, reported a finish reason. Asked only
            when this one reported none: ``length`` is itself a report.
        used: how often this call has been continued already.
        budget: how often it may be, both kinds together.
        window: None = not known, which allows.

    Source:
        outcomes.md 3.
    """
    refused = (
        _why_not_cut(outcome, reason)
        or (None if SAFE_TO_CONTINUE.issuperset(streamed) else ContinueWhy.UNSAFE_CONTENT)
        or (ContinueWhy.NO_PROOF if reason is None and not provider_proved else None)
        or (ContinueWhy.BUDGET_SPENT if used >= budget else None)
        or (ContinueWhy.CONTEXT_WINDOW if window is not None and window.overflows else None)
    )
    if refused is not None:
        return ContinueDecision(None, refused)
    kind = ContinuationKind.STREAM_ENDED if reason is None else ContinuationKind.OUTPUT_CAP
    return ContinueDecision(kind, ContinueWhy.CUT)


def _why_not_cut(outcome: CallOutcome | None, reason: StopReason | None) -> ContinueWhy | None:
    if outcome is not CallOutcome.COMPLETED:
        return ContinueWhy.NOT_COMPLETED
    if reason is StopReason.CONTEXT_WINDOW:
        return ContinueWhy.CONTEXT_WINDOW
    return None if reason in (None, StopReason.OUTPUT_CAP) else ContinueWhy.NOT_CUT


@dataclass(frozen=True, slots=True)
class Turn:
    """One message that the continuing request adds behind those of the cut one."""

    role: Literal["assistant", "user"]
    text: str


def continuation_turns(kind: ContinuationKind, partial_text: str) -> tuple[Turn, ...]:
    """Return the turns to append to the same request; nothing else of it changes, its output cap neither.

    Text without a visible character (the cap came while the model was still reasoning) gives no assistant turn:
    an empty one is refused by some wires. Reasoning is never replayed as text.
    """
    asked = Turn("user", PROMPTS[kind])
    return (Turn("assistant", partial_text), asked) if partial_text.strip() else (asked,)


@dataclass(frozen=True, slots=True)
class CallResult:
    """What the loop is told of one call, or of a call and its continuations as if they were one."""

    message_id: str | None
    text: str
    finish_reason: str | None
    """Wire value; None = not reported."""
    usage: Usage
    max_output_tokens: int | None = None
    usage_partial: bool = False
    """A count is summed although one of the calls did not report it: the true sum is higher."""


def as_one(cut: CallResult, continued: CallResult) -> CallResult:
    """Return a cut call and its continuation as the one call that the loop sees.

    The first call's message id stays, so nobody sees two assistant messages; only the last finish reason is
    visible, so no cut that was continued reaches the loop; text is joined and usage added up.
    """
    return CallResult(
        message_id=cut.message_id,
        text=cut.text + continued.text,
        finish_reason=continued.finish_reason,
        usage=_summed(cut.usage, continued.usage),
        max_output_tokens=continued.max_output_tokens,
        usage_partial=cut.usage_partial or continued.usage_partial or _lacks_a_part(cut.usage, continued.usage),
    )


def _summed(first: Usage, second: Usage) -> Usage:
    def add(name: str) -> int | None:
        known = [count for count in (getattr(first, name), getattr(second, name)) if count is not None]
        return sum(known) if known else None

    return Usage(**{name: add(name) for name in USAGE_FIELDS})


def _lacks_a_part(first: Usage, second: Usage) -> bool:
    return any((getattr(first, name) is None) != (getattr(second, name) is None) for name in USAGE_FIELDS)
