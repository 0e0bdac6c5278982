"""When a round that ends as no answer calls for the operator, and how loudly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.rounds import Outcome, Verdict
from ..core.texts import Texts, mark, title
from .preferences import Preferences
from .terminal_words import outside_name

APART_S = 5.0
"""Between two rings: a provider that is down ends every round at once."""
TOLD_ONE_BY_ONE = 2


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A round that has just ended as no answer."""

    id: str
    agent: str | None
    outcome: Outcome

    @property
    def calls_for_somebody(self) -> bool:
        """Somebody who cancelled a round knows that it ended."""
        return self.outcome.verdict is not Verdict.CANCELLED


@dataclass(frozen=True, slots=True)
class Alert:
    """What to do about rounds that have ended."""

    notices: tuple[str, ...]
    """Sentences for the screen."""
    rings: bool
    desktop: str | None
    """Words for a notification of the terminal."""


class Attention:
    """Decides what rounds that end as no answer set off. Knows no clock; times are seconds."""

    def __init__(self) -> None:
        """Nothing has rung yet."""
        self._rang = float("-inf")

    def about(self, ended: Sequence[NoAnswer], chosen: Preferences, texts: Texts, hour: int, now: float) -> Alert:
        """Return what the rounds set off.

        Args:
            hour: of the viewer's clock, 0 to 23.
            now: monotonic.
        """
        telling = [each for each in ended if each.calls_for_somebody]
        if not telling:
            return Alert((), rings=False, desktop=None)
        sentences = _sentences(telling, texts)
        may_ring = now - self._rang >= APART_S and not is_quiet(chosen, hour)
        wants = may_ring and (chosen.bell or chosen.desktop)
        if wants:
            self._rang = now
        return Alert(
            tuple(sentences) if chosen.toast else (),
            rings=may_ring and chosen.bell,
            desktop=f"roundwatch: {sentences[0]}" if may_ring and chosen.desktop else None,
        )


def is_quiet(chosen: Preferences, hour: int) -> bool:
    """Say whether nothing rings at this hour; the hours may go over midnight."""
    first, end = chosen.quiet_from, chosen.quiet_to
    if first is None or end is None or first == end:
        return False
    return first <= hour < end if first < end else hour >= first or hour < end


def _sentences(ended: Sequence[NoAnswer], texts: Texts) -> list[str]:
    if len(ended) > TOLD_ONE_BY_ONE:
        return [texts("tui.attention.many", n=len(ended))]
    return [
        texts(
            "tui.attention.single",
            mark=mark(each.outcome).sign(),
            name=outside_name(each.agent or each.id),
            round=outside_name(each.id),
            verdict=title(each.outcome, texts),
        )
        for each in ended
    ]
