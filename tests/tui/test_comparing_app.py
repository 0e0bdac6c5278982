"""Marking a round and laying another beside it, through the whole app."""

from __future__ import annotations

import pytest
from roundwatch.core.rounds import parse_event
from roundwatch.tui.reading_screen import ReadingScreen
from roundwatch.tui.source import Received

from tests.scenes import Lines, answer, call, end, live, start
from tests.stage import app_of, screen_text, settle

WIDE = (120, 40)


def running(round_: str, seconds: float) -> Lines:
    return [*start(round_, seconds), *call(round_, "c1", seconds, first=1, total=2, finish="tool_use")]


async def test_a_marked_round_is_compared_with_the_selected_one() -> None:
    app = app_of("cut")
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("m", "down", "c")
        await settle(pilot)
        shown = screen_text(app)
        assert isinstance(app.screen, ReadingScreen)
        assert "A  271046c3" in shown
        assert "B  233a0419" in shown
        await pilot.press("escape")
        await settle(pilot)
        assert "│A┄ worker" in screen_text(app)


@pytest.mark.parametrize(
    ("pressed", "said"),
    [
        (("c",), "mark a round with m"),
        (("m", "c"), "is the marked round itself"),
        (("m", "m", "c"), "mark a round with m"),
    ],
)
async def test_what_cannot_be_compared_is_said(pressed: tuple[str, ...], said: str) -> None:
    app = app_of("cut")
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press(*pressed)
        await settle(pilot)
        assert said in " ".join(screen_text(app).split())


async def test_without_rounds_there_is_nothing_to_compare() -> None:
    app = app_of("empty")
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("m", "c")
        await settle(pilot)
        assert "No rounds yet." in screen_text(app)


async def test_both_columns_follow_rounds_that_run() -> None:
    app = app_of(live([*running("aaaa", 0), *running("bbbb", 1)]))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("m", "down", "c")
        await settle(pilot)
        assert screen_text(app).count("▶ Running") >= 2
        for number, line in enumerate([*end("aaaa", 9), *end("bbbb", 9)], start=50):
            app.watched.take(Received(parse_event(line), "", number), 0.0)
        await settle(pilot)
        assert "▶ Running" not in screen_text(app)
        assert screen_text(app).count("□ No output") >= 2


async def test_a_newer_round_does_not_take_the_place_of_the_compared_one() -> None:
    app = app_of(live([*answer(), *running("bbbb", 20)]))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("down", "m", "f", "c")
        await settle(pilot)
        app.watched.take(Received(parse_event(start("cccc", 60)[0]), "", 99), 0.0)
        await settle(pilot)
        assert "B  bbbb" in screen_text(app)
        assert app.watched.position.selected == "bbbb"


async def test_the_marked_round_keeps_its_details() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("end", "m", "home")
        app.watched.kept = 0
        for number, line in enumerate([*answer(), *answer()], start=200):
            renamed = {**line, "round": f"later-{number % 2}"}
            app.watched.take(Received(parse_event(renamed), "", number), 0.0)
        assert app.watched.marked in app.watched.ledger.rounds
