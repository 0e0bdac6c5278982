"""One of two rounds that are compared: what of it can stand beside another one, whatever is left of it in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ..core.rounds import Call, Outcome, Round, RoundSummary, classify
from ..core.rounds.summary import token_sums
from .filter_subject import UsedNames

Known = Round | RoundSummary


@dataclass(frozen=True, slots=True)
class Compared:
    """A round as it stands at a moment; None = not reported."""

    id: str
    agent: str | None
    thread: str | None
    title: str | None
    models: tuple[str, ...] | None
    """None where the details are no longer in memory."""
    started: datetime | None
    total_ms: float | None
    """Until now for a running round."""
    is_over: bool
    calls: int
    tokens: tuple[int | None, int | None]
    """Input and output, over the calls that reported any."""
    tokens_whole: tuple[bool, bool]
    """Every call reported them: only then can two sums be subtracted."""
    outcome: Outcome
    round: Round | None
    """With its details; None where they are no longer in memory."""

    @property
    def ledger(self) -> list[Call]:
        """Its calls, as far as they are in memory."""
        return self.round.calls if self.round is not None else []


def compared(known: Known, now: datetime) -> Compared:
    """Return ``known`` as it stands at ``now``."""
    if isinstance(known, RoundSummary):
        return _of_summary(known)
    start = known.started_at or known.first_at
    running = not known.is_over and start is not None
    return Compared(
        id=known.id,
        agent=known.agent,
        thread=known.thread,
        title=known.title,
        models=tuple(UsedNames.of(known).models),
        started=start,
        total_ms=max(0.0, (now - start).total_seconds() * 1000) if running and start is not None else known.total_ms,
        is_over=known.is_over,
        calls=len(known.calls),
        tokens=token_sums(known),
        tokens_whole=(
            _all_told(known.calls, "input_tokens"),
            _all_told(known.calls, "output_tokens"),
        ),
        outcome=classify(known, now=now),
        round=known,
    )


def _all_told(calls: Iterable[Call], name: str) -> bool:
    return all(getattr(call.usage, name) is not None and not call.usage_implausible for call in calls)


def _of_summary(summary: RoundSummary) -> Compared:
    return Compared(
        id=summary.id,
        agent=summary.agent,
        thread=summary.thread,
        title=summary.title,
        models=None,
        started=summary.started_at,
        total_ms=summary.total_ms,
        is_over=True,
        calls=summary.calls,
        tokens=(summary.input_tokens, summary.output_tokens),
        tokens_whole=(False, False),  # the sums are left, not what they were made of
        outcome=summary.outcome,
        round=None,
    )
