from __future__ import annotations

import pytest
from roundwatch.core.policies import FORK_MAX_ITERATIONS
from roundwatch.core.rounds import Event, Ledger, StoppedWhy
from roundwatch.core.rounds.base import Limits, Parent
from roundwatch.core.rounds.events import RoundStarted, RoundStopped, RoundWarning
from roundwatch.core.runner import Rules, Settings, Task
from roundwatch.core.runner.recorder import Recorder
from roundwatch.core.runner.stops import Stops

FORK = Parent(round="top", tool_call="t")


class Judge:
    """Stops of one round, and what they published."""

    def __init__(
        self, rules: Rules | None = None, *, parent: Parent | None = None, limits: Limits | None = None
    ) -> None:
        self.events: list[Event] = []
        self.iterations = 0
        ledger = Ledger()
        ledger.apply(RoundStarted(round="r"))
        task = Task("Go.", "clerk", round="r", parent=parent, limits=limits or Limits())
        recorder = Recorder("r", self._publish, ledger)
        self._stops = Stops(Settings(rules=rules or Rules()), task, recorder, {})

    async def _publish(self, event: Event) -> None:
        self.events.append(event)

    async def after(self, *errors: bool, refused: bool = False, cancelled: bool = False) -> RoundStopped | None:
        self.iterations += 1
        return await self._stops.after(errors, refused=refused, cancelled=cancelled, iterations=self.iterations)


@pytest.mark.parametrize("parent", [None, FORK])
async def test_three_iterations_of_nothing_but_errors_stop_a_round_and_a_fork_alike(parent: Parent | None) -> None:
    judge = Judge(parent=parent)
    assert [await judge.after(True), await judge.after(True, True)] == [None, None]
    stop = await judge.after(True)
    assert stop is not None
    assert (stop.why, stop.used, stop.all_refused) == (StoppedWhy.STALLED_ITERATIONS, 3, False)
    assert [event.code for event in judge.events if isinstance(event, RoundWarning)] == ["stalled_iterations"]


@pytest.mark.parametrize(("refusals", "all_refused"), [((True, True, True), True), ((True, False, True), False)])
async def test_only_a_streak_of_refusals_is_said_to_be_cut(refusals: tuple[bool, ...], all_refused: bool) -> None:
    judge = Judge()
    stops = [await judge.after(True, refused=refused) for refused in refusals]
    assert stops[-1] is not None
    assert stops[-1].all_refused is all_refused
    assert ("max_tokens" in (stops[-1].error or "")) is all_refused
    assert "max_tokens" not in str(judge.events)


async def test_a_success_and_a_cancelled_iteration_begin_anew() -> None:
    judge = Judge()
    for _ in range(3):
        assert await judge.after(True) is None
        assert await judge.after(True) is None
        assert await judge.after(True, False) is None
    assert await judge.after(True) is None
    assert await judge.after(True) is None
    assert await judge.after(True, cancelled=True) is None
    assert await judge.after(True) is None


async def test_an_unguarded_fork_is_bound_by_iterations_alone() -> None:
    judge = Judge(Rules(guard_forks=False), parent=FORK)
    for _ in range(FORK_MAX_ITERATIONS - 1):
        assert await judge.after(True, refused=True) is None
    stop = await judge.after(True, refused=True)
    assert stop is not None
    assert (stop.why, stop.limit) == (StoppedWhy.ITERATIONS, FORK_MAX_ITERATIONS)


async def test_an_unguarded_fork_keeps_its_own_limit() -> None:
    judge = Judge(Rules(guard_forks=False), parent=FORK, limits=Limits(iterations=5))
    stops = [await judge.after(True) for _ in range(5)]
    assert stops[-1] is not None
    assert stops[:4] == [None] * 4


async def test_the_guard_of_the_turn_has_a_switch_of_its_own() -> None:
    judge = Judge(Rules(guard_iterations=False))
    assert [await judge.after(True) for _ in range(20)] == [None] * 20
