from __future__ import annotations

import asyncio

from roundwatch.core.policies import SelectionPhase
from roundwatch.core.rounds import CancelledBy
from roundwatch.core.runner import Agent, Cancellation
from roundwatch.core.runner.catalogue import CAUSE_CHARS, Catalogue

CLERK, PILOT = Agent("clerk"), Agent("pilot")
PATIENCE_S = 30.0


def test_a_pick_that_is_there_is_found_at_once() -> None:
    selection, agent = Catalogue([CLERK, PILOT]).begin("pilot", PATIENCE_S)
    assert (selection.phase, agent) == (SelectionPhase.RESOLVED, PILOT)


def test_who_is_not_picked_gets_the_first() -> None:
    selection, agent = Catalogue([CLERK, PILOT]).begin(None, PATIENCE_S)
    assert (selection.agent, agent) == ("clerk", CLERK)


def test_a_complete_catalogue_is_not_waited_for() -> None:
    selection, agent = Catalogue([CLERK]).begin("ghost", PATIENCE_S)
    assert (selection.phase, selection.available, agent) == (SelectionPhase.UNRESOLVED, ("clerk",), None)
    assert Catalogue([]).begin(None, PATIENCE_S)[0].phase is SelectionPhase.NO_DEFAULT


def test_an_agent_is_made_when_it_is_picked_and_not_before() -> None:
    made: list[str] = []

    def build() -> Agent:
        made.append("pilot")
        return PILOT

    catalogue = Catalogue([CLERK])
    catalogue.add_build("pilot", build)
    assert (catalogue.names, catalogue.begin("clerk", 0.0)[1], made) == (("clerk", "pilot"), CLERK, [])
    assert (catalogue.begin("pilot", 0.0)[1], made) == (PILOT, ["pilot"])


def test_whatever_a_build_raises_is_why_the_agent_cannot_be_built() -> None:
    def build() -> Agent:
        raise KeyError("x" * 1000)

    catalogue = Catalogue()
    catalogue.add_build("pilot", build)
    selection, agent = catalogue.begin("pilot", 0.0)
    assert (selection.phase, agent) == (SelectionPhase.UNBUILDABLE, None)
    assert selection.cause is not None
    assert selection.cause.startswith("KeyError: ")
    assert len(selection.cause) == CAUSE_CHARS


async def settled(catalogue: Catalogue, picked: str | None, wait_s: float, stop: Cancellation | None = None) -> str:
    selection, _ = catalogue.begin(picked, wait_s)
    assert selection.phase is SelectionPhase.WAITING
    async with asyncio.timeout(PATIENCE_S):
        return (await catalogue.settle(selection, stop or Cancellation()))[0].phase


async def test_a_catalogue_that_fills_is_waited_for_until_the_pick_comes() -> None:
    catalogue = Catalogue(complete=False)
    waiting = asyncio.create_task(settled(catalogue, "pilot", PATIENCE_S))
    await asyncio.sleep(0)
    catalogue.add(CLERK)
    await asyncio.sleep(0.01)
    assert not waiting.done()
    catalogue.add(PILOT)
    assert await waiting == SelectionPhase.RESOLVED


async def test_an_agent_that_comes_before_anybody_waits_is_not_missed() -> None:
    catalogue = Catalogue(complete=False)
    selection, _ = catalogue.begin("pilot", PATIENCE_S)
    catalogue.add(PILOT)
    assert (await catalogue.settle(selection, Cancellation()))[1] is PILOT


async def test_the_wait_is_bounded() -> None:
    assert await settled(Catalogue([CLERK], complete=False), "ghost", 0.01) == SelectionPhase.UNRESOLVED
    assert await settled(Catalogue(complete=False), None, 0.01) == SelectionPhase.NO_DEFAULT


async def test_a_catalogue_that_is_complete_ends_the_wait() -> None:
    catalogue = Catalogue([CLERK], complete=False)
    waiting = asyncio.create_task(settled(catalogue, "ghost", 1e6))
    await asyncio.sleep(0)
    catalogue.complete()
    assert await waiting == SelectionPhase.UNRESOLVED


async def test_a_request_to_stop_ends_the_wait_without_a_word_about_the_pick() -> None:
    stop = Cancellation()
    waiting = asyncio.create_task(settled(Catalogue(complete=False), "ghost", 1e6, stop))
    await asyncio.sleep(0)
    stop.request(CancelledBy.USER)
    assert await waiting == SelectionPhase.WAITING
    assert asyncio.all_tasks() == {asyncio.current_task()}
