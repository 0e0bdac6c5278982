"""What a filter is made of once it is read: conditions on a round, each true, false or not decided.

A condition on something that nobody reported is not decided, and neither is its opposite: a round without
token counts is no round with few tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ..core.rounds import Verdict
from .filter_subject import FilterSubject

Answer = bool | None
"""None = not decided, because what is asked for was not reported."""


class Condition(Protocol):
    """Something that holds for a round, or does not."""

    def holds(self, subject: FilterSubject) -> Answer:
        """Say whether it holds."""
        ...


@dataclass(frozen=True, slots=True)
class AnyText:
    """The words stand in one of these texts, whatever the case of their letters."""

    wanted: str
    """Case-folded."""
    texts: Callable[[FilterSubject], tuple[str | None, ...]]

    def holds(self, subject: FilterSubject) -> Answer:
        """Say whether one of the texts holds the words; not decided when there is no text at all."""
        known = [text for text in self.texts(subject) if text is not None]
        return any(self.wanted in text.casefold() for text in known) if known else None


@dataclass(frozen=True, slots=True)
class NotReported:
    """There is no such value; an empty text is none either."""

    texts: Callable[[FilterSubject], tuple[str | float | None, ...]]

    def holds(self, subject: FilterSubject) -> Answer:
        """Say whether there is none."""
        return all(text is None or text == "" for text in self.texts(subject))


@dataclass(frozen=True, slots=True)
class Between:
    """A number lies in a range."""

    value: Callable[[FilterSubject], float | None]
    least: float
    most: float
    with_least: bool = True
    with_most: bool = True

    def holds(self, subject: FilterSubject) -> Answer:
        """Say whether it does; not decided when the number is not reported."""
        value = self.value(subject)
        if value is None:
            return None
        above = value >= self.least if self.with_least else value > self.least
        below = value <= self.most if self.with_most else value < self.most
        return above and below


@dataclass(frozen=True, slots=True)
class OneOf:
    """The round has one of these verdicts."""

    verdicts: frozenset[Verdict]

    def holds(self, subject: FilterSubject) -> Answer:
        """Say whether it has."""
        return subject.outcome.verdict in self.verdicts


@dataclass(frozen=True, slots=True)
class Is:
    """A yes-or-no matter of the round."""

    state: Callable[[FilterSubject], bool]

    def holds(self, subject: FilterSubject) -> Answer:
        """Say whether it is so."""
        return self.state(subject)


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite; what is not decided stays so."""

    condition: Condition

    def holds(self, subject: FilterSubject) -> Answer:
        """Say whether the condition fails."""
        held = self.condition.holds(subject)
        return None if held is None else not held


@dataclass(frozen=True, slots=True)
class Every:
    """All conditions hold."""

    conditions: tuple[Condition, ...]

    def holds(self, subject: FilterSubject) -> Answer:
        """Say whether all hold; one that fails decides."""
        undecided = False
        for condition in self.conditions:
            held = condition.holds(subject)
            if held is False:
                return False
            undecided = undecided or held is None
        return None if undecided else True


@dataclass(frozen=True, slots=True)
class Either:
    """At least one condition holds."""

    conditions: tuple[Condition, ...]

    def holds(self, subject: FilterSubject) -> Answer:
        """Say whether one holds; one that does decides."""
        undecided = False
        for condition in self.conditions:
            held = condition.holds(subject)
            if held:
                return True
            undecided = undecided or held is None
        return None if undecided else False


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter that was read."""

    text: str
    """As the operator wrote it."""
    condition: Condition
    follows_clock: bool = False
    """It asks for something that changes without an event: how long a round runs."""

    def passes(self, subject: FilterSubject) -> bool:
        """Say whether a round is shown; one that it cannot decide about is not."""
        return self.condition.holds(subject) is True
