from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from roundwatch.core.hub import Access, Hub, Identity, Live, Publisher, Received, Unreadable
from roundwatch.core.hub.errors import HubRefused
from roundwatch.core.rounds.events import RoundStarted
from roundwatch.tui.cli import following_source
from roundwatch.tui.cli.following_source import FollowingSource

PATIENCE_S = 60.0


async def test_lines_that_cannot_be_read_come_beside_the_hubs_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following_source, "LOOK_S", 0.01)
    monkeypatch.setattr(following_source, "MOST_WAITING", 3)
    counted = 0
    rounds: list[str] = []
    unreadable = 0
    async with Hub(tmp_path / "hub.sqlite3", port=0, access=Access({"t": Identity("test")})) as hub:
        async with Publisher(hub.url, token="t", folder=tmp_path) as publisher:
            for number in range(10):
                await publisher.publish(RoundStarted(round=f"r{number}"))
        source = FollowingSource(hub.url, "t")
        source.count_unreadable = lambda: counted
        async with asyncio.timeout(PATIENCE_S), contextlib.aclosing(source.items()) as items:
            async for item in items:
                if isinstance(item, Received):
                    assert isinstance(item.event, RoundStarted)
                    rounds.append(item.event.round)
                elif isinstance(item, Live):
                    counted = 5
                elif isinstance(item, Unreadable):
                    unreadable += 1
                    if unreadable == 7:
                        break
                    counted = 7 if unreadable == 5 else counted
    assert rounds == [f"r{number}" for number in range(10)]


async def test_a_hub_that_refuses_ends_the_source_with_its_reason(tmp_path: Path) -> None:
    async with Hub(tmp_path / "hub.sqlite3", port=0, access=Access({"t": Identity("test")})) as hub:
        source = FollowingSource(hub.url, "wrong")
        async with asyncio.timeout(PATIENCE_S), contextlib.aclosing(source.items()) as items:
            with pytest.raises(HubRefused):
                async for _ in items:
                    pass
