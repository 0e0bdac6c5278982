"""How a round ended: one pure function over the ledger's state."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from .base import Claim
from .evidence import contradicts_claim
from .evidence import doubts as find_doubts
from .facts import facts
from .figures import Figures, figures
from .notes import Facts, FactValue, Note
from .noting import notes
from .round import Round
from .rules import decide, decided, has_partial, stopped_by
from .verdicts import CompletionReason, Doubt, Evidence, ParentOutcome, TerminalStatus, Verdict, standing

STALL_AFTER_S = 180.0
"""Three minutes without a byte of output: long reasoning models pause for two (outcomes.md 2.6.10)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything a reader needs to say how a round ended, as facts; no sentence, no language."""

    round: str
    verdict: Verdict
    rule: str
    """The row of the table that decided: R0 to R12, "" while running."""
    status: TerminalStatus | None
    completion_reason: CompletionReason | None
    is_success: bool
    """There is answer text to hand over; wider than complete."""
    is_complete: bool
    is_answer: bool
    """Completed and confirmed; nothing else may be called an answer."""
    parent_outcome: ParentOutcome | None
    evidence: Evidence | None
    doubts: tuple[Doubt, ...]
    notes: tuple[Note, ...]
    facts: Facts = field(default_factory=dict[str, FactValue])
    """What the verdict's sentence is made of; the keys per verdict stand in ``facts``."""
    figures: Figures | None = None
    claim: Claim | None = None
    contradicts_claim: bool = False
    provisional: Verdict | None = None
    """Of a running round: what it would be if it ended now."""
    provisional_doubts: tuple[Doubt, ...] = ()
    """Of a running round that would be completed if it ended now: why that would not be confirmed."""
    stalled_ms: float | None = None
    """Of a running round, when asked with a clock: how long an open call has been silent beyond the limit."""

    def as_json(self) -> dict[str, object]:
        """Return the outcome as JSON-ready values, one key a field; what is not known is null."""
        return {
            "round": self.round,
            "verdict": str(self.verdict),
            "rule": self.rule or None,
            "status": _word(self.status),
            "completion_reason": _word(self.completion_reason),
            "is_success": self.is_success,
            "is_complete": self.is_complete,
            "is_answer": self.is_answer,
            "parent_outcome": _word(self.parent_outcome),
            "evidence": _word(self.evidence),
            "doubts": [str(doubt) for doubt in self.doubts],
            "notes": [{"code": str(note.code), "facts": dict(note.facts)} for note in self.notes],
            "facts": dict(self.facts),
            "figures": self.figures.as_json() if self.figures is not None else None,
            "claim": dict(self.claim) if self.claim is not None else None,
            "contradicts_claim": self.contradicts_claim,
            "provisional": _word(self.provisional),
            "provisional_doubts": [str(doubt) for doubt in self.provisional_doubts],
        }


def _word(value: StrEnum | None) -> str | None:
    return None if value is None else str(value)


_CONFIRMED, _UNCONFIRMED = Evidence.CONFIRMED, Evidence.UNCONFIRMED


def classify(round_: Round, *, now: datetime | None = None, stall_after_s: float = STALL_AFTER_S) -> Outcome:
    """Return how ``round_`` ended, or what it would be if it ended now.

    Pure: the same state gives the same outcome. The decision reads O(1) state; notes read the sub-rounds too.

    Args:
        now: the reader's moment; only with it a running round can be provisionally stalled.
        stall_after_s: seconds without output on an open call after which it counts as stalled.

    Source:
        outcomes.md 2.
    """
    rule = decide(round_)
    verdict = decided(round_, rule)
    open_, running = not round_.is_over, verdict is Verdict.RUNNING
    what = standing(verdict, has_partial=has_partial(round_), stopped_by=stopped_by(round_))
    completed = verdict is Verdict.COMPLETED
    doubts = find_doubts(round_) if completed else ()
    evidence = (_UNCONFIRMED if doubts else _CONFIRMED) if completed else None
    last = round_.last_call
    return Outcome(
        round=round_.id,
        verdict=verdict,
        rule="" if running else rule.name,
        status=what.status,
        completion_reason=what.completion_reason,
        is_success=what.is_success,
        is_complete=completed,
        is_answer=evidence is _CONFIRMED,
        parent_outcome=what.parent_outcome,
        evidence=evidence,
        doubts=doubts,
        notes=notes(round_, verdict),
        facts=facts(round_, verdict),
        figures=figures(last) if last is not None else None,
        claim=round_.finished.claimed if round_.finished is not None else None,
        contradicts_claim=not open_ and contradicts_claim(round_, verdict),
        provisional=rule.verdict if running else None,
        provisional_doubts=find_doubts(round_) if running and rule.verdict is Verdict.COMPLETED else (),
        stalled_ms=stalled_ms(round_, now, stall_after_s),
    )


def stalled_ms(round_: Round, now: datetime | None, stall_after_s: float) -> float | None:
    """Return how long an open call has sent no output, once that is above ``stall_after_s``; else None.

    Never while a tool runs or an approval is pending (outcomes.md 2.6.10).
    """
    last = round_.last_call
    if now is None or round_.is_over or round_.suspended is not None or last is None or last.is_over:
        return None
    if any(tool.started for tool in round_.open_tools.values()):
        return None
    since = last.last_output_at or last.started_at
    if since is None:
        return None
    silent = (now - since).total_seconds()
    return silent * 1000 if silent >= stall_after_s else None
