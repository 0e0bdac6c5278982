"""A publisher's frames on their way into the store, and what it is told of those that are settled."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .frames import GAP_WHY, NOT_OWNER_WHY, Ack, PublishFrame, Reject
from .metrics import Counters
from .store import Fate, Receipt, Submission

log = logging.getLogger(__name__)

WHY_CHARS = 200  # one line of a log


@dataclass(slots=True)
class Pending:
    """One frame whose events are on their way into the store."""

    rejects: list[Reject]
    submissions: list[Submission]
    receipts: asyncio.Task[list[Receipt]]
    read_at: float
    """When its frame's turn came, on the monotonic clock."""
    size: int
    """Bytes of the frame."""

    @property
    def is_settled(self) -> bool:
        """The store has answered, and not by failing."""
        return self.receipts.done() and not self.receipts.cancelled() and self.receipts.exception() is None


class Answers:
    """What one publisher is told; counts and logs what is wrong with its events."""

    def __init__(self, counters: Counters, claim: Callable[[str], None]) -> None:
        """Count in ``counters``; ``claim`` is called for each producer whose events are answered, the first time."""
        self._counters = counters
        self._claim = claim
        self._claimed: set[str] = set()
        self.rejected = 0
        """Events or frames so far."""

    def of(self, settled: Sequence[Pending]) -> list[PublishFrame]:
        """Return the rejections of each frame, and an acknowledgement for each producer.

        An acknowledgement stands for all before it, so one that is followed by none but another one is left out.
        """
        answers: list[PublishFrame] = []
        acks: dict[str, int] = {}
        for pending in settled:
            own: dict[str, int] = {}
            rejections = self._rejections(pending.submissions, pending.receipts.result(), own)
            if rejects := [*pending.rejects, *rejections]:
                self._counters.frames_rejected += len(pending.rejects)
                self._tell_rejected(rejects)
                answers += [*_acks(acks), *rejects]
                acks.clear()
            acks |= own
        return [*answers, *_acks(acks)]

    def _tell_rejected(self, rejects: Sequence[Reject]) -> None:
        """Log the first rejection of a connection with its reason, the others only as a number at its end."""
        told = [reject for reject in rejects if reject.why != GAP_WHY]  # a gap is how a publisher finds its place
        if told and not self.rejected:
            log.warning(
                "a publisher sent what is no event: %s; the publisher was told, the rest goes on", _shown(told[0])
            )
        self.rejected += len(told)

    def _rejections(
        self, submissions: Sequence[Submission], receipts: Sequence[Receipt], acks: dict[str, int]
    ) -> list[Reject]:
        """Return the rejections of a frame's events, and put what each of its producers has settled into ``acks``."""
        rejections: list[Reject] = []
        for submission, receipt in zip(submissions, receipts, strict=True):
            producer, fate = submission.producer, receipt.fate
            if producer not in self._claimed and fate is not Fate.NOT_OWNER:
                self._claim(producer)
                self._claimed.add(producer)
            if fate is not Fate.NOT_OWNER and fate is not Fate.GAP:
                acks[producer] = receipt.settled
            if fate is not Fate.STORED and (reject := self._rejection(submission, receipt)) is not None:
                rejections.append(reject)
        return rejections

    def _rejection(self, submission: Submission, receipt: Receipt) -> Reject | None:
        match receipt.fate:
            case Fate.STORED:
                pass
            case Fate.DUPLICATE:
                self._counters.duplicates += 1
            case Fate.GAP:
                self._counters.gaps += 1
                return Reject(id=submission.id, why=GAP_WHY, expected=receipt.settled + 1)
            case Fate.REJECTED:
                self._counters.rejected += 1
                return Reject(id=submission.id, why=submission.fault or "")
            case Fate.NOT_OWNER:
                self._counters.rejected += 1
                return Reject(id=submission.id, why=NOT_OWNER_WHY)
        return None


def _acks(settled: dict[str, int]) -> list[Ack]:
    return [Ack(id=f"{producer}:{n}") for producer, n in settled.items()]


def _shown(reject: Reject) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in reject.why[:WHY_CHARS])
