"""What is recovered of one delegate while it runs, and how that is told when its time is up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ..policies.partial import Partial, PartialAccumulator
from ..policies.partial_registry import PartialRegistry
from ..policies.partial_report import NO_SOURCE, Resumption, TimeoutReport, ask_producer
from ..rounds.events import Event, RoundPartial
from .blocks import Block, BlockEnds

NOT_RESUMABLE = "the runner keeps no state of a sub-agent whose time is up"


class Recover(StrEnum):
    """What is recovered of a delegate that ran out of time."""

    NOTHING = "nothing"
    TEXT = "text"
    """Only text; a delegate that had only thought and called tools leaves nothing."""
    ALL = "all"
    """Text, and failing that the reasoning and the tool calls, labelled as such."""


@dataclass(frozen=True)
class Salvage:
    """What a delegate left behind when its time was up."""

    partial: Partial | None
    report: TimeoutReport
    first_evidence_s: float | None

    def event(self, round_: str) -> RoundPartial:
        """Return it as the delegate's own event; one that left nothing says so too.

        The counts are those of what was kept: a tail-cut payload still names its whole length.
        """
        partial, report, known = self.partial, self.report, self.report.resumption
        return RoundPartial(
            round=round_,
            source=report.partial_source if report.partial_available else NO_SOURCE,
            kept_chars=len(report.partial_response or ""),
            total_chars=report.partial_chars_total,
            segments=report.partial_segments,
            reasoning_segments=partial.reasoning_segments if partial is not None else 0,
            tool_calls=partial.tool_calls if partial is not None else 0,
            dropped_segments=partial.dropped_segments if partial is not None else 0,
            first_evidence_ms=_ms(self.first_evidence_s),
            elapsed_ms=_ms(known.elapsed_s),
            timeout_ms=_ms(known.timeout_s),
            resumable=known.resumable,
            resume_reason=known.message,
            text=report.partial_response,
        )


class Recovery:
    """Gathers the closed blocks of one running delegate; its record is in the registry from the start."""

    def __init__(self, registry: PartialRegistry, name: str, recover: Recover, began_s: float) -> None:
        """
        Args:
            name: of the delegate's record: its round.
            began_s: when it started, by the same clock as every other time here; seconds.
        """
        self._registry = registry
        self._name = name
        self._recover = recover
        self._began_s = began_s
        self._now_s = began_s
        self._blocks = BlockEnds(self._ended)
        self._first_evidence_s: float | None = None
        self._record: PartialAccumulator | None = None
        if recover is not Recover.NOTHING:
            self._record = registry.publish(name)

    def see(self, event: Event, now_s: float) -> None:
        """Take in an event of the delegate's round."""
        self._now_s = now_s
        self._blocks.see(event)

    def _ended(self, block: Block) -> None:
        if self._record is None or (self._recover is Recover.TEXT and block["type"] != "text"):
            return
        self._record.take(block)
        if self._first_evidence_s is None and self._record.recovered() is not None:
            self._first_evidence_s = self._now_s - self._began_s

    def salvage(self, timeout_s: float, now_s: float) -> Salvage:
        """Read the record, once and for all, and make the parent's report of it."""
        partial = self._registry.read(self._name)
        known = Resumption(
            timeout_s=timeout_s,
            elapsed_s=round(now_s - self._began_s, 3),
            resumable=False,
            status="not_resumable",
            message=NOT_RESUMABLE,
        )
        report = ask_producer(lambda: partial.as_payload() if partial is not None else None, resumption=known)
        return Salvage(partial, report, self._first_evidence_s)

    def discard(self) -> None:
        """Forget the record of a delegate that ended by itself."""
        self._registry.discard(self._name)


def _ms(seconds: float | None) -> float | None:
    return round(seconds * 1000, 3) if seconds is not None else None
