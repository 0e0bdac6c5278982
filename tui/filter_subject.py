"""What a filter and a sort order look at in one round, whether its details are in memory or not."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..core.rounds import Outcome, Round, Verdict
from ..core.rounds.summary import model_names, tool_names
from .listed_round import ListedRound


@dataclass(frozen=True, slots=True)
class UsedNames:
    """Models and tools of a round."""

    models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    @classmethod
    def of(cls, round_: Round) -> UsedNames:
        """Return each name once, in order of appearance."""
        return cls(model_names(round_), tool_names(round_))


@dataclass(slots=True)
class FilterSubject:
    """One round as it stands at a moment."""

    listed: ListedRound
    is_sub: bool = False
    round: Round | None = None
    """With all its details; None when only a summary is left."""
    kept: UsedNames | None = None
    """Its names, when there are no details."""
    _used: UsedNames | None = field(default=None, init=False)

    @property
    def outcome(self) -> Outcome:
        """How it stands."""
        return self.listed.outcome

    @property
    def used(self) -> UsedNames:
        """Its models and tools; looked up when first asked for."""
        if self._used is None:
            self._used = UsedNames.of(self.round) if self.round is not None else self.kept or UsedNames()
        return self._used

    @property
    def finish_reason(self) -> str | None:
        """The last call's finish reason, verbatim; None = none was reported."""
        return self.outcome.figures.finish_reason if self.outcome.figures is not None else None

    @property
    def first_output_ms(self) -> float | None:
        """Of the last call."""
        return self.outcome.figures.first_output_ms if self.outcome.figures is not None else None

    @property
    def tokens(self) -> int | None:
        """Input and output tokens together, as far as they are reported."""
        known = [count for count in self.listed.tokens if count is not None]
        return sum(known) if known else None

    @property
    def is_running(self) -> bool:
        """It is not over, or waits for somebody."""
        return self.outcome.verdict in (Verdict.RUNNING, Verdict.SUSPENDED)

    @property
    def is_problem(self) -> bool:
        """It ended as something that is not complete."""
        return not self.is_running and not self.outcome.is_complete

    @property
    def is_unsure(self) -> bool:
        """It is complete, and nothing proves it."""
        return self.outcome.is_complete and not self.outcome.is_answer
