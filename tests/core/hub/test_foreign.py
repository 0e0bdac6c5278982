from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
from roundwatch.core.hub import Access, Hub, Identity, Role, stored_events
from roundwatch.core.hub.foreign import Heard, UnreadableFrame
from roundwatch.core.rounds.events import RoundFinished, RoundOutput
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from tests.core.hub.peers import dial, event, publish

ACCESS = Access({"t": Identity("me"), "w": Identity("you", frozenset((Role.WATCH,)))})
OPTIONS = {"subprotocols": [Subprotocol("words")], "additional_headers": {"Authorization": "Bearer t"}}


class Words:
    """A made-up protocol: each frame is a word of the run that the frame before the first space names."""

    def __init__(self, connection: str) -> None:
        self._last: str | None = None

    def feed(self, frame: str, at: datetime) -> Sequence[Heard]:
        run, _, word = frame.partition(" ")
        if not word:
            raise UnreadableFrame("no word")
        self._last = run
        return [Heard(f"words.{run}", RoundOutput(round=run, kind="text", text=word), word == "first")]

    def close(self, at: datetime) -> Sequence[Heard]:
        return [] if self._last is None else [Heard(f"words.{self._last}.end", RoundFinished(round=self._last))]


def hub_at(path: Path) -> Hub:
    return Hub(path, port=0, access=ACCESS, streams={"words": Words})


def kept(path: Path) -> list[str]:
    lines = [json.loads(stored.line) for stored in stored_events(path)]
    return [line.get("text") or line["type"] for line in lines]


async def test_frames_become_events_and_the_end_of_the_connection_is_told(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "s.db") as hub:
        async with dial(hub, "/v1/publish", **OPTIONS) as link:
            for frame in ("r first", "nothing", "r second"):
                await link.send(frame)
        assert hub.counters.frames_rejected == 1
    assert kept(tmp_path / "s.db") == ["first", "second", "round.finished"]


async def test_a_run_that_begins_again_is_stored_once_and_one_that_goes_on_is_numbered_on(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "s.db") as hub:
        for frames in (["r first", "r second"], ["r first", "r second", "r third"], ["r fourth"]):
            async with dial(hub, "/v1/publish", **OPTIONS) as link:
                for frame in frames:
                    await link.send(frame)
    assert [word for word in kept(tmp_path / "s.db") if "." not in word] == ["first", "second", "third", "fourth"]


async def test_a_hub_that_stops_says_good_bye_and_keeps_what_it_took(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "s.db") as hub, dial(hub, "/v1/publish", **OPTIONS) as link:
        await link.send("r first")
        async with asyncio.timeout(20):
            while not hub.counters.stored:  # noqa: ASYNC110 - nothing acknowledges it
                await asyncio.sleep(0.01)
            await hub.stop()
            with pytest.raises(ConnectionClosed):
                await link.recv()
    assert kept(tmp_path / "s.db")[0] == "first"


async def test_it_takes_the_role_and_the_path_of_a_publisher(tmp_path: Path) -> None:
    async with hub_at(tmp_path / "s.db") as hub:
        watcher = OPTIONS | {"additional_headers": {"Authorization": "Bearer w"}}
        for path, options, status in [("/v1/publish", watcher, 403), ("/v1/rounds", OPTIONS, 400)]:
            with pytest.raises(InvalidStatus) as caught:
                async with dial(hub, path, **options):
                    pass
            assert caught.value.response.status_code == status


async def test_our_own_protocol_goes_on_beside_it(tmp_path: Path) -> None:
    async with Hub(tmp_path / "s.db", port=0, streams={"words": Words}) as hub:
        assert (await publish(hub, event(1)))[0]["type"] == "feed.ack"
