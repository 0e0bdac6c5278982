"""The supervised thread of a day: an HTTP 403 long ago, then a round whose host is lost again and again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from roundwatch.core.policies import ThreadReading
from roundwatch.core.rounds import Ledger, classify
from roundwatch.core.rounds.events import ThreadState
from roundwatch.core.runner import Agent, RoundResult, Runner, Task
from roundwatch.core.runner.lifeline import Lifeline
from roundwatch.core.runner.recorder import Publish
from roundwatch.core.runner.script import HttpError, Reply, Text, Wait
from roundwatch.core.runner.supervised_round import Feedback, HostLost, Settled, Supervision
from roundwatch.core.runner.supervisor import Supervisor
from roundwatch.core.runner.threads import ThreadRecord
from roundwatch.core.texts import Texts, banner

from tests.core.runner.proofs_delegates.stack import COUNTS, Stack, claude, real_stack

EARLIER = timedelta(hours=27, minutes=27, seconds=36)
REFUSED = Reply(error=HttpError(403, "permission_error", "The key is exhausted."))
FALLS_SILENT = Reply((Text("Let me look.", rate=1e6), Wait(1e6)), COUNTS)
SAYS_ANSWER = claude(Text("All reconciled."), finish="end_turn")


class Hosts:
    """Runs rounds on hosts; each is lost, with all its connections, as soon as the model has begun to speak."""

    def __init__(self, stack: Stack, losses: int) -> None:
        self._stack = stack
        self._losses = losses

    async def launch(self, task: Task, publish: Publish) -> RoundResult:
        if task.round == "early" or self._losses == 0:
            return await self._run(task, publish)
        self._losses -= 1
        spoke, lifeline = asyncio.Event(), Lifeline(publish)

        def listen(event: Any) -> None:
            if event.type == "call.output":
                spoke.set()

        host = asyncio.create_task(self._run(replace(task, observe=listen), lifeline))
        await spoke.wait()
        lifeline.cut()
        host.cancel()
        await asyncio.gather(host, return_exceptions=True)
        raise HostLost("roll of the host")

    async def _run(self, task: Task, publish: Publish) -> RoundResult:
        agents = [Agent("clerk", model="claude")]
        async with Runner(publish, agents=agents, models=self._stack.models) as runner:
            return await runner.run(task)


async def _thread(losses: int, **how: Any) -> dict[str, Any]:
    now = datetime.now(UTC)
    times = iter([now - EARLIER])
    filed: list[Feedback] = []

    async def file(feedback: Feedback) -> None:
        filed.append(feedback)

    async with real_stack() as stack:
        headers = stack.script("clerk", REFUSED, *[FALLS_SILENT] * losses, SAYS_ANSWER)
        given = Supervision(
            Hosts(stack, losses).launch,
            stack.publish,
            pause_s=0.0,
            clock=lambda: next(times, now),
            file_feedback=file,
            **how,
        )
        supervisor = Supervisor(given)
        task = Task("Reconcile.", "clerk", thread="nightly", headers=headers)
        await supervisor.run(replace(task, round="early"))
        settled = await supervisor.run(replace(task, round="r"))
        ledger = await stack.folded()
    return _found(stack, ledger, supervisor, settled, filed)


def _found(
    stack: Stack, ledger: Ledger, supervisor: Supervisor, settled: Settled, filed: list[Feedback]
) -> dict[str, Any]:
    """What a watcher of the hub sees, and what the supervisor wrote down."""
    outcome = classify(ledger.rounds["r"])
    said = banner(outcome, Texts.load("en"))
    record = supervisor.threads["nightly"]
    return {
        "early": classify(ledger.rounds["early"]).verdict,
        "verdict": outcome.verdict,
        "calls": [call.id for call in ledger.rounds["r"].calls],
        "supervised": [
            [event["verdict"], len(event["cuts"]), event["relaunches"]] for event in stack.of_type("thread.supervised")
        ],
        "summary_round": [event["summary"]["round"] for event in stack.of_type("thread.supervised")],
        "facts": dict(outcome.facts),
        "banner": list(said.sentences),
        "not_established": list(said.not_established),
        "diagnosis": settled.diagnosis,
        "text": settled.write.text if settled.write is not None else None,
        "record": record.summary.text if record.summary is not None else None,
        "filed": [feedback.text for feedback in filed],
        "attempts": repr(supervisor.attempts("nightly")),
    }


async def given_up(on: bool) -> dict[str, Any]:
    """The rule: the last error of a round in flight is its own, and an earlier round's text is told as such."""
    if not on:
        reading = ThreadRecord.reading

        def as_if_idle(self: ThreadRecord) -> ThreadReading:
            return replace(reading(self), state=ThreadState.IDLE)

        patch.object(ThreadRecord, "reading", as_if_idle).start()
    return await _thread(losses=3)


async def relaunched(on: bool) -> dict[str, Any]:
    """The rule: there is a cap, and with the last relaunch used up the round is given up."""
    return await _thread(losses=3, cap=2 if on else 3)
