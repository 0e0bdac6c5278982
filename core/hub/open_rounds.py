"""How many rounds each producer of a connection has begun and not ended; one question costs the same at any number."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..rounds.events import RoundFinished, RoundStarted, RoundStopped
from .store import Submission

ENDINGS = frozenset((RoundFinished, RoundStopped))
TURNS = ENDINGS | {RoundStarted}


@dataclass(slots=True)
class _Rounds:
    open: set[str] = field(default_factory=set[str])
    refused: dict[str, None] = field(default_factory=dict[str, None])
    """Whose events are not taken either, oldest first; as many at most as may be open."""


class OpenRounds:
    """A ``round.started`` opens a round, ``round.finished`` and ``round.stopped`` end it; nothing else counts."""

    def __init__(self, most: int) -> None:
        """Allow ``most`` of each producer."""
        self._most = most
        self._of: dict[str, _Rounds] = {}
        self._has_refused = False

    def judged_all(self, submissions: list[Submission]) -> list[Submission]:
        """Return the submissions; those whose round is one too many with a fault."""
        if not self._has_refused and TURNS.isdisjoint([type(each.event) for each in submissions]):
            return submissions  # nearly always: the pieces of answers
        return [self.judged(each) for each in submissions]

    def judged(self, submission: Submission) -> Submission:
        """Return the submission, or the same with a fault: its round is one too many."""
        if submission.round is None or submission.fault is not None:
            return submission
        rounds = self._of.get(submission.producer)
        if rounds is None:
            rounds = self._of[submission.producer] = _Rounds()
        if submission.round in rounds.refused:
            return self._refused(submission)
        if type(submission.event) in ENDINGS:
            rounds.open.discard(submission.round)
        elif type(submission.event) is RoundStarted and submission.round not in rounds.open:
            if len(rounds.open) >= self._most:
                self._has_refused = True
                rounds.refused[submission.round] = None
                if len(rounds.refused) > self._most:
                    del rounds.refused[next(iter(rounds.refused))]
                return self._refused(submission)
            rounds.open.add(submission.round)
        return submission

    def _refused(self, submission: Submission) -> Submission:
        why = f"its round is one too many: {self._most} rounds of this producer have no end yet; end some of them first"
        return replace(submission, line="", fault=why)
