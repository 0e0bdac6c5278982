"""What a hub that stops still owes to those who are connected."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from roundwatch.core.hub import Hub, Limits, stored_events
from websockets.exceptions import ConnectionClosed

from tests.core.hub.peers import PATIENCE_S, dial, event, heard, heard_until


async def all_heard(link: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    try:
        while True:
            found += await heard(link)
    except ConnectionClosed:
        return found


async def test_what_was_committed_is_acknowledged_and_everybody_is_told_good_bye(tmp_path: Path) -> None:
    hub = Hub(tmp_path / "s.db", port=0)
    await hub.start()
    async with dial(hub, "/v1/publish") as publisher, dial(hub, "/v1/rounds?after=begin") as watcher:
        await heard_until(watcher, "feed.at")
        for n in range(1, 201):
            await publisher.send(json.dumps(event(n)))
        answers, seen = asyncio.create_task(all_heard(publisher)), asyncio.create_task(all_heard(watcher))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(PATIENCE_S):
            await hub.stop()
            acknowledged = max(int(each["id"].partition(":")[2]) for each in await answers)
            told = await seen
        assert (publisher.close_code, watcher.close_code) == (1001, 1001)
        assert "hub stops" in (publisher.close_reason or "")
    stored = [each.seq for each in stored_events(tmp_path / "s.db")]
    assert len(stored) == acknowledged > 0
    assert [each["seq"] for each in told if "id" in each] == stored
    assert told[-1]["type"] == "feed.at"
    assert told[-1]["seq"] == stored[-1]


async def test_who_comes_while_a_hub_stops_is_not_let_in_and_a_stuck_watcher_does_not_keep_it() -> None:
    hub = Hub(port=0, limits=Limits(drain_s=0.5))
    await hub.start()
    async with dial(hub, "/v1/rounds", max_queue=1, ping_interval=None) as stuck, dial(hub, "/v1/publish") as link:
        await heard_until(stuck, "feed.at")
        stuck.transport.pause_reading()
        for n in range(1, 60):
            await link.send(json.dumps(event(n, text="x" * 200_000)))
            await heard(link)
        async with asyncio.timeout(PATIENCE_S):
            await hub.stop()
        stuck.transport.abort()


async def test_a_publisher_above_its_rate_is_acknowledged_later_and_loses_nothing(tmp_path: Path) -> None:
    async with Hub(tmp_path / "s.db", port=0, limits=Limits(events_per_s=200)) as hub, dial(hub, "/v1/publish") as link:
        loop = asyncio.get_running_loop()
        begin = loop.time()
        for n in range(0, 400, 20):
            await link.send(json.dumps([event(n + each) for each in range(1, 21)]))
        last = ""
        while last != "p:400":
            last = (await heard(link))[-1]["id"]
        assert loop.time() - begin >= 0.9  # 400 events, a second's worth of which is free
        assert hub.counters.slowed > 5
    assert [each.seq for each in stored_events(tmp_path / "s.db")] == list(range(1, 401))


async def test_a_slowed_publisher_is_still_heard() -> None:
    async with Hub(port=0, limits=Limits(events_per_s=1)) as hub, dial(hub, "/v1/publish") as link:
        await link.send(json.dumps([event(n) for n in range(1, 31)]))  # half a minute's worth
        async with asyncio.timeout(PATIENCE_S / 2):
            await (await link.ping())


async def test_a_slowed_publisher_does_not_keep_a_hub_from_stopping() -> None:
    hub = Hub(port=0, limits=Limits(events_per_s=1))
    await hub.start()
    async with dial(hub, "/v1/publish") as link:
        await link.send(json.dumps([event(n) for n in range(1, 1001)]))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(PATIENCE_S / 2):
            await hub.stop()
        await link.wait_closed()
        assert link.close_code == 1001


async def test_rounds_without_an_end_are_rejected_beyond_their_number(tmp_path: Path) -> None:
    started = [{"id": f"p:{n}", "type": "round.started", "round": f"r{n}"} for n in range(1, 4)]
    async with Hub(port=0, limits=Limits(open_rounds=2)) as hub, dial(hub, "/v1/publish") as link:
        await link.send(json.dumps(started))
        rejected, ack = await heard(link)
        assert (rejected["id"], ack["id"]) == ("p:3", "p:3")
        assert "no end yet" in rejected["why"]
        assert hub.counters.rounds_refused == 1


async def test_a_watcher_that_keeps_up_costs_no_task_and_gets_every_commit_at_once() -> None:
    async with Hub(port=0) as hub, dial(hub, "/v1/rounds") as watcher, dial(hub, "/v1/publish") as link:
        await heard_until(watcher, "feed.at")
        for n in range(1, 51):
            await link.send(json.dumps(event(n)))
            await heard(link)
            assert [each["seq"] for each in await heard(watcher)] == [n]
            assert not any(task.get_name() == "watcher queue" for task in asyncio.all_tasks())
        assert hub.counters.delivered == 50
