"""Overlap: tools that are safe for it start while the response that asks for them still streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..policies.arguments import parse_args
from ..rounds.base import OutputKind
from ..rounds.events import CallOutput, Event, ToolRequested
from .tool_run import Ran
from .tools import Arguments, Permission, Tool


@dataclass
class EarlyRun:
    """One tool call that was started early."""

    arguments: Arguments
    task: asyncio.Task[Ran] | None = None
    began: bool = False
    """It did begin: a task that was cancelled before its first step ran nothing."""

    async def result(self) -> Ran:
        """Return what came of it; whoever is cancelled here cancels it too."""
        if self.task is None:
            raise RuntimeError("an early run has a task from its first moment on")
        return await self.task


Start = Callable[[ToolRequested, Tool, EarlyRun], Coroutine[Any, Any, Ran]]
"""Runs one tool; sets ``began`` when it does."""


@dataclass
class EarlyStarts:
    """Starts what may start, and keeps the results until it is known whether they count.

    A call starts only at its own end. On the Anthropic wire that is the end of its block. Chat marks no end: there a
    call is over when arguments of the next one come. So the call that a cut falls into never starts.
    """

    wire: str
    tools: Mapping[str, Tool]
    start: Start
    enabled: bool = True
    _runs: dict[tuple[str, str], EarlyRun] = field(default_factory=dict[tuple[str, str], EarlyRun])
    _waiting: list[ToolRequested] = field(default_factory=list[ToolRequested])

    def take(self, event: Event) -> None:
        """Take in what streamed next."""
        if not self.enabled:
            return
        match event:
            case ToolRequested() if event.complete and not event.server:
                if self.wire == "anthropic":
                    self._begin(event)
                else:
                    self._waiting.append(event)
            case CallOutput() if event.kind is OutputKind.TOOL_ARGUMENTS:
                over = [each for each in self._waiting if each.tool_call != event.tool_call]
                self._waiting = [each for each in self._waiting if each.tool_call == event.tool_call]
                for each in over:
                    self._begin(each)
            case _:
                pass

    def forget(self) -> None:
        """Nothing to do: a call that streamed a tool call is never made anew."""

    def of(self, call: str | None, tool_call: str) -> EarlyRun | None:
        """Return the early run of a call; None when it was not started."""
        return self._runs.get((call or "", tool_call))

    async def discard(self) -> None:
        """Stop what still runs and drop every result."""
        tasks = [run.task for run in self._runs.values() if run.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, event: ToolRequested) -> None:
        tool = self.tools.get(event.name)
        key = (event.call or "", event.tool_call)
        if tool is None or not tool.concurrent or tool.permission is not Permission.ALLOW or key in self._runs:
            return
        parsed = parse_args((event.arguments or "",))
        if parsed.ok:
            run = self._runs[key] = EarlyRun(dict(parsed.args))
            run.task = asyncio.create_task(self.start(event, tool, run))
