"""How caches, loops, records and parents read the result of a round that may be cut (outcomes.md 2.5)."""

from __future__ import annotations

from dataclasses import dataclass

from ..rounds.outcome import Outcome
from ..rounds.verdicts import TRUNCATION_MARKER, CompletionReason, Evidence, ParentOutcome

SUCCESS, FAILURE = "SUCCESS", "FAILED"
"""Status words of a task: SUCCESS means there is text to hand over, never that it is whole."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a reader needs to know of a round that ended."""

    completion_reason: CompletionReason | None
    is_success: bool
    evidence: Evidence | None
    """How sure a completed one is; None for every other."""

    @classmethod
    def of(cls, outcome: Outcome) -> StepResult:
        """Return what ``outcome`` says."""
        return cls(outcome.completion_reason, outcome.is_success, outcome.evidence)

    @property
    def is_complete(self) -> bool:
        """The answer is whole."""
        return self.completion_reason is CompletionReason.COMPLETED


def may_cache(result: StepResult) -> bool:
    """Return whether a workflow may store the step: a success, completed, and nothing casts doubt on it."""
    return result.is_success and result.is_complete and result.evidence is Evidence.CONFIRMED


def reruns_on_resume(result: StepResult) -> bool:
    """Return whether a resumed workflow runs the step again: a cut one does, its text was only good to look at."""
    return not may_cache(result)


def counts_as_quiet(result: StepResult) -> bool:
    """Return whether the round counts in a loop that waits for quiet rounds, or for a critic to have no more to say.

    A cut round said nothing more because it was cut.
    """
    return result.is_success and result.is_complete


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """What is stored of a task: the status word, and the reason's name that qualifies it."""

    status: str
    completion_reason: str | None


def task_record(result: StepResult) -> TaskRecord:
    """Return the stored form; a truncated task keeps the word SUCCESS beside the reason TRUNCATED."""
    reason = result.completion_reason
    return TaskRecord(SUCCESS if result.is_success else FAILURE, reason.upper() if reason is not None else None)


def task_output(result_block: str, result: StepResult) -> str:
    """Return a task's output for a parent model: the block unchanged, then what qualifies it when not completed."""
    if result.is_complete or result.completion_reason is None:
        return result_block
    lines = [result_block, f"Completion reason: {result.completion_reason.upper()}"]
    if result.is_success:
        lines.append("The answer above is incomplete.")
    return "\n".join(lines)


def handed_over(outcome: ParentOutcome, text: str, summary: str) -> str:
    """Return what a parent is given of a sub-round.

    Args:
        outcome: the word the parent hears.
        text: the round's answer, without any marker.
        summary: the ``Error: …`` line of one that failed. A partial's summary is for supervisors and lists only.
    """
    if outcome is ParentOutcome.ANSWERED:
        return text
    if outcome is ParentOutcome.FAILED:
        return summary
    truncated = StepResult(CompletionReason.TRUNCATED, is_success=True, evidence=None)
    return task_output(text + TRUNCATION_MARKER, truncated)
