from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from roundwatch.core.hub import HubRefused, Link, LinkState
from roundwatch.tui.feed import FeedState
from roundwatch.tui.pump import CLOSE_WITHIN_S, Pump
from roundwatch.tui.source import SourceItem
from roundwatch.tui.watched import Watched

from tests.scenes import answer, live


class Told:
    """A source that sends, then ends or raises."""

    is_recording = False

    def __init__(self, items: list[SourceItem], error: Exception | None = None) -> None:
        self._items = items
        self._error = error

    async def items(self) -> AsyncGenerator[SourceItem]:
        for item in self._items:
            yield item
        if self._error is not None:
            raise self._error


async def pumped(source: Told) -> tuple[Watched, int]:
    watched = Watched()
    changes: list[int] = []
    done = asyncio.Event()

    def changed() -> None:
        changes.append(watched.revision)
        if watched.feed.state in (FeedState.ENDED, FeedState.REFUSED, FeedState.FAILED):
            done.set()

    pump = Pump(source, watched, changed, lambda: 0.0)
    pump.start()
    await asyncio.wait_for(done.wait(), 10)
    await pump.stop()
    return watched, len(changes)


async def test_everything_that_comes_is_folded_and_told() -> None:
    items = live(answer())
    watched, changes = await pumped(Told(items))
    assert len(watched.ledger.rounds) == 1
    assert changes == len(items) + 1
    assert watched.feed.state is FeedState.ENDED


async def test_a_refusal_and_a_fault_are_two_things() -> None:
    refused, _ = await pumped(Told([], HubRefused("HTTP 401")))
    assert (refused.feed.state, refused.feed.reason) == (FeedState.REFUSED, "HTTP 401")
    failed, _ = await pumped(Told([], ZeroDivisionError("oh")))
    assert (failed.feed.state, failed.feed.reason) == (FeedState.FAILED, "ZeroDivisionError: oh")


async def test_keys_and_drawing_get_their_turn_in_a_long_replay() -> None:
    watched, clock = Watched(), [0.0]

    def monotonic() -> float:
        clock[0] += 0.006  # every look at the clock costs as much as folding a few events
        return clock[0]

    pump = Pump(Told(live([*answer()] * 50)), watched, lambda: None, monotonic)
    pump.start()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert 0 < watched.revision < 100
    await pump.stop()


async def test_stopping_leaves_a_source_behind_that_does_not_close() -> None:
    release = asyncio.Event()

    class Stubborn:
        is_recording = False

        async def items(self) -> AsyncGenerator[SourceItem]:
            try:
                yield Link(LinkState.CONNECTING)
                await asyncio.Event().wait()
            finally:
                await release.wait()

    pump = Pump(Stubborn(), Watched(), lambda: None, lambda: 0.0)
    pump.start()
    await asyncio.sleep(0)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await pump.stop()
    assert loop.time() - began < CLOSE_WITHIN_S + 10
    release.set()
