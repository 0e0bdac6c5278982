"""Raw events of a round whose details had gone, read again from a real hub and shown in the inspector."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from roundwatch.core.hub import Access, Hub, Identity, Publisher
from roundwatch.core.rounds import Round, parse_event
from roundwatch.core.texts import Texts
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.raw_log import RawLog
from roundwatch.tui.source import HubSource
from textual.pilot import Pilot

from tests.scenes import answer, cap_cut, provider_error
from tests.stage import screen_text

MOST_S = 20.0


async def until(pilot: Pilot[None], app: RoundwatchApp, words: str) -> str:
    async with asyncio.timeout(MOST_S):
        while words not in (shown := screen_text(app)):
            await pilot.pause(0.05)
    return shown


async def test_raw_events_come_back_with_the_details_of_a_retired_round(tmp_path: Path) -> None:
    access = Access({"secret": Identity("test")})
    async with Hub(tmp_path / "rounds.sqlite3", port=0, access=access) as hub:
        async with Publisher(hub.url, token="secret", producer="p", folder=tmp_path / "spool") as publisher:
            for line in [*cap_cut(), *answer(), *provider_error()]:
                await publisher.publish(parse_event(line))
            await publisher.flush()
        app = RoundwatchApp(HubSource(hub.url, "secret"), texts=Texts.load("en"), source_name="hub")
        app.watched.kept = 1
        async with app.run_test(size=(120, 50)) as pilot:
            await until(pilot, app, "5b1d9f00")
            await until(pilot, app, "live")
            watched = app.watched.hubs[0]
            assert "271046c3" in watched.ledger.retired
            watched.raws = RawLog()
            await pilot.press("end")
            async with asyncio.timeout(MOST_S):
                while not isinstance(app.watched.selected, Round):
                    await pilot.pause(0.05)
            await pilot.press("enter", "enter", "r")
            shown = await until(pilot, app, "Raw events of c3")
            assert '"call.started"' in shown
            round_ = app.watched.selected
            raw = watched.raws.of_call(round_.id, round_.calls[2])
    assert raw is not None
    assert [json.loads(line)["type"] for line in raw.lines] == ["call.started", "call.output", "call.finished"]
    assert raw.dropped == 0
