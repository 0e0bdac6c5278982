"""The agent of a round: found, waited for, or told why there is none."""

from __future__ import annotations

from ..policies.selection import Selection, SelectionPhase
from ..rounds.events import NoModelCause, NoUsableModel, SelectionUnresolved
from .agents import Agent, Task
from .catalogue import Catalogue
from .recorder import Recorder

NO_DEFAULT = "no agent was picked, and none is set up"


class Pick:
    """The selection of one round's agent; begins at once, and is settled when the round has been told of."""

    def __init__(self, catalogue: Catalogue, task: Task, wait_s: float) -> None:
        self._catalogue = catalogue
        self._task = task
        self._selection, self.agent = catalogue.begin(task.agent, wait_s)

    @property
    def name(self) -> str | None:
        """Who was picked, or is the default."""
        return self._task.agent if self._task.agent is not None else self._selection.agent

    async def settle(self, recorder: Recorder) -> Agent | None:
        """Return the agent, after a bounded wait where the catalogue still fills; tell why there is none.

        Only an explicit pick that matched nothing is *unresolved*. An agent that exists and cannot be built is
        another condition, and so is a round that nobody was picked for.
        """
        if self._selection.phase is SelectionPhase.WAITING:
            self._selection, self.agent = await self._catalogue.settle(self._selection, self._task.cancel)
        await self._tell(self._selection, recorder)
        return self.agent

    async def _tell(self, selection: Selection, recorder: Recorder) -> None:
        if selection.marks_unresolved and selection.picked is not None and selection.sentence is not None:
            await recorder.put(
                SelectionUnresolved(
                    round=self._task.round,
                    requested=selection.picked,
                    available=selection.available,
                    sentence=selection.sentence,
                )
            )
        elif selection.phase is SelectionPhase.UNBUILDABLE:
            await recorder.put(self._no_model(selection.agent, selection.cause))
        elif selection.phase is SelectionPhase.NO_DEFAULT:
            await recorder.put(self._no_model(None, NO_DEFAULT))
        elif selection.phase is SelectionPhase.WAITING:
            await recorder.tell_cancel(self._task.cancel)

    def _no_model(self, agent: str | None, reason: str | None) -> NoUsableModel:
        return NoUsableModel(
            round=self._task.round,
            requested=self._task.model,
            agent=agent,
            cause=NoModelCause.NO_FACTORY,
            reason=reason,
        )
