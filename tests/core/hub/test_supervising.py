from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from roundwatch.core.hub import Hub, SqliteStore, Store, StoreListener, StoreUnavailable
from roundwatch.core.hub.store import Receipt, Submission
from roundwatch.core.hub.supervising import OWNER, Supervising
from roundwatch.core.hub.supervision import SupervisionLimits
from roundwatch.core.rounds import parse_event

from tests.core.hub.peers import dial, heard, heard_until
from tests.core.hub.store_kinds import NOON_S, Clock, wires

SOON = SupervisionLimits(silent_s=0.1, parent_s=0.1, gone_s=0.1)


def started(n: int = 1, producer: str = "p", **fields: object) -> dict[str, object]:
    at = datetime.now(UTC).isoformat()
    return {"type": "round.started", "round": "r1", "thread": "t1", "id": f"{producer}:{n}", "at": at} | fields


async def word(hub: Hub) -> dict[str, Any]:
    async with dial(hub, "/v1/rounds?after=begin") as link:
        return (await heard_until(link, "thread.supervised"))[-1]


@pytest.mark.parametrize(("code", "why"), [(1000, "publisher_left"), (None, "publisher_gone")])
async def test_watchers_hear_of_a_publisher_that_left_a_round_open(tmp_path: Path, code: int | None, why: str) -> None:
    async with Hub(tmp_path / "s.db", port=0, supervision=SOON) as hub:
        async with dial(hub, "/v1/publish") as link:
            await link.send(json.dumps(started()))
            await heard(link)
            if code is None:
                link.transport.abort()
        told = await word(hub)
    assert (told["thread"], told["verdict"], told["by"], told["why"]) == ("t1", "stale", "hub", why)
    assert told["id"].startswith("hub-")
    assert "round r1" in told["status_line"]


async def test_a_connected_publisher_is_told_of_by_its_silent_call(tmp_path: Path) -> None:
    async with Hub(tmp_path / "s.db", port=0, supervision=SOON) as hub, dial(hub, "/v1/publish") as link:
        call = {"type": "call.started", "round": "r1", "call": "c1", "id": "p:2"}
        await link.send(json.dumps([started(), call]))
        assert (await word(hub))["why"] == "silent"


async def test_a_hub_that_was_told_to_says_nothing(tmp_path: Path) -> None:
    async with Hub(tmp_path / "s.db", port=0, supervision=None) as hub:
        async with dial(hub, "/v1/publish") as link:
            await link.send(json.dumps(started()))
            await heard(link)
        await asyncio.sleep(1.5)
    store = SqliteStore(tmp_path / "s.db")
    await store.open(StoreListener())
    assert store.last == 1
    await store.close()


class Bench:
    """Supervision on a real store, with clocks of its own."""

    def __init__(self, store: Store) -> None:
        self.clock, self.wall = Clock(0.0), Clock()
        self.store = store
        self.supervising = Supervising(store, SOON, clock=self.clock, wall=self.wall)

    async def begin(self) -> None:
        """Read the tail as the running task does."""
        task = asyncio.create_task(self.supervising.run())
        while self.supervising.is_recalling:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def publish(self, fields: dict[str, object], n: int, producer: str = "p") -> None:
        event = parse_event(fields)
        batch = [Submission("me", producer, n, json.dumps(fields), "r1", event=event)]
        self.supervising.stored(batch, await self.store.append(batch))


class FailingStore(SqliteStore):
    """A store that commits and then, once, loses the answer: what a broken connection to an engine does."""

    fails = True

    async def append(self, batch: Any) -> list[Receipt]:
        receipts = await super().append(batch)
        if self.fails and batch[0].owner == OWNER:
            self.fails = False
            raise StoreUnavailable("the answer was lost")
        return receipts


def noon() -> dict[str, object]:
    return started(at=datetime.fromtimestamp(NOON_S, UTC).isoformat())


async def opened(path: Path, kind: Callable[[Path], Store] = SqliteStore) -> Store:
    store = kind(path)
    await store.open(StoreListener())
    return store


async def test_a_word_whose_commit_is_unknown_is_stored_once(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db", FailingStore)
    bench = Bench(store)
    await bench.begin()
    await bench.publish(noon(), 1)
    bench.supervising.named("link", "p")
    bench.supervising.gone("link", ["p"], is_clean=True)
    bench.clock.now_s += 1
    with pytest.raises(StoreUnavailable):
        await bench.supervising.look()
    await bench.supervising.look()
    await bench.supervising.look()
    assert len(await wires(store, 1)) == 1
    await store.close()


async def test_after_a_restart_an_open_round_is_said_once_when_its_publisher_stays_away(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    first = Bench(store)
    await first.begin()
    await first.publish(noon(), 1)
    for said in (1, 0):
        again = Bench(store)
        await again.begin()
        again.clock.now_s += 1
        assert await again.supervising.look() == said
    await store.close()


async def test_a_publisher_that_comes_back_after_a_restart_is_not_called_gone(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    first = Bench(store)
    await first.begin()
    await first.publish(noon(), 1)
    again = Bench(store)
    await again.begin()
    again.supervising.connected("link")
    again.clock.now_s += 1
    assert await again.supervising.look() == 0
    again.supervising.named("link", "p")
    again.clock.now_s += 1
    assert await again.supervising.look() == 0
    await store.close()


async def test_a_producer_name_that_is_taken_is_changed_and_the_word_is_said(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    bench = Bench(store)
    await bench.begin()
    await bench.publish(noon(), 1)
    await store.append([Submission("me", bench.supervising.producer, 1, '{"v":1}')])
    bench.supervising.gone("link", ["p"], is_clean=True)
    bench.clock.now_s += 1
    await bench.supervising.look()
    (told,) = await wires(store, 2)
    assert json.loads(told)["id"] == f"{bench.supervising.producer}:1"
    await store.close()


async def test_a_wall_clock_that_is_set_back_neither_speaks_early_nor_keeps_silent(tmp_path: Path) -> None:
    store = await opened(tmp_path / "s.db")
    bench = Bench(store)
    await bench.begin()
    await bench.publish(noon(), 1)
    bench.supervising.gone("link", ["p"], is_clean=True)
    bench.wall.now_s -= 86_400
    assert await bench.supervising.look() == 0
    bench.clock.now_s += 1
    assert await bench.supervising.look() == 1
    await store.close()
