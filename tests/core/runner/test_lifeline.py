from __future__ import annotations

from roundwatch.core.rounds import Event
from roundwatch.core.rounds.events import RoundFinished
from roundwatch.core.runner.lifeline import Lifeline


async def test_nothing_passes_once_it_is_cut() -> None:
    seen: list[Event] = []

    async def publish(event: Event) -> None:
        seen.append(event)

    lifeline = Lifeline(publish)
    await lifeline(RoundFinished(round="a"))
    lifeline.cut()
    await lifeline(RoundFinished(round="b"))
    assert seen == [RoundFinished(round="a")]


async def test_it_knows_how_long_nothing_came() -> None:
    async def publish(event: Event) -> None: ...

    times = iter((100.0, 107.5, 108.0, 108.25))
    lifeline = Lifeline(publish, clock=lambda: next(times))
    assert lifeline.silent_s == 7.5
    await lifeline(RoundFinished(round="a"))
    assert lifeline.silent_s == 0.25
