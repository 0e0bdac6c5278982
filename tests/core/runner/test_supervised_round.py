from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from roundwatch.core.policies import Attempt
from roundwatch.core.rounds import CallError, CallOutcome, CancelledBy, Event, Ledger, Verdict, classify
from roundwatch.core.rounds.events import (
    CallFinished,
    CallStarted,
    CancelRequested,
    RoundStarted,
    ThreadSupervised,
    ToolRequested,
    ToolStarted,
)
from roundwatch.core.runner import SCRIPT_HEADER, Agent, Cancellation, RoundResult, Runner, Task
from roundwatch.core.runner.recorder import Publish
from roundwatch.core.runner.script import Counts, Finish, Reply, Script, Text, Wait
from roundwatch.core.runner.supervised_round import (
    SHUTDOWN,
    Feedback,
    HostLost,
    Settled,
    SupervisedRound,
    Supervision,
)
from roundwatch.core.runner.threads import ThreadRecord

from tests.core.runner.stand import Stand

SAYS_YES = Reply((Text("Yes."), Finish("stop")), Counts(1, 1))
Host = Callable[[Task, Publish], Awaitable[RoundResult]]


class Watched:
    """A supervised round whose launches are given one by one; the last one is repeated."""

    def __init__(self, stand: Stand, *hosts: Host, **how: Any) -> None:
        self.stand = stand
        self.filed: list[Feedback] = []
        self.tasks: list[Task] = []
        self._hosts = list(hosts)
        self.record = ThreadRecord("t")
        self.how = Supervision(self._launch, stand.publish, pause_s=0.0, file_feedback=self._file, **how)

    async def _file(self, feedback: Feedback) -> None:
        self.filed.append(feedback)

    async def _launch(self, task: Task, publish: Publish) -> RoundResult:
        self.tasks.append(task)
        host = self._hosts.pop(0) if len(self._hosts) > 1 else self._hosts[0]
        return await host(task, publish)

    async def run(self, **task: Any) -> Settled:
        given = Task("Go.", "clerk", round="r", thread="t", headers={SCRIPT_HEADER: "clerk"}, **task)
        async with asyncio.timeout(30):
            return await SupervisedRound(self.how, given, self.record).run()

    @property
    def words(self) -> list[tuple[str, int, int | None]]:
        events = self.stand.only(ThreadSupervised)
        return [(event.verdict.value, len(event.cuts), event.relaunches) for event in events]


@pytest.fixture
def runs(stand: Stand) -> Host:
    """A host that lives."""
    stand.provider.scripts["clerk"] = Script((SAYS_YES,), repeat_last=True)

    async def run(task: Task, publish: Publish) -> RoundResult:
        async with Runner(publish, agents=[Agent("clerk", model="gpt")], models=stand.models) as runner:
            return await runner.run(task)

    return run


async def dies(task: Task, publish: Publish) -> RoundResult:
    await publish(RoundStarted(round=task.round, thread=task.thread))
    raise HostLost("roll")


async def hangs(task: Task, publish: Publish) -> RoundResult:
    await publish(RoundStarted(round=task.round, thread=task.thread))
    await asyncio.Event().wait()
    raise AssertionError


async def test_a_round_whose_host_lives_is_settled_and_nothing_is_said_of_its_thread(stand: Stand, runs: Host) -> None:
    watched = Watched(stand, runs)
    settled = await watched.run()
    assert (settled.outcome.verdict, settled.attempt, settled.diagnosis) == (Verdict.COMPLETED, Attempt.SPENT, None)
    assert settled.write is not None
    assert settled.write.text == "Yes."
    assert (watched.words, watched.filed) == ([], [])


async def test_a_cut_round_is_relaunched_with_calls_of_its_own_and_may_still_answer(stand: Stand, runs: Host) -> None:
    watched = Watched(stand, dies, runs)
    settled = await watched.run()
    assert (settled.outcome.verdict, settled.attempt) == (Verdict.COMPLETED, Attempt.SPENT)
    assert watched.words == [("relaunched", 1, 1)]
    assert [task.call_prefix for task in watched.tasks] == ["c", "r1c"]
    assert [call.id for call in stand.round.calls] == ["r1c1"]


