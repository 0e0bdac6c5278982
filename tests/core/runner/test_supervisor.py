from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from roundwatch.core.policies import AttemptCount
from roundwatch.core.rounds import Verdict
from roundwatch.core.rounds.events import SupervisorVerdict, ThreadState, ThreadSupervised
from roundwatch.core.runner import SCRIPT_HEADER, Agent, RoundResult, Runner, Task
from roundwatch.core.runner.recorder import Publish
from roundwatch.core.runner.script import Counts, Finish, HttpError, Reply, Script, Text
from roundwatch.core.runner.supervised_round import Supervision
from roundwatch.core.runner.supervisor import Supervisor

from tests.core.runner.stand import Stand

SAYS_YES = Reply((Text("Yes."), Finish("stop")), Counts(1, 1))
FORBIDDEN = Reply(error=HttpError(403, "permission_error", "The key is exhausted."))
TASK = Task("Go.", "clerk", thread="t", headers={SCRIPT_HEADER: "clerk"})


@pytest.fixture
def supervisor(stand: Stand) -> Supervisor:
    async def launch(task: Task, publish: Publish) -> RoundResult:
        async with Runner(publish, agents=[Agent("clerk", model="gpt")], models=stand.models) as runner:
            return await runner.run(task)

    return Supervisor(Supervision(launch, stand.publish))


async def test_only_answers_are_counted_as_attempts(stand: Stand, supervisor: Supervisor) -> None:
    stand.provider.scripts["clerk"] = Script((FORBIDDEN, SAYS_YES))
    assert supervisor.attempts("t") == AttemptCount(0, 0, 0)
    forbidden, answered, missing = [
        await supervisor.run(replace(TASK, round=name, agent=agent))
        for name, agent in (("a", "clerk"), ("b", "clerk"), ("c", "ghost"))
    ]
    assert (forbidden.outcome.verdict, answered.outcome.verdict) == (Verdict.PROVIDER_ERROR, Verdict.COMPLETED)
    assert (missing.infrastructure, forbidden.infrastructure) == ("reviewer agent not found", None)
    assert supervisor.attempts("t") == AttemptCount(spent=1, infrastructure=1, failed=1)


async def test_an_idle_thread_without_an_answer_is_parked_and_may_be_woken(
    stand: Stand, supervisor: Supervisor
) -> None:
    stand.provider.scripts["clerk"] = Script((FORBIDDEN, SAYS_YES))
    await supervisor.run(replace(TASK, round="a"))
    assert await supervisor.look("t")
    await supervisor.wake(replace(TASK, round="b"))
    assert not await supervisor.look("t")
    words = stand.only(ThreadSupervised)
    assert [(word.verdict, word.state, word.summary.round) for word in words] == [
        (SupervisorVerdict.PARKED, ThreadState.IDLE, "a"), (SupervisorVerdict.WOKEN, ThreadState.IDLE, "a"),
    ]  # fmt: skip
    summary = supervisor.threads["t"].summary
    assert summary is not None
    assert (summary.round, summary.text) == ("b", "Yes.")


async def test_a_thread_has_one_round_at_a_time_and_threads_do_not_wait_for_each_other(
    stand: Stand, supervisor: Supervisor
) -> None:
    stand.provider.scripts["clerk"] = Script((SAYS_YES,), repeat_last=True)
    first = asyncio.create_task(supervisor.run(replace(TASK, round="a")))
    await asyncio.sleep(0)
    with pytest.raises(ValueError, match="'a' of thread 't' is still in flight"):
        await supervisor.run(replace(TASK, round="b"))
    other = await supervisor.run(replace(TASK, round="c", thread="u"))
    assert ((await first).outcome.verdict, other.outcome.verdict) == (Verdict.COMPLETED, Verdict.COMPLETED)
    assert supervisor.attempts("u").spent == 1


async def test_a_task_without_a_thread_cannot_be_supervised(supervisor: Supervisor) -> None:
    with pytest.raises(ValueError, match="needs a thread"):
        await supervisor.run(replace(TASK, thread=None))
    with pytest.raises(KeyError):
        await supervisor.look("unknown")
