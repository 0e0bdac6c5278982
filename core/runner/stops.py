"""Whether a round has to stop after an iteration: a limit is reached, or nothing but errors came back for too long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..policies.stall import FORK_MAX_ITERATIONS, StalledIterationGuard, StalledStop
from ..rounds.base import StoppedWhy
from ..rounds.events import RoundStopped
from .agents import Model, Settings, Task
from .limits import reached
from .recorder import Recorder


class Stops:
    """Judges the iterations of one round, a sub-agent's like any other's."""

    def __init__(self, settings: Settings, task: Task, recorder: Recorder, models: Mapping[str, Model]) -> None:
        self._task = task
        self._recorder = recorder
        self._models = models
        self._limit = settings.stalled_iterations
        self._unguarded_fork = task.parent is not None and not settings.rules.guard_forks
        guarded = settings.rules.guard_iterations and not self._unguarded_fork
        self._guard = StalledIterationGuard(self._limit if guarded else None)

    async def after(
        self, errors: Sequence[bool], *, refused: bool, cancelled: bool, iterations: int
    ) -> RoundStopped | None:
        """Take in an iteration that is over; return the stop that is due before another call goes out.

        Args:
            errors: one entry a tool call: whether its result is an error.
            refused: the response was cut and its calls were refused.
            cancelled: somebody asked to stop meanwhile; such an iteration proves nothing.
            iterations: how many are done.
        """
        stalled = self._guard.record(errors, refused=refused, cancelled=cancelled)
        if cancelled:
            return None
        if stalled is not None:
            return await self._stalled(stalled)
        limits = self._task.limits
        if self._unguarded_fork and limits.iterations is None:
            limits = limits.model_copy(update={"iterations": FORK_MAX_ITERATIONS})
        return reached(self._recorder.round, limits, self._models, iterations=iterations)

    async def _stalled(self, stop: StalledStop) -> RoundStopped:
        facts = {"n": stop.n, "all_refused": stop.all_refused}
        await self._recorder.warn("stalled_iterations", stop.warning, facts)
        return RoundStopped(
            round=self._task.round,
            why=StoppedWhy.STALLED_ITERATIONS,
            limit=self._limit,
            used=stop.n,
            all_refused=stop.all_refused,
            error=stop.message,
        )