async def test_every_cut_counts_and_the_one_after_the_last_relaunch_ends_it(stand: Stand) -> None:
    watched = Watched(stand, dies)
    settled = await watched.run()
    assert watched.words == [("relaunched", 1, 1), ("relaunched", 2, 2), ("gave_up", 3, 2)]
    assert (settled.outcome.verdict, settled.attempt) == (Verdict.SUPERVISOR_GAVE_UP, Attempt.FAILED)
    assert classify(stand.round) == settled.outcome
    assert settled.diagnosis is not None
    assert [feedback.text for feedback in watched.filed] == [settled.diagnosis]
    assert watched.record.summary is not None
    assert watched.record.summary.text == f"Error: {settled.diagnosis}"
    assert {cut.cause for event in stand.only(ThreadSupervised) for cut in event.cuts} == {"roll"}


@pytest.mark.parametrize("cap", [0, 1])
async def test_the_cap_can_be_set(stand: Stand, cap: int) -> None:
    watched = Watched(stand, dies, cap=cap)
    await watched.run()
    assert (len(watched.words), watched.words[-1]) == (cap + 1, ("gave_up", cap + 1, cap))


async def test_a_host_that_is_lost_before_it_says_a_word_leaves_a_round_that_can_be_seen(stand: Stand) -> None:
    async def gone(task: Task, publish: Publish) -> RoundResult:
        raise HostLost

    settled = await Watched(stand, gone).run()
    assert settled.outcome.verdict is Verdict.SUPERVISOR_GAVE_UP
    assert stand.types()[:2] == ["round.started", "thread.supervised"]
    assert classify(stand.round).verdict is Verdict.SUPERVISOR_GAVE_UP


async def test_a_host_that_shuts_down_is_a_cut_and_not_a_cancelled_round(stand: Stand, runs: Host) -> None:
    async def shut_down(task: Task, publish: Publish) -> RoundResult:
        stand.provider.scripts["clerk"] = Script((Reply((Text("Let me", rate=1e6), Wait(1e6))),), repeat_last=True)
        host = asyncio.ensure_future(runs(task, publish))
        await asyncio.sleep(0.2)
        host.cancel()
        return await host

    settled = await Watched(stand, shut_down, cap=0).run()
    assert (settled.outcome.verdict, stand.only(ThreadSupervised)[0].cuts[0].cause) == (
        Verdict.SUPERVISOR_GAVE_UP, SHUTDOWN,
    )  # fmt: skip


async def test_whatever_else_a_host_dies_of_goes_on_record(stand: Stand) -> None:
    async def breaks(task: Task, publish: Publish) -> RoundResult:
        raise RuntimeError("out of memory")

    await Watched(stand, breaks, cap=0).run()
    assert stand.only(ThreadSupervised)[0].cuts[0].cause == "RuntimeError: out of memory"


async def test_a_host_that_falls_silent_is_lost_and_is_not_heard_any_more(stand: Stand, runs: Host) -> None:
    late: list[bool] = []

    async def silent(task: Task, publish: Publish) -> RoundResult:
        try:
            return await hangs(task, publish)
        finally:
            late.append(True)
            await publish(RoundStarted(round=task.round, title="too late"))

    watched = Watched(stand, silent, runs, stale_s=0.2)
    settled = await watched.run()
    assert settled.outcome.verdict is Verdict.COMPLETED
    assert watched.words[:2] == [("stale", 0, 0), ("relaunched", 1, 1)]
    assert stand.only(ThreadSupervised)[1].cuts[0].cause == "no event for 0.2 s"
    assert late
    assert stand.round.title is None


