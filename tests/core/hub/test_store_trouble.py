"""What publishers, watchers and /healthz are told while the store cannot be written, and that nothing is lost."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from roundwatch.core.hub import Hub, Publisher, SqliteStore, stored_events
from roundwatch.core.hub.store import StoredEvent, StoreListener, Submission
from websockets.asyncio.client import ClientConnection

from tests.core.hub.peers import PATIENCE_S, dial, event, heard_until, publish
from tests.core.hub.store_kinds import damage, leave_open
from tests.core.hub.test_server import get

LINE = json.dumps({"type": "round.output", "round": "r1", "kind": "text", "text": "x" * 50_000})


async def pragma(store: SqliteStore, text: str) -> None:
    await store._file.write(lambda writer: writer.execute(f"PRAGMA {text}").fetchall())  # pyright: ignore[reportPrivateUsage]


async def test_on_a_full_disk_publishers_wait_watchers_know_and_all_goes_on_when_space_returns(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    async with Hub(store, port=0) as hub, dial(hub, "/v1/rounds") as watcher:
        await heard_until(watcher, "feed.live")
        async with Publisher(hub.url, folder=tmp_path / "spool") as publisher:
            await publisher.publish(LINE)
            await publisher.flush()
            await pragma(store, "max_page_count = 1")
            for _ in range(5):
                await publisher.publish(LINE)
            told = await next_state(watcher)
            assert (told["writing"], "full" in told["why"]) == ("full", True)
            status, _, body = await get(hub, "/healthz")
            assert (status, json.loads(body)["writing"]) == (503, "full")
            async with dial(hub, "/v1/rounds?after=begin") as late:
                kinds = [each["type"] for each in await heard_until(late, "feed.live")]
            assert kinds[:3] == ["feed.hello", "feed.state", "round.output"]
            assert publisher.state.acknowledged == 1

            await pragma(store, "max_page_count = 1000000")
            async with asyncio.timeout(PATIENCE_S):
                await publisher.flush()
        well = await next_state(watcher)
        assert well["writing"] == "ok"
        status, _, body = await get(hub, "/healthz")
        assert (status, json.loads(body)["promise"]) == (200, "power_cut")
    assert len(list(stored_events(tmp_path / "s.db"))) == 6


async def next_state(link: ClientConnection) -> dict[str, Any]:
    return next(each for each in await heard_until(link, "feed.state") if each["type"] == "feed.state")


async def left_open(path: Path) -> None:
    store = SqliteStore(path)
    await store.open(StoreListener())
    await store.append([Submission("me", "p", n, json.dumps(event(n, text="y" * 2000))) for n in range(1, 300)])
    await store.close()
    leave_open(path)


async def test_after_an_unclean_end_a_check_runs_beside_the_traffic_and_reports(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    await left_open(tmp_path / "s.db")
    async with Hub(tmp_path / "s.db", port=0) as hub:
        assert (await publish(hub, event(1, "q")))[0]["type"] == "feed.ack"
        async with asyncio.timeout(PATIENCE_S):
            while json.loads((await get(hub, "/healthz"))[2])["checking"] != "sound":  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        async with dial(hub, "/v1/rounds") as link:
            assert (await heard_until(link, "feed.live"))[1]["checking"] == "sound"
    assert "was not closed in good order; checking it beside the traffic" in caplog.text
    caplog.clear()
    async with Hub(tmp_path / "s.db", port=0) as hub:
        assert json.loads((await get(hub, "/healthz"))[2])["checking"] == "not_needed"


async def test_damage_that_the_check_finds_ends_acknowledging_and_is_found_again_at_the_next_start(
    tmp_path: Path,
) -> None:
    await left_open(tmp_path / "s.db")
    damage(tmp_path / "s.db")
    for _ in range(2):
        async with Hub(tmp_path / "s.db", port=0) as hub:
            async with asyncio.timeout(PATIENCE_S):
                while (await get(hub, "/healthz"))[0] != 503:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            async with dial(hub, "/v1/rounds") as link:
                state = (await heard_until(link, "feed.live"))[1]
            assert (state["type"], state["checking"]) == ("feed.state", "damaged")
            async with dial(hub, "/v1/publish") as link:
                await link.send(json.dumps(event(1, "q")))
                async with asyncio.timeout(PATIENCE_S):
                    await link.wait_closed()
            assert link.close_code == 1013
            assert "damaged" in (link.close_reason or "")


async def test_when_the_numbering_begins_anew_watchers_come_back_and_learn_of_it(hub: Hub) -> None:
    async with dial(hub, "/v1/rounds") as link:
        await heard_until(link, "feed.live")
        hub._watchers.restart()  # pyright: ignore[reportPrivateUsage] - what a store that is shared can make happen
        async with asyncio.timeout(PATIENCE_S):
            await link.wait_closed()
        assert link.close_code == 1012


async def test_events_that_were_trimmed_before_this_hub_could_read_them_are_a_gap_for_live_watchers(hub: Hub) -> None:
    await publish(hub, event(1))
    async with dial(hub, "/v1/rounds") as link:
        await heard_until(link, "feed.live")
        hub._watchers.offer([StoredEvent(7, None, None, b'{"type":"x"}')])  # pyright: ignore[reportPrivateUsage]
        gap, seventh = (await heard_until(link, "x"))[-2:]
        assert (gap["type"], gap["from"], gap["to"], seventh["seq"]) == ("feed.gap", 2, 6, 7)
