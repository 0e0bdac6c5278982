"""The runner: agents and models, and rounds of them, many at a time.

It claims nothing by itself: how a round ended is read from the same ledger and the same classifier that every
watcher uses.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ..rounds.ledger import Ledger
from .agents import DEFAULT_SETTINGS, Agent, Model, RoundResult, Settings, Task
from .catalogue import Catalogue
from .delegate import Delegates
from .extra import require
from .memory import Memory
from .recorder import Publish
from .running_round import RunningRound

if TYPE_CHECKING:
    from .transport import Transport


class Runner:
    """Runs rounds of its agents on its models; many at a time. An async context manager.

    Args:
        publish: takes every event, in order; the hub's publisher, or anything else.
        agents: who can be picked; a catalogue may still fill while rounds run.
        models: what can be asked, by name.
        chance: for the waits between attempts; a seeded one makes them repeatable.

    Raises:
        MissingExtra: httpx2 is not installed.
    """

    def __init__(
        self,
        publish: Publish,
        *,
        agents: Catalogue | Iterable[Agent],
        models: Iterable[Model],
        settings: Settings = DEFAULT_SETTINGS,
        chance: random.Random | None = None,
    ) -> None:
        require("httpx2")
        self.publish = publish
        self.catalogue = agents if isinstance(agents, Catalogue) else Catalogue(agents)
        self.models = {model.name: model for model in models}
        self.settings = settings
        self.chance = chance or random.Random()
        self.delegates = Delegates(settings, publish)
        self.memory = Memory(report_rarely=settings.rules.report_rarely)
        self._transport: Transport | None = None

    @property
    def transport(self) -> Transport:
        """The connections of all its rounds; opened when first used."""
        if self._transport is None:
            from .transport import Transport  # httpx2 is loaded when the first request goes out

            self._transport = Transport()
        return self._transport

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.delegates.aclose()
        if self._transport is not None:
            await self._transport.aclose()

    async def run(self, task: Task, *, ledger: Ledger | None = None) -> RoundResult:
        """Run one round to its end and return what it hands over.

        Whatever goes wrong inside the round ends the round, not the caller; ``result.outcome`` says how.

        Args:
            ledger: where to fold its events too; a new one by default.

        Raises:
            asyncio.CancelledError: the host is shutting down; the round was recorded as cancelled by it.
        """
        return await RunningRound(self, task, ledger if ledger is not None else Ledger()).run()


async def run_round(
    publish: Publish,
    task: Task,
    *,
    agents: Catalogue | Iterable[Agent],
    models: Iterable[Model],
    settings: Settings = DEFAULT_SETTINGS,
) -> RoundResult:
    """Run a single round with a runner of its own; see ``Runner.run``."""
    async with Runner(publish, agents=agents, models=models, settings=settings) as runner:
        return await runner.run(task)
