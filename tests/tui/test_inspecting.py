"""The inspector through the whole app: what a call looked like when it came."""

from __future__ import annotations

import json
from pathlib import Path

from roundwatch.core.rounds import parse_event
from roundwatch.tui.home import Home
from roundwatch.tui.preferences import PreferencesFile
from roundwatch.tui.reading_screen import ReadingScreen
from roundwatch.tui.source import Received

from tests.scenes import asks, event, live, start
from tests.stage import app_of, screen_text, settle

LINE = '{"type":"call.output",  "round":"r","call":"c","kind":"text","text":"caf\\u00e9 \\u001b[2J ü"}'
"""Written as no serialiser of ours would."""


def saved_in(folder: Path) -> dict[str, bytes]:
    return {path.suffix: path.read_bytes() for path in folder.iterdir()}


async def test_raw_events_are_saved_byte_for_byte(tmp_path: Path) -> None:
    app = app_of(live(start("r", 0)))
    app.home = Home(PreferencesFile(), tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        app.watched.take(Received(parse_event(LINE), LINE, 9), 0.0)
        await settle(pilot)
        await pilot.press("enter", "enter", "r")
        await settle(pilot)
        shown = screen_text(app)
        assert "Raw events of c" in shown
        assert '"text":"caf\\u00e9' in shown
        await pilot.press("w")
        await settle(pilot)
    assert saved_in(tmp_path) == {".jsonl": f"{LINE}\n".encode()}


async def test_raw_events_follow_a_call_that_runs_and_escape_goes_back_to_the_call() -> None:
    app = app_of(live([*start("r", 0), *event("call.started", "r", 1, call="c")]))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("enter", "enter", "r")
        await settle(pilot)
        (asked,) = asks("r", "c", "t", "grep", 3)
        app.watched.take(Received(parse_event(asked), json.dumps(asked), 9), 0.0)
        await settle(pilot)
        assert '"tool.requested"' in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, ReadingScreen)
        assert "Inspector   r" in screen_text(app)


async def test_where_there_is_nothing_raw_the_key_is_not_offered() -> None:
    app = app_of("cut")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("i", "r")
        await settle(pilot)
        assert "Inspector" not in screen_text(app)
        assert "raw events" not in screen_text(app)
