"""Who can be picked: the agents of a runner, which may still be arriving while the first rounds start."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable

from ..policies.selection import Selection, SelectionPhase
from .agents import Agent
from .cancel import Cancellation

Build = Callable[[], Agent]
"""Makes an agent when it is picked; whatever it raises is why it cannot be built."""
CAUSE_CHARS = 300


class Catalogue:
    """Agents by name, in order of arrival; the first one answers where nobody was picked.

    Args:
        agents: who is known from the start.
        complete: nobody else will come, so a pick that is not among them need not be waited for.
        clock: seconds, monotonic.
    """

    def __init__(
        self, agents: Iterable[Agent] = (), *, complete: bool = True, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._builds: dict[str, Build] = {}
        self._complete = complete
        self._clock = clock
        self._news = asyncio.Event()
        for agent in agents:
            self.add(agent)

    @property
    def names(self) -> tuple[str, ...]:
        """Who is known so far."""
        return tuple(self._builds)

    def add(self, agent: Agent) -> None:
        """Take in an agent; one of the same name is replaced."""
        self.add_build(agent.name, lambda: agent)

    def add_build(self, name: str, build: Build) -> None:
        """Take in an agent that is made when it is picked; the name exists even if it cannot be."""
        self._builds[name] = build
        self._tell()

    def complete(self) -> None:
        """Say that nobody else will come; who waits for a name that is not here has waited enough."""
        self._complete = True
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def begin(self, picked: str | None, wait_s: float) -> tuple[Selection, Agent | None]:
        """Return a selection as far as it goes without waiting, and the agent if it is there and can be built.

        Args:
            picked: None = the default.
            wait_s: how long ``settle`` may wait, from now; seconds.
        """
        now = self._clock()
        return self._seen(Selection(picked, now, 0.0 if self._complete else wait_s), now)

    async def settle(self, selection: Selection, stop: Cancellation) -> tuple[Selection, Agent | None]:
        """Wait for the agent until it comes, the time is over, or somebody asks to stop."""
        while True:
            now = selection.give_up_at if self._complete else self._clock()
            selection, agent = self._seen(selection, now)
            if selection.phase is not SelectionPhase.WAITING or stop.requested:
                return selection, agent
            await self._news_or(stop, selection.give_up_at - self._clock())

    async def _news_or(self, stop: Cancellation, left_s: float) -> None:
        news = asyncio.create_task(self._news.wait())
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({news, stopped}, timeout=max(0.0, left_s), return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()
            stopped.cancel()
            await asyncio.gather(news, stopped, return_exceptions=True)

    def _seen(self, selection: Selection, now: float) -> tuple[Selection, Agent | None]:
        name = selection.picked if selection.picked is not None else next(iter(self._builds), None)
        agent, cause = self._build(name) if name in self._builds else (None, None)
        causes: dict[str, str | None] = dict.fromkeys(self._builds)
        if name is not None and cause is not None:
            causes[name] = cause
        return selection.saw(causes, now), agent

    def _build(self, name: str) -> tuple[Agent | None, str | None]:
        try:
            return self._builds[name](), None
        except Exception as error:  # foreign code: whatever it raises is the reason  # noqa: BLE001
            return None, f"{type(error).__name__}: {error}"[:CAUSE_CHARS]
