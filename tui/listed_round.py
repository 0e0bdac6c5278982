"""One round as its row in the list shows it, whether its details are still in memory or not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ..core.prices import CostSum
from ..core.rounds import Outcome, Round, RoundSummary, classify
from .round_facts import Tokens


@dataclass(frozen=True, slots=True)
class ListedRound:
    """What the columns of a row are made of; None = not known."""

    id: str
    agent: str | None
    title: str | None
    thread: str | None
    calls: int
    started: datetime | None
    is_orphan: bool
    outcome: Outcome
    depth: int
    total_ms: float | None
    """Until now for a running round."""
    tokens: Tokens
    hidden: int = 0
    """Sub-rounds that are folded away under it."""
    is_open: bool = False
    """Its sub-rounds stand below it."""
    hub: str = ""
    """Where it comes from."""
    is_corrected: bool = False
    """Late news have changed its verdict."""
    spent: CostSum | None = None
    """What its ended calls cost."""

    @classmethod
    def of(
        cls,
        round_: Round,
        depth: int,
        now: datetime,
        tokens: Tokens = (None, None),
        *,
        hub: str = "",
        is_corrected: bool = False,
    ) -> ListedRound:
        """Return ``round_`` as it stands at ``now``."""
        return cls(
            id=round_.id,
            agent=round_.agent,
            title=round_.title,
            thread=round_.thread,
            calls=len(round_.calls),
            started=round_.started_at or round_.first_at,
            is_orphan=round_.is_orphan,
            outcome=classify(round_, now=now),
            depth=depth,
            total_ms=_elapsed_ms(round_, now),
            tokens=tokens,
            hub=hub,
            is_corrected=is_corrected,
        )

    @classmethod
    def of_summary(cls, summary: RoundSummary, depth: int, *, hub: str = "", is_corrected: bool = False) -> ListedRound:
        """Return a round whose details were let go."""
        return cls(
            id=summary.id,
            agent=summary.agent,
            title=summary.title,
            thread=summary.thread,
            calls=summary.calls,
            started=summary.started_at,
            is_orphan=False,
            outcome=summary.outcome,
            depth=depth,
            total_ms=summary.total_ms,
            tokens=(summary.input_tokens, summary.output_tokens),
            hub=hub,
            is_corrected=is_corrected,
        )


def _elapsed_ms(round_: Round, now: datetime) -> float | None:
    start = round_.started_at or round_.first_at
    if round_.is_over or start is None:
        return round_.total_ms
    return max(0.0, (now - start).total_seconds() * 1000, round_.total_ms or 0.0)