async def test_a_running_tool_is_no_silence(stand: Stand) -> None:
    async def works(task: Task, publish: Publish) -> RoundResult:
        await publish(RoundStarted(round=task.round, thread=task.thread))
        await publish(ToolRequested(round=task.round, tool_call="t1", name="build", arguments="{}"))
        await publish(ToolStarted(round=task.round, tool_call="t1"))
        await asyncio.sleep(0.5)
        raise HostLost("roll")

    watched = Watched(stand, works, stale_s=0.1, cap=0)
    await watched.run()
    assert watched.words == [("gave_up", 1, 0)]


async def test_a_persons_stop_reaches_every_host_and_is_the_cause(stand: Stand, runs: Host) -> None:
    stand.provider.scripts["clerk"] = Script((Reply((Text("Let me", rate=1e6), Wait(1e6))),), repeat_last=True)
    cancel = Cancellation()
    stand.on_event = lambda event: cancel.request(CancelledBy.USER) if event.type == "call.output" else None
    settled = await Watched(stand, dies, runs).run(cancel=cancel)
    assert (settled.outcome.verdict, settled.outcome.facts["by"]) == (Verdict.CANCELLED, "user")


async def test_the_supervisors_own_end_ends_the_host_and_tells_it(stand: Stand, runs: Host) -> None:
    stand.provider.scripts["clerk"] = Script((Reply((Text("Let me", rate=1e6), Wait(1e6))),), repeat_last=True)
    spoke = asyncio.Event()
    stand.on_event = lambda event: spoke.set() if event.type == "call.output" else None
    watched = Watched(stand, runs)
    running = asyncio.create_task(watched.run())
    await spoke.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (classify(stand.round).verdict, watched.record.current_round) == (Verdict.CANCELLED, None)


async def test_the_error_of_the_round_in_flight_is_told_as_its_own(stand: Stand) -> None:
    async def fails(task: Task, publish: Publish) -> RoundResult:
        error = CallError(kind="rate_limit_error", http_status=429, message="Slow down.")
        await publish(RoundStarted(round=task.round, thread=task.thread))
        await publish(CallStarted(round=task.round, call=f"{task.call_prefix}1"))
        await publish(
            CallFinished(
                round=task.round,
                call=f"{task.call_prefix}1",
                outcome=CallOutcome.FAILED,
                finish_reason=None,
                error=error,
            )
        )
        raise HostLost("roll")

    watched = Watched(stand, fails)
    settled = await watched.run()
    gave_up = stand.only(ThreadSupervised)[-1]
    assert (gave_up.status_line, gave_up.is_error) == ("HTTP 429: Slow down.", True)
    assert settled.diagnosis is not None
    assert 'Last error: "HTTP 429: Slow down.".' in settled.diagnosis
    assert settled.outcome.verdict is Verdict.PROVIDER_ERROR  # the table reads the last call before the supervisor
    assert watched.record.summary is not None
    assert watched.record.summary.text == f"Error: {settled.diagnosis}"
    assert [feedback.text for feedback in watched.filed] == [settled.diagnosis]


async def test_a_round_that_a_person_stopped_is_not_filed(stand: Stand) -> None:
    async def stopped(task: Task, publish: Publish) -> RoundResult:
        await publish(RoundStarted(round=task.round, thread=task.thread))
        await publish(CancelRequested(round=task.round, by=CancelledBy.USER))
        raise HostLost("roll")

    watched = Watched(stand, stopped, cap=0)
    settled = await watched.run()
    assert (settled.outcome.verdict, settled.diagnosis, watched.filed) == (Verdict.CANCELLED, None, [])


async def test_a_word_carries_the_time_of_the_clock_it_was_given(stand: Stand) -> None:
    now = datetime(2026, 3, 2, tzinfo=UTC)
    await Watched(stand, dies, cap=0, clock=lambda: now).run()
    [word] = stand.only(ThreadSupervised)
    assert (word.at, word.cuts[0].at) == (now, now)


async def test_its_own_account_and_that_of_a_watcher_agree(stand: Stand) -> None:
    seen: list[Event] = []
    stand.on_event = seen.append
    settled = await Watched(stand, dies).run()
    ledger = Ledger()
    ledger.apply_all(seen)
    assert classify(ledger.rounds["r"]) == settled.outcome
