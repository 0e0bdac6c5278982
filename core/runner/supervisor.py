"""The supervisor of many threads: what it knows of each, and what their rounds have cost."""

from __future__ import annotations

from ..policies.infrastructure import Attempt, AttemptCount, count_attempts
from ..policies.supervision import Relaunches
from ..rounds.events import SupervisorVerdict
from .agents import Task
from .supervised_round import Settled, SupervisedRound, Supervision
from .threads import ThreadRecord


class Supervisor:
    """Runs the rounds of threads on hosts that may be lost, one round of a thread at a time."""

    def __init__(self, how: Supervision) -> None:
        self.threads: dict[str, ThreadRecord] = {}
        self._how = how
        self._attempts: dict[str, list[Attempt]] = {}

    def attempts(self, thread: str) -> AttemptCount:
        """Return what the thread's rounds have cost so far: only a completed one spends an attempt."""
        return count_attempts(self._attempts.get(thread, ()))

    async def run(self, task: Task) -> Settled:
        """Run a round of a thread until it ends or is given up.

        Raises:
            ValueError: the task names no thread, or a round of the thread is still in flight.
        """
        if not task.thread:
            raise ValueError("a supervised round needs a thread; this task names none")
        record = self.threads.setdefault(task.thread, ThreadRecord(task.thread))
        if record.current_round is not None:
            raise ValueError(f"round {record.current_round!r} of thread {task.thread!r} is still in flight")
        try:
            settled = await SupervisedRound(self._how, task, record).run()
        finally:
            record.current_round = None
        self._attempts.setdefault(task.thread, []).append(settled.attempt)
        return settled

    async def look(self, thread: str) -> bool:
        """Say of an idle thread whose last round gave no answer that it is parked; return whether it is.

        Raises:
            KeyError: no such thread.
        """
        record = self.threads[thread]
        is_parked = record.current_round is None and record.last_round_completed is False
        if is_parked:
            await self._how.say(record, SupervisorVerdict.PARKED, Relaunches(self._how.cap))
        return is_parked

    async def wake(self, task: Task) -> Settled:
        """Run another round of a parked thread, and say before it that the thread was woken.

        Raises:
            ValueError: as ``run``.
        """
        record = self.threads.get(task.thread or "")
        if record is not None and record.current_round is None:
            await self._how.say(record, SupervisorVerdict.WOKEN, Relaunches(self._how.cap))
        return await self.run(task)
