from __future__ import annotations

import asyncio

import pytest
from roundwatch.core.policies import is_not_found_line
from roundwatch.core.rounds import CancelledBy, Event, Verdict, classify
from roundwatch.core.rounds.events import NoUsableModel, RoundStarted, SelectionUnresolved
from roundwatch.core.runner import SCRIPT_HEADER, Agent, Cancellation, Runner, Settings, Task
from roundwatch.core.runner.catalogue import Catalogue
from roundwatch.core.runner.script import Counts, Finish, Reply, Script, Text

from tests.core.runner.stand import Stand

CLERK = Agent("clerk", model="gpt")
SAYS_YES = Reply((Text("Yes."), Finish("stop")), Counts(1, 1))


async def run(
    stand: Stand, picked: str | None, catalogue: Catalogue, *, cancel: Cancellation | None = None, **settings: float
) -> Verdict:
    stand.provider.scripts["s"] = Script((SAYS_YES,))
    task = Task("Go.", picked, round="r", headers={SCRIPT_HEADER: "s"}, cancel=cancel or Cancellation())
    async with (
        asyncio.timeout(30),
        Runner(stand.publish, agents=catalogue, models=stand.models, settings=Settings(**settings)) as runner,  # type: ignore[arg-type]
    ):
        await runner.run(task)
    return classify(stand.round).verdict


async def test_an_explicit_pick_that_matches_nothing_is_marked_with_the_platforms_line(stand: Stand) -> None:
    assert await run(stand, "ghost", Catalogue([CLERK])) is Verdict.SELECTION_UNRESOLVED
    [told] = stand.only(SelectionUnresolved)
    assert (told.requested, told.available) == ("ghost", ("clerk",))
    assert is_not_found_line(told.sentence)
    assert stand.types() == ["round.started", "round.selection_unresolved", "round.finished"]


async def test_who_picks_nobody_gets_the_default_and_its_name_is_recorded(stand: Stand) -> None:
    assert await run(stand, None, Catalogue([CLERK])) is Verdict.COMPLETED
    assert (stand.only(RoundStarted)[0].agent, stand.only(RoundStarted)[0].model) == ("clerk", "gpt")


async def test_without_any_agent_nobody_was_picked_wrongly(stand: Stand) -> None:
    assert await run(stand, None, Catalogue()) is Verdict.NO_USABLE_MODEL
    assert stand.only(NoUsableModel)[0].agent is None
    assert stand.only(SelectionUnresolved) == []


async def test_an_agent_that_cannot_be_built_is_no_unresolved_pick(stand: Stand) -> None:
    def build() -> Agent:
        raise ImportError("no module named 'pilots'")

    catalogue = Catalogue([CLERK])
    catalogue.add_build("pilot", build)
    assert await run(stand, "pilot", catalogue) is Verdict.NO_USABLE_MODEL
    [told] = stand.only(NoUsableModel)
    assert (told.agent, told.cause, told.reason) == ("pilot", "no_factory", "ImportError: no module named 'pilots'")
    assert stand.only(SelectionUnresolved) == []


async def test_a_pick_that_arrives_late_answers_and_the_round_is_seen_meanwhile(stand: Stand) -> None:
    catalogue = Catalogue(complete=False)

    def arrive(event: Event) -> None:
        if isinstance(event, RoundStarted):
            asyncio.get_running_loop().call_later(0.05, catalogue.add, CLERK)

    stand.on_event = arrive
    assert await run(stand, "clerk", catalogue, catalogue_wait_s=30.0) is Verdict.COMPLETED
    assert stand.only(RoundStarted)[0].agent == "clerk"
    assert stand.only(SelectionUnresolved) == []


@pytest.mark.parametrize(
    ("by", "verdict"), [(CancelledBy.USER, Verdict.CANCELLED), (CancelledBy.LIMIT, Verdict.ROUND_TIMED_OUT)]
)
async def test_a_stop_while_waiting_is_the_cause_and_not_the_pick(
    stand: Stand, by: CancelledBy, verdict: Verdict
) -> None:
    cancel = Cancellation()
    stand.on_event = lambda event: cancel.request(by, 1.0) if isinstance(event, RoundStarted) else None
    catalogue = Catalogue(complete=False)
    assert await run(stand, "ghost", catalogue, cancel=cancel, catalogue_wait_s=1e6) is verdict
    assert stand.only(SelectionUnresolved) == []
