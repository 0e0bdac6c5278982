from __future__ import annotations

import pytest
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.clean_input import CleanInput
from textual import events
from textual.pilot import Pilot

from tests.scenes import answer, cap_cut, live
from tests.stage import app_of, key_of, screen_text, settle

WIDE = (120, 40)


async def typed(pilot: Pilot[None], text: str) -> None:
    await pilot.press(*map(key_of, text))
    await settle(pilot)


def field(app: RoundwatchApp) -> CleanInput:
    return app.screen.query_one(CleanInput)


async def test_the_list_follows_what_is_typed_and_the_header_counts() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await typed(pilot, "/agent:worker ")
        shown = screen_text(app)
        assert "filtered: 4 of 12" in shown
        assert "collector" not in shown
        await pilot.press("enter")
        await settle(pilot)
        assert not field(app).has_focus
        assert "filtered: 4 of 12" in screen_text(app)


async def test_a_half_typed_field_hides_nothing() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        for letters in ("/ver", "dict:", "xy"):
            await typed(pilot, letters)
            assert "filtered:" not in screen_text(app)


async def test_an_error_stands_under_its_place_and_keeps_the_field_open() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await typed(pilot, "/agent:worker tokens:many")
        await pilot.press("enter")
        await settle(pilot)
        assert field(app).has_focus
        lines = screen_text(app).splitlines()
        (row,) = [number for number, line in enumerate(lines) if "tokens:many" in line and "Filter" in line]
        assert lines[row + 1].index("▲") == lines[row].index("many")
        assert '"many" is no number' in lines[row + 1]


async def test_escape_in_the_field_takes_back_and_in_the_list_clears() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await typed(pilot, "/agent:worker ")
        await pilot.press("enter", "slash")
        await typed(pilot, "zzz ")
        assert "No round matches the filter." in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "filtered: 4 of 12" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "filtered:" not in screen_text(app)


async def test_tab_completes_and_a_letter_is_a_letter() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await typed(pilot, "/ag")
        await pilot.press("tab")
        await typed(pilot, "tri")
        await pilot.press("tab")
        await settle(pilot)
        assert field(app).value == "agent:triage "
        await typed(pilot, "qln")
        assert app.is_running
        assert field(app).value == "agent:triage qln"


async def test_a_saved_filter_comes_back_and_goes_when_it_is_saved_again() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await typed(pilot, "/is:problem ")
        await pilot.press("f2", "enter", "escape", "slash")
        await settle(pilot)
        assert app.home.preferences.current.filters == ("is:problem",)
        assert "is:problem" in screen_text(app)
        await pilot.press("up")
        await settle(pilot)
        assert field(app).value == "is:problem"
        await pilot.press("f2")
        await settle(pilot)
        assert not app.home.preferences.current.filters


@pytest.mark.parametrize("pasted", ["\x1b]52;c;AA\x07", "a\x00b", "\u202eevil", "[red]x[/]", "[/"])
async def test_what_is_pasted_is_shown_and_never_obeyed(pasted: str) -> None:
    app = app_of(live([*answer(), *cap_cut()]))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("slash")
        field(app).post_message(events.Paste(pasted))
        await settle(pilot)
        shown = screen_text(app)
        assert not any(ord(char) < 32 and char != "\n" for char in shown)
        assert "\u202e" not in shown
        assert app.is_running


async def test_following_stays_at_the_newest_that_is_shown() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await typed(pilot, "/agent:triage|fixer ")
        await pilot.press("enter")
        await settle(pilot)
        assert app.watched.position.following
        assert app.watched.position.selected == "77e0c1b2"
        await pilot.press("n")
        await settle(pilot)
        assert app.watched.position.selected == "77e0c1b2"


async def test_the_filter_can_be_typed_where_there_is_room_for_one_pane_only() -> None:
    app = app_of("everything")
    async with app.run_test(size=(40, 10)) as pilot:
        await settle(pilot)
        await typed(pilot, "/agent:tri ")
        assert "triage" in screen_text(app)
        assert "/ 1 of 12" in screen_text(app)
