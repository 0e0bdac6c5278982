"""Batches that wait for one commit: what comes while one runs shares the next."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from .store import Receipt, Submission


@dataclass(slots=True)
class _Waiting:
    batch: Sequence[Submission]
    answer: asyncio.Future[list[Receipt]]


@dataclass(slots=True)
class Group:
    """What one commit holds."""

    waiting: Sequence[_Waiting]

    @property
    def batch(self) -> list[Submission]:
        """All submissions, in the order they came."""
        return [submission for waiting in self.waiting for submission in waiting.batch]

    def settle(self, receipts: Sequence[Receipt]) -> None:
        """Give each caller its receipts; one for each of ``batch``."""
        start = 0
        for waiting in self.waiting:
            answer = list(receipts[start : start + len(waiting.batch)])
            start += len(waiting.batch)
            if not waiting.answer.done():  # its connection may be gone
                waiting.answer.set_result(answer)

    def refuse(self, error: Exception) -> None:
        """Tell each caller that nothing is acknowledged."""
        for waiting in self.waiting:
            if not waiting.answer.done():
                waiting.answer.set_exception(error)


class Gathered:
    """Batches in the order they came."""

    def __init__(self, most_events: int, most_bytes: int) -> None:
        """Take a group to be full at so many events or characters; one batch is never divided."""
        self._most_events = most_events
        self._most_bytes = most_bytes
        self._waiting: list[_Waiting] = []

    def add(self, batch: Sequence[Submission]) -> asyncio.Future[list[Receipt]]:
        """Queue a batch; the answer comes with its group."""
        answer: asyncio.Future[list[Receipt]] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(batch, answer))
        return answer

    def take(self) -> Group | None:
        """Return the next group, or None when nothing waits."""
        taken = events = size = 0
        while taken < len(self._waiting) and events < self._most_events and size < self._most_bytes:
            events += len(self._waiting[taken].batch)
            size += sum(len(submission.line) for submission in self._waiting[taken].batch)
            taken += 1
        group, self._waiting = self._waiting[:taken], self._waiting[taken:]
        return Group(group) if group else None
