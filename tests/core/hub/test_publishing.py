from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
from roundwatch.core.hub import Access, Hub, Identity, stored_events
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosedError

from tests.core.hub.peers import PATIENCE_S, dial, event, heard, publish


async def test_an_event_is_acknowledged_after_it_is_stored_in_the_producers_own_words(tmp_path: Path) -> None:
    line = '{"id":"p:1","type":"round.output","round":"r1","kind":"text","text":"\\u00fc","mine":1.50}'
    async with Hub(tmp_path / "s.db", port=0) as hub, dial(hub, "/v1/publish") as link:
        await link.send(line)
        assert await heard(link) == [{"v": 1, "type": "feed.ack", "id": "p:1"}]
        assert [stored.line.decode() for stored in stored_events(tmp_path / "s.db")] == [line]


async def test_duplicates_are_only_acknowledged_and_gaps_name_what_is_expected(hub: Hub) -> None:
    assert await publish(hub, event(1), event(2)) == [{"v": 1, "type": "feed.ack", "id": "p:2"}]
    assert await publish(hub, event(2), event(4)) == [
        {"v": 1, "type": "feed.reject", "id": "p:4", "why": "gap", "expected": 3},
        {"v": 1, "type": "feed.ack", "id": "p:2"},
    ]
    assert hub.counters.stored == 2


async def test_a_bad_event_is_rejected_and_settled_and_the_link_lives(hub: Hub) -> None:
    rejected, ack = await publish(hub, event(1, kind="song"), event(2))
    assert (rejected["type"], rejected["id"], ack["id"]) == ("feed.reject", "p:1", "p:2")
    assert "kind" in rejected["why"]
    assert hub.counters.stored == 1


async def test_garbage_is_one_rejected_frame_and_the_link_lives(hub: Hub) -> None:
    async with dial(hub, "/v1/publish") as link:
        for garbage in (b"\xff\xfe", "{]", '"text"', json.dumps({"type": "x"})):
            await link.send(garbage, text=True)
            [answer] = await heard(link)
            assert answer["type"] == "feed.reject"
            assert answer["id"] is None
        await link.send(json.dumps(event(1)))
        assert (await heard(link))[0]["id"] == "p:1"
    assert hub.counters.frames_rejected == 4


@pytest.mark.parametrize("size", [5_000_000, 9_000_000])
async def test_an_event_of_megabytes_is_rejected_by_its_id_and_the_link_lives(hub: Hub, size: int) -> None:
    async with dial(hub, "/v1/publish") as link:
        await link.send(json.dumps(event(1, text="x" * size)))
        rejected, ack = await heard(link)
        assert (rejected["type"], rejected["id"]) == ("feed.reject", "p:1")
        assert "at most 1048576" in rejected["why"]
        assert ack["type"] == "feed.ack"
        await link.send(json.dumps(event(2)))
        assert (await heard(link))[0] == {"v": 1, "type": "feed.ack", "id": "p:2"}


async def test_the_hub_says_once_what_a_publisher_sends_and_at_its_end_how_often(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Hub(tmp_path / "s.db", port=0) as hub, dial(hub, "/v1/publish") as link:
        for garbage in ("{]", "nonsense", '"text"'):
            await link.send(garbage, text=True)
            await heard(link)
    said = [record.getMessage() for record in caplog.records if record.name.startswith("roundwatch.core.hub.")]
    assert len(said) == 2
    assert said[0].startswith("a publisher sent what is no event: not JSON")
    assert said[1] == "a publisher is gone: 3 of its events or frames were rejected"


async def test_a_frame_beyond_all_limits_closes_with_its_code_and_costs_nobody_else(hub: Hub) -> None:
    async with dial(hub, "/v1/publish") as link, dial(hub, "/v1/publish") as other:
        with pytest.raises(ConnectionClosedError) as caught:
            await _said(link, "x" * 17 * 1024 * 1024)
        assert caught.value.rcvd is None or caught.value.rcvd.code == 1009
        await other.send(json.dumps(event(1)))
        assert (await heard(other))[0]["id"] == "p:1"


async def test_a_second_live_connection_with_the_name_ends_the_first(hub: Hub) -> None:
    async with dial(hub, "/v1/publish") as first, dial(hub, "/v1/publish") as second:
        await first.send(json.dumps(event(1)))
        await heard(first)
        await second.send(json.dumps(event(2)))
        assert (await heard(second))[0]["id"] == "p:2"
        with pytest.raises(ConnectionClosedError) as caught:
            async with asyncio.timeout(PATIENCE_S):
                await first.recv()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 4409
        await second.send(json.dumps(event(3)))
        assert (await heard(second))[0]["id"] == "p:3"


async def test_a_name_belongs_to_the_token_that_first_used_it() -> None:
    access = Access({"one": Identity("a"), "two": Identity("b")})
    async with (
        Hub(port=0, access=access) as hub,
        dial(hub, "/v1/publish", additional_headers={"Authorization": "Bearer one"}) as owner,
        dial(hub, "/v1/publish", additional_headers={"Authorization": "Bearer two"}) as thief,
    ):
        await owner.send(json.dumps(event(1)))
        await heard(owner)
        await thief.send(json.dumps(event(2)))
        assert await heard(thief) == [{"v": 1, "type": "feed.reject", "id": "p:2", "why": "not_owner"}]
        await owner.send(json.dumps(event(2)))
        assert (await heard(owner))[0]["id"] == "p:2"


async def test_a_store_that_cannot_write_closes_for_later_and_acknowledges_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    async with Hub(path, port=0) as hub:
        with sqlite3.connect(path) as other:
            other.execute("ALTER TABLE events RENAME TO hidden")
        async with dial(hub, "/v1/publish") as link:
            await link.send(json.dumps(event(1)))
            with pytest.raises(ConnectionClosedError) as caught:
                async with asyncio.timeout(PATIENCE_S):
                    await link.recv()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1013
        with sqlite3.connect(path) as other:
            other.execute("ALTER TABLE hidden RENAME TO events")
        other.close()
        assert (await publish(hub, event(1)))[0]["type"] == "feed.ack"
        assert hub.counters.store_failures == 1


async def _said(link: ClientConnection, text: str) -> object:
    await link.send(text)
    return await link.recv()
