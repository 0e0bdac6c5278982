from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from roundwatch.core.hub import Hub, Limits, Retention, SqliteStore, WatcherLimits
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, ConnectionClosedError

from tests.core.hub.peers import PATIENCE_S, dial, event, heard, heard_until, publish


def seqs(elements: list[dict[str, Any]]) -> list[int]:
    return [element["seq"] for element in elements if not element["type"].startswith("feed.")]


def kinds(elements: list[dict[str, Any]]) -> list[str]:
    return [element["type"] for element in elements]


@pytest.fixture
async def brisk_hub() -> AsyncIterator[Hub]:
    async with Hub(port=0, limits=Limits(watcher=WatcherLimits(heartbeat_s=0.05))) as running:
        yield running


async def test_a_replay_comes_before_live_and_says_where_it_is(hub: Hub) -> None:
    await publish(hub, event(1), event(2))
    async with dial(hub, "/v1/rounds?after=begin") as link:
        found = await heard_until(link, "feed.at")
        assert kinds(found) == ["feed.hello", "round.output", "round.output", "feed.live", "feed.at"]
        assert (found[0]["first"], found[0]["last"], found[-1]["seq"]) == (1, 2, 2)
        await publish(hub, event(3))
        assert seqs(await heard(link)) == [3]


async def test_without_after_only_what_happens_now_comes(hub: Hub) -> None:
    await publish(hub, event(1))
    async with dial(hub, "/v1/rounds") as link:
        assert kinds(await heard_until(link, "feed.at")) == ["feed.hello", "feed.live", "feed.at"]
        await publish(hub, event(2))
        assert seqs(await heard(link)) == [2]


async def test_a_hub_overrides_a_seq_that_the_producer_sent(hub: Hub) -> None:
    await publish(hub, event(1, seq=900))
    async with dial(hub, "/v1/rounds?after=begin") as link:
        assert seqs(await heard_until(link, "feed.live")) == [1]


async def test_filters_hold_in_replay_and_live_and_the_place_moves_on(brisk_hub: Hub) -> None:
    started: dict[str, object] = {"type": "round.started", "round": "a", "thread": "t", "id": "p:1"}
    await publish(brisk_hub, started, event(2, round="b"), event(3, round="a"))
    async with dial(brisk_hub, "/v1/rounds?after=begin&thread=t") as link:
        assert seqs(await heard_until(link, "feed.live")) == [1, 3]
        await publish(brisk_hub, event(4, round="b"), event(5, round="a"), event(6, round="b"))
        found: list[dict[str, Any]] = []
        while not any(element["type"] == "feed.at" and element["seq"] == 6 for element in found):
            found += await heard(link)
        assert seqs(found) == [5]


async def test_a_quiet_feed_still_says_where_it_is(brisk_hub: Hub) -> None:
    async with dial(brisk_hub, "/v1/rounds") as link:
        await heard_until(link, "feed.at")
        assert await heard(link) == [{"v": 1, "type": "feed.at", "seq": 0}]


async def test_a_resume_behind_what_is_kept_gets_the_gap_first(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db", retention=Retention(events=10))
    async with Hub(store, port=0) as hub:
        for n in range(1, 41):
            await publish(hub, event(n))
        await store.trim()
        async with dial(hub, "/v1/rounds?after=begin") as link:
            hello = (await heard(link))[0]
        assert hello["first"] > 20
        async with dial(hub, f"/v1/rounds?after={hello['stream']}:5") as link:
            found = await heard_until(link, "feed.live")
        assert found[1] == {"v": 1, "type": "feed.gap", "from": 6, "to": hello["first"] - 1, "why": "trimmed"}
        assert seqs(found) == list(range(hello["first"], 41))
        async with dial(hub, "/v1/rounds?after=other:5") as link:
            found = await heard_until(link, "feed.live")
        assert found[1] == {"v": 1, "type": "feed.gap", "from": 6, "to": None, "why": "stream_changed"}


async def test_every_event_comes_once_and_in_order_to_watchers_that_join_in_the_middle(hub: Hub) -> None:
    total = 3000

    async def produce() -> None:
        async with dial(hub, "/v1/publish") as link:
            for start in range(1, total + 1, 50):
                await link.send(json.dumps([event(n) for n in range(start, start + 50)]))
                await heard(link)

    async def follow(delay_s: float) -> list[int]:
        await asyncio.sleep(delay_s)
        found: list[int] = []
        async with dial(hub, "/v1/rounds?after=begin") as link:
            while not found or found[-1] < total:
                found += seqs(await heard(link))
        return found

    producing = asyncio.create_task(produce())
    results = await asyncio.gather(*(follow(n * 0.02) for n in range(12)))
    await producing
    assert all(found == list(range(1, total + 1)) for found in results)


async def test_a_watcher_that_reads_nothing_is_ended_and_the_others_get_everything() -> None:
    limits = Limits(watcher=WatcherLimits(queued_events=100))
    total, text = 3000, "x" * 4000
    async with Hub(port=0, limits=limits) as hub, dial(hub, "/v1/rounds") as reader:
        small = socket.socket()
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        small.setblocking(False)
        await asyncio.get_running_loop().sock_connect(small, ("127.0.0.1", int(hub.url.rpartition(":")[2])))
        async with dial(hub, "/v1/rounds", sock=small, max_queue=1, ping_interval=None) as stuck:
            await heard_until(stuck, "feed.live")
            stuck.transport.pause_reading()
            async with asyncio.timeout(60), asyncio.TaskGroup() as group:
                group.create_task(_produce(hub, total, text))
                found: list[int] = []
                while not found or found[-1] < total:
                    found += seqs(await heard(reader))
                while hub.counters.watchers > 1:  # noqa: ASYNC110 - the hub tells by its counters only
                    await asyncio.sleep(0.02)
            assert found == list(range(1, total + 1))
            assert hub.counters.too_slow == 1
            stuck.transport.abort()


async def _produce(hub: Hub, total: int, text: str) -> None:
    async with dial(hub, "/v1/publish") as link:
        for n in range(1, total + 1, 20):
            await link.send(json.dumps([event(number, text=text) for number in range(n, n + 20)]))
            await heard(link)


async def test_a_slow_watcher_that_can_still_hear_is_told_the_code() -> None:
    limits = Limits(watcher=WatcherLimits(queued_events=3))
    async with Hub(port=0, limits=limits) as tight, dial(tight, "/v1/rounds?round=r1") as link:
        await heard_until(link, "feed.live")
        await publish(tight, *(event(n) for n in range(1, 11)))
        with pytest.raises(ConnectionClosedError) as caught:
            await _read_to_the_end(link)
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1013
        assert "too slow" in caught.value.rcvd.reason


async def test_what_a_watcher_says_is_ignored(hub: Hub) -> None:
    async with dial(hub, "/v1/rounds") as link:
        for _ in range(50):
            await link.send("hello?")
        await heard_until(link, "feed.live")
        await publish(hub, event(1))
        assert seqs(await heard_until(link, "round.output")) == [1]


async def _read_to_the_end(link: ClientConnection) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            await link.recv()


async def test_a_store_that_begins_anew_ends_those_who_are_replaying_too(hub: Hub) -> None:
    for n in range(1, 31):
        await publish(hub, event(n, text="x" * 900_000))
    async with dial(hub, "/v1/rounds?after=begin", max_queue=1) as link:
        await heard(link)
        hub._watchers.restart()  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(ConnectionClosed):
            await heard_until(link, "feed.live")
        assert link.close_code == 1012
