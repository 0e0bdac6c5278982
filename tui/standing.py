"""What the header counts a round as."""

from __future__ import annotations

from enum import StrEnum

from ..core.rounds import Outcome


class Standing(StrEnum):
    """What the header counts a round as."""

    RUNNING = "running"
    ANSWER = "answers"
    NOT_ANSWER = "not_answers"
    UNSURE = "unsure"


def standing_of(outcome: Outcome | None) -> Standing:
    """Return what an outcome counts as; None: the round is not over."""
    if outcome is None:
        return Standing.RUNNING
    if not outcome.is_complete:
        return Standing.NOT_ANSWER
    return Standing.ANSWER if outcome.is_answer else Standing.UNSURE
