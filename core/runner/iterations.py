"""The iterations of a round: a response, its tool calls, and again until the model answers or a limit is met."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..policies.refusal import refuse
from ..rounds.base import CallOutcome, CancelledBy, RefusedWhy, StoppedWhy
from ..rounds.events import IterationCompleted, RoundStopped
from ..rounds.reasons import StopReason
from ..rounds.tool_calls import ToolCall
from ..rounds.verdicts import TRUNCATION_MARKER
from . import refusal
from .admission import Admission
from .agents import Agent, Model, Task
from .continuing import Continuing
from .cut_warnings import warn_cut_answer, warn_cut_tools
from .forced_summary import LIMITS, write_summary
from .messages import Assistant, Message, Request, ToolUse, User
from .recorder import Recorder
from .response import Response
from .retry import Retrying
from .stops import Stops
from .thinking import thinking_of
from .tool_turn import RunChild, ToolTurn

if TYPE_CHECKING:
    from .loop import Runner

SET_ASIDE = frozenset((StopReason.FILTERED, StopReason.REFUSED, StopReason.MALFORMED, StopReason.PAUSED))
"""The provider took the response back or broke it off itself: its tool calls are not run, the round ends."""


@dataclass(frozen=True)
class Waiting:
    """Where a round stands that waits for an approval."""

    response: Response
    turn: ToolTurn
    tool: ToolCall
    """The call that is asked about."""


class Iterations:
    """The loop of one round; how it ended stands in the recorder's round."""

    def __init__(
        self, runner: Runner, task: Task, recorder: Recorder, agent: Agent, model: Model, run_child: RunChild
    ) -> None:
        self._runner = runner
        self._task = task
        self._recorder = recorder
        self._agent = agent
        self._model = model
        self._run_child = run_child
        self._rules = runner.settings.rules
        self._messages: list[Message] = [User(task.prompt)]
        self._began_s = time.monotonic()
        self._iterations = 0
        self._stops = Stops(runner.settings, task, recorder, runner.models)
        retrying = Retrying(task, model, recorder, runner.settings, lambda: runner.transport, runner.chance)
        self._calls = Continuing(retrying, task, model, recorder, runner.memory, self._rules)
        self._tools = {tool.name: tool for tool in agent.tools}
        self.waiting: Waiting | None = None
        """Set while an approval is open that nobody has decided yet."""
        self.answer = ""
        """The text of the last response, without any marker."""

    @property
    def transcript(self) -> tuple[Message, ...]:
        """The conversation as it stands."""
        return tuple(self._messages)

    async def resume(self, waiting: Waiting, *, approved: bool) -> None:
        """Go on with the answer to the approval that was open, then as ``run``."""
        self.waiting = None
        await waiting.turn.admission.decide(waiting.tool, approved=approved)
        await self.run(goes_on=await self._after(waiting.response, waiting.turn))

    async def run(self, *, goes_on: bool = True) -> None:
        """Go on until the model answers, a call fails, something stops the round, or an approval stays open."""
        while goes_on and not await self._out_of_time():
            turn = self._turn(overlap=self._rules.overlap)
            response = await self._respond(turn)
            if response is None or response.interrupted:
                await self._out_of_time()
            if response is None:
                return
            self.answer = response.text
            turn.begin(response)
            if response.outcome is not CallOutcome.COMPLETED or response.interrupted:
                await turn.abandon()
                return
            self._iterations += 1
            goes_on = await self._after(response, turn)

    async def _respond(self, turn: ToolTurn) -> Response | None:
        try:
            return await self._calls.respond(await self._request(), turn.early, iteration=self._iterations + 1)
        except BaseException:
            await turn.early.discard()  # what started early must not outlive its response
            raise

    async def _request(self) -> Request:
        if self._agent.prepare is not None:
            self._messages = await self._agent.prepare(self._messages)
        return Request(
            tuple(self._messages),
            self._agent.instructions,
            self._agent.tools,
            thinking=await thinking_of(self._rules, self._model, self._recorder, self._runner.memory),
            stream=self._rules.stream,
        )

    def _turn(self, *, overlap: bool) -> ToolTurn:
        settings = self._runner.settings
        admission = Admission(
            self._tools,
            self._recorder,
            self._task.cancel,
            settings.approver,
            check_arguments=self._rules.check_arguments,
            ask_approval=self._rules.ask_approval,
            may_wait=self._task.parent is None,  # a parent waits for its sub-agent, so that one cannot
        )
        overlap = overlap and self._rules.stream
        return ToolTurn(admission, self._run_child, self._runner.memory, settings.hooks, self._model.wire, overlap)

    async def _after(self, response: Response, turn: ToolTurn) -> bool:
        """Answer the tool calls of a response; return whether another one follows."""
        if not turn.requested:
            await self._end(response)
            return False
        refused = await self._refused(response, turn)
        if not refused and response.last.judged_reason in SET_ASIDE:
            await turn.refuse_all(RefusedWhy.POLICY, refusal.WITHHELD)
            await self._complete(goes_on=False)
            return False
        if not refused:
            await turn.run_all()
            if turn.undecided is not None:
                self.waiting = Waiting(response, turn, turn.undecided)
                return False
        uses, results = turn.ordered()
        self._say(response, uses)
        self._messages += results
        cancelled = self._task.cancel.requested
        stop = await self._stops.after(turn.errors, refused=refused, cancelled=cancelled, iterations=self._iterations)
        if cancelled:
            await self._complete(goes_on=False)
            return not await self._out_of_time()
        await self._complete(goes_on=stop is None)
        if stop is not None:
            await self._stop(stop)
        return stop is None

    async def _refused(self, response: Response, turn: ToolTurn) -> bool:
        """Refuse the calls of a cut response: drop what had started, warn once, answer each; False = it is not cut."""
        refused = refuse(response.stop_reason, turn.calls) if self._rules.refuse_cut_calls else None
        if refused is None:
            return False
        await turn.early.discard()
        if self._rules.warn_cuts:
            await warn_cut_tools(
                self._recorder,
                response.last,
                [call.name for call in refused.calls],
                iteration=self._iterations,
                subagent=self._subagent,
                drops_early_results=refused.drops_early_results,
            )
        await turn.refuse(refused)
        return True

    async def _end(self, response: Response) -> None:
        """The response asks for nothing more: it is the round's last."""
        self._say(response)
        await self._complete(goes_on=False)
        if response.is_cut and self._rules.warn_cuts:
            await warn_cut_answer(
                self._recorder,
                response.last,
                iterations=self._iterations,
                subagent=self._subagent,
                has_partial=bool(response.text.strip()),
            )

    def _say(self, response: Response, uses: tuple[ToolUse, ...] = ()) -> None:
        """Commit what the model said; a cut answer with its marker."""
        text = response.text
        if response.is_cut and not uses and text.strip() and self._rules.mark_cut_answers:
            text += TRUNCATION_MARKER
        if text or uses:
            self._messages.append(Assistant(text, uses, response.message_id))

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

    async def _stop(self, stop: RoundStopped) -> None:
        if stop.why in LIMITS and self._rules.summary_after_limit:
            response = await write_summary(
                self._calls,
                await self._request(),
                self._turn(overlap=False),
                iteration=self._iterations + 1,
                warns=self._rules.warn_cuts,
            )
            if response is not None:
                self._say(response)
            else:
                await self._recorder.tell_cancel(self._task.cancel)
        await self._recorder.put(stop)

    @property
    def _subagent(self) -> str | None:
        """The agent's name when the round works for another one."""
        return self._agent.name if self._task.parent is not None else None
