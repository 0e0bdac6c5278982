"""One round while it runs: its start, who answers it, and its end, whatever happened in between."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..rounds.base import CancelledBy, Parent, StoppedWhy
from ..rounds.events import (
    NoModelCause,
    NoUsableModel,
    RoundFinished,
    RoundStarted,
    RoundStopped,
)
from ..rounds.ledger import Ledger
from ..rounds.outcome import classify
from ..rounds.tool_calls import ToolCall
from ..rounds.verdicts import TRUNCATION_MARKER, ParentOutcome, Verdict
from .agents import WIRES, Model, RoundResult, Task
from .iterations import Iterations
from .messages import Message
from .pick import Pick
from .recorder import Recorder

if TYPE_CHECKING:
    from .loop import Runner

log = logging.getLogger(__name__)

ERROR_CHARS = 300


class RunningRound:
    """One round of a runner, from ``round.started`` to ``round.finished``."""

    def __init__(self, runner: Runner, task: Task, ledger: Ledger) -> None:
        self._runner = runner
        self._task = task
        self._recorder = Recorder(task.round, runner.publish, ledger, task.observe)
        self._children = 0
        self._iterations: Iterations | None = None

    async def run(self) -> RoundResult:
        """Play the round, then tell its end, whatever happened in between.

        A round that waits for an undecided approval has no end yet; its result says how to go on.
        """
        return await self._until_it_ends(self._play())

    async def resume(self, approved: bool) -> RoundResult:
        """Go on with the answer to the approval that the round waits for; a time limit begins anew.

        Raises:
            RuntimeError: it waits for none.
        """
        if self._iterations is None or (waiting := self._iterations.waiting) is None:
            raise RuntimeError(f"round {self._task.round} does not wait for an approval")
        return await self._until_it_ends(self._iterations.resume(waiting, approved=approved))

    async def _until_it_ends(self, playing: Coroutine[Any, Any, None]) -> RoundResult:
        timer: asyncio.TimerHandle | None = None
        if (seconds := self._task.limits.seconds) is not None:
            timer = asyncio.get_running_loop().call_later(
                seconds, self._task.cancel.request, CancelledBy.LIMIT, seconds
            )
        try:
            await playing
        except asyncio.CancelledError:
            self._task.cancel.request(CancelledBy.HOST)
            await self._recorder.tell_cancel(self._task.cancel)
            await self._finish()
            raise
        except Exception as error:  # the round task's rim: its end has to be told, whatever went wrong
            log.error("round %s failed: %s", self._task.round, type(error).__name__)
            log.debug("round %s failed", self._task.round, exc_info=True)
            text = f"{type(error).__name__}: {error}"[:ERROR_CHARS]
            await self._recorder.put(RoundStopped(round=self._task.round, why=StoppedWhy.EXCEPTION, error=text))
        finally:
            if timer is not None:
                timer.cancel()
        if self._iterations is None or self._iterations.waiting is None:
            await self._finish()
        return self._result()

    async def _play(self) -> None:
        pick = Pick(self._runner.catalogue, self._task, self._runner.settings.catalogue_wait_s)
        await self._recorder.put(
            RoundStarted(
                round=self._task.round,
                thread=self._task.thread,
                agent=pick.name,
                title=self._task.title,
                model=self._task.model or (pick.agent.model if pick.agent is not None else None),
                parent=self._task.parent,
                harness="api",
                limits=self._task.limits if self._task.limits.model_fields_set else None,
                locale=self._task.locale,
            )
        )
        agent = await pick.settle(self._recorder)
        if agent is None:
            return
        model = await self._usable(self._task.model or agent.model, agent.name)
        if model is not None:
            self._iterations = Iterations(self._runner, self._task, self._recorder, agent, model, self._run_child)
            await self._iterations.run()

    async def _usable(self, wanted: str | None, agent: str) -> Model | None:
        """Return the model that serves the round, or tell why there is none."""
        model = self._runner.models.get(wanted) if wanted is not None else None
        if model is None:
            cause, reason = NoModelCause.NO_MODEL, "no model of this name is set up" if wanted else "none was chosen"
        elif model.wire not in WIRES:
            cause, reason = NoModelCause.NO_FACTORY, f"nothing here speaks the wire '{model.wire}'"
        elif model.needs_key and not model.api_key:
            cause, reason = NoModelCause.NO_CREDENTIAL, f"no API key is set for '{model.provider}'"
        else:
            return model
        await self._recorder.put(
            NoUsableModel(round=self._task.round, requested=wanted, agent=agent, cause=cause, reason=reason)
        )
        return None

    async def _run_child(self, task: Task, tool: ToolCall) -> RoundResult:
        """Run a round below this one: it is stopped with it and recorded in the same ledger."""
        self._children += 1
        child = replace(
            task,
            round=f"{self._task.round}.{self._children}",
            parent=Parent(round=self._task.round, tool_call=tool.id),
        )
        self._task.cancel.link(child.cancel)
        try:
            return await self._runner.delegates.run(child, self._recorder, self._play_child)
        finally:
            self._task.cancel.unlink(child.cancel)

    async def _play_child(self, child: Task) -> RoundResult:
        return await self._runner.run(child, ledger=self._recorder.ledger)

    async def _finish(self) -> None:
        claim = self._task.claim(classify(self._recorder.round))
        await self._recorder.put(RoundFinished(round=self._task.round, claimed=claim))

    def _result(self) -> RoundResult:
        outcome = classify(self._recorder.round)
        text, transcript = "", tuple[Message, ...]()
        if self._iterations is not None:
            transcript = self._iterations.transcript
            if outcome.verdict is Verdict.COMPLETED:
                text = self._iterations.answer
            elif outcome.parent_outcome is ParentOutcome.PARTIAL:
                marker = TRUNCATION_MARKER if self._runner.settings.rules.mark_cut_answers else ""
                text = self._iterations.answer + marker
        waits = self._iterations is not None and self._iterations.waiting is not None
        return RoundResult(
            self._task.round, outcome, text, transcript=transcript, resume=self.resume if waits else None
        )
