"""The iterations of a round: a model call, its tool calls, and again until the model answers or a limit is met."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from ..rounds.base import CallOutcome, CancelledBy, RefusedWhy, StoppedWhy
from ..rounds.calls import Call
from ..rounds.events import IterationCompleted, RoundStopped
from ..rounds.reasons import StopReason
from ..rounds.tool_calls import ToolCall
from . import refusal
from .agents import Agent, Model, RoundResult, Task
from .cut_warnings import warn_cut_answer, warn_cut_tools
from .limits import reached
from .messages import Assistant, Message, User, request_body
from .recorder import Recorder
from .retry import asked_wait_s, delays, is_transient
from .tool_turn import ToolTurn

if TYPE_CHECKING:
    from .loop import Runner

SET_ASIDE = frozenset((StopReason.FILTERED, StopReason.REFUSED, StopReason.MALFORMED, StopReason.PAUSED))
"""The provider took the response back or broke it off itself: its tool calls are not run, the round ends."""


class Iterations:
    """The loop of one round; how it ended stands in the recorder's round."""

    def __init__(
        self,
        runner: Runner,
        task: Task,
        recorder: Recorder,
        agent: Agent,
        model: Model,
        run_child: Callable[[Task, ToolCall], Awaitable[RoundResult]],
    ) -> None:
        self._runner = runner
        self._task = task
        self._recorder = recorder
        self._agent = agent
        self._model = model
        self._run_child = run_child
        self._messages: list[Message] = [User(task.prompt)]
        self._began_s = time.monotonic()
        self._calls = 0
        self._iterations = 0
        self._failed_in_a_row = 0
        self._refused_in_a_row = 0

    async def run(self) -> None:
        """Go on until the model answers, a call fails, or something stops the round."""
        goes_on = True
        while goes_on and not await self._out_of_time():
            call = await self._call()
            if call is None or call.outcome is not CallOutcome.COMPLETED:
                return
            self._iterations += 1
            goes_on = await self._after(call)

    async def _after(self, call: Call) -> bool:
        """Answer the tool calls of a response; return whether another call follows."""
        turn = ToolTurn(
            call,
            {tool.name: tool for tool in self._agent.tools},
            self._recorder,
            self._task.cancel,
            self._run_child,
        )
        if not turn.requested:
            await self._complete(goes_on=False)
            if call.is_cut:
                await warn_cut_answer(self._recorder, call, self._iterations, self._subagent)
            return False
        if call.is_cut:
            await warn_cut_tools(self._recorder, call, self._iterations)
            await turn.refuse_all(RefusedWhy.OUTPUT_CAP, refusal.CUT_TOOL_CALL)
        elif call.judged_reason in SET_ASIDE:
            await turn.refuse_all(RefusedWhy.POLICY, refusal.WITHHELD)
            await self._complete(goes_on=False)
            return False
        else:
            await turn.run_all()
        uses, results = turn.ordered()
        self._messages += [Assistant(call.text, uses), *results]
        if self._task.cancel.requested:
            await self._complete(goes_on=False)
            return not await self._out_of_time()
        self._count_failures(turn, refused=call.is_cut)
        stop = self._stalled() or reached(
            self._recorder.round, self._task.limits, self._runner.models, iterations=self._iterations
        )
        await self._complete(goes_on=stop is None)
        if stop is not None:
            await self._recorder.put(stop)
        return stop is None

    async def _call(self) -> Call | None:
        """Send one request, again while it fails in a way that may pass; None: stopped while waiting."""
        from .call import RunningCall

        if self._agent.prepare is not None:
            self._messages = await self._agent.prepare(self._messages)
        body = request_body(self._model, self._agent.instructions, self._messages, self._agent.tools)
        settings = self._runner.settings
        waits = delays(settings.retry_first_s, settings.retry_cap_s, self._runner.chance)
        for attempt in range(1, settings.attempts + 1):
            self._calls += 1
            running = RunningCall(
                f"{self._task.call_prefix}{self._calls}",
                self._model,
                self._recorder,
                self._runner.transport,
                self._task.cancel,
                settings.stall_s,
            )
            call = await running.run(body, self._task.headers, iteration=self._iterations + 1, attempt=attempt)
            if attempt == settings.attempts or not is_transient(call):
                return call
            asked = asked_wait_s(running.retry_after)
            wait = next(waits) if asked is None else min(asked, settings.retry_cap_s)
            if await self._task.cancel.sleep(wait):
                await self._out_of_time()
                return None
        return None

    async def _out_of_time(self) -> bool:
        """Tell a request to stop that came between two calls; return whether there was one."""
        cancel = self._task.cancel
        if cancel.by is CancelledBy.LIMIT:
            used = round(time.monotonic() - self._began_s, 3)
            await self._recorder.put(
                RoundStopped(round=self._task.round, why=StoppedWhy.WALL_CLOCK, limit=cancel.limit_s, used=used)
            )
        elif cancel.requested:
            await self._recorder.tell_cancel(cancel)
        return cancel.requested

    async def _complete(self, *, goes_on: bool) -> None:
        await self._recorder.put(
            IterationCompleted(round=self._task.round, iteration=self._iterations, will_continue=goes_on)
        )

    def _count_failures(self, turn: ToolTurn, *, refused: bool) -> None:
        self._failed_in_a_row = self._failed_in_a_row + 1 if turn.all_failed else 0
        self._refused_in_a_row = self._refused_in_a_row + 1 if refused else 0

    def _stalled(self) -> RoundStopped | None:
        n = self._failed_in_a_row
        if n < self._runner.settings.stalled_iterations:
            return None
        return RoundStopped(
            round=self._task.round,
            why=StoppedWhy.STALLED_ITERATIONS,
            limit=self._runner.settings.stalled_iterations,
            used=n,
            all_refused=self._refused_in_a_row >= n,
        )

    @property
    def _subagent(self) -> str | None:
        """The agent's name when the round works for another one."""
        return self._agent.name if self._task.parent is not None else None
