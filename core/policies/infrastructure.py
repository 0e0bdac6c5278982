"""Rounds that failed before anything ran, and what each round costs a control plane's budget of attempts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ..rounds.outcome import Outcome
from ..rounds.verdicts import TerminalStatus, Verdict

LABEL = "reviewer agent not found"
"""What an infrastructure round is called."""

_BEGIN = "Selected agent '"
_MIDDLE = "' was not found among the available agents ("
_END = ")"


def not_found_line(agent: str, available: Iterable[str]) -> str:
    """Return the platform's line for an explicit pick that matched nothing; ``is_not_found_line`` knows it again."""
    return f"{_BEGIN}{agent}{_MIDDLE}{', '.join(available)}{_END}"


def is_not_found_line(line: str) -> bool:
    """Return whether the WHOLE of ``line`` is the platform's not-found line; a text that quotes it is not."""
    return (
        "\n" not in line
        and line.startswith(_BEGIN)
        and line.endswith(_END)
        and line.find(_MIDDLE, len(_BEGIN) + 1) != -1
    )


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """What a control plane reads of a stored round."""

    status: TerminalStatus | None
    text: str
    model_calls: int
    tool_calls: int
    output_tokens: int | None = None
    """None = not reported."""
    verdict: Verdict | None = None
    """Newer records carry it; then no text is matched."""


def infrastructure_label(record: RoundRecord) -> str | None:
    """Return ``LABEL`` for a round that failed before any model or tool ran, else None.

    The line alone proves nothing: after a model or a tool ran it may be what a model wrote.
    """
    if record.model_calls or record.tool_calls or record.output_tokens:
        return None
    if record.verdict is not None:
        return LABEL if record.verdict is Verdict.SELECTION_UNRESOLVED else None
    return LABEL if _has_platform_shape(record) else None


def _has_platform_shape(record: RoundRecord) -> bool:
    """The error shape, or the plain line of legacy records that were stored as Completed."""
    text = record.text.strip()
    if record.status is TerminalStatus.ERROR:
        inner = text.removeprefix("*Error: ").removesuffix("*")
        return text == f"*Error: {inner}*" and is_not_found_line(inner)
    return record.status is TerminalStatus.COMPLETED and is_not_found_line(text)


class Attempt(StrEnum):
    """What a round costs a control plane."""

    SPENT = "spent"
    INFRASTRUCTURE = "infrastructure"
    FAILED = "failed"
    """It ended, and gave no answer: no attempt is spent."""
    OPEN = "open"
    """It is not over."""


@dataclass(frozen=True, slots=True)
class AttemptCount:
    """A budget's account."""

    spent: int
    infrastructure: int
    failed: int


def attempt(verdict: Verdict, *, anything_ran: bool) -> Attempt:
    """Return what a round costs: only a Completed one, confirmed or not, spends an attempt.

    Args:
        anything_ran: a model or a tool, of a fallback agent too; then an unresolved selection is no infrastructure.
    """
    if verdict is Verdict.COMPLETED:
        return Attempt.SPENT
    if verdict in (Verdict.RUNNING, Verdict.SUSPENDED):
        return Attempt.OPEN
    if verdict is Verdict.SELECTION_UNRESOLVED and not anything_ran:
        return Attempt.INFRASTRUCTURE
    return Attempt.FAILED


def attempt_of(outcome: Outcome) -> Attempt:
    """Return what a classified round costs."""
    return attempt(outcome.verdict, anything_ran=bool(outcome.facts.get("ran")))


def count_attempts(attempts: Iterable[Attempt]) -> AttemptCount:
    """Return how many rounds spent an attempt, were infrastructure, or failed; open ones are not counted."""
    counts = Counter(attempts)
    return AttemptCount(counts[Attempt.SPENT], counts[Attempt.INFRASTRUCTURE], counts[Attempt.FAILED])
