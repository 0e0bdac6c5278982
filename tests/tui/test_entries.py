from __future__ import annotations

from roundwatch.tui.clean_input import CleanInput
from textual.pilot import Pilot

from tests.scenes import call, end, everything, live, start
from tests.stage import app_of, key_of, screen_text, settle

WIDE = (120, 40)


async def typed(pilot: Pilot[None], text: str) -> None:
    await pilot.press(*map(key_of, text))
    await settle(pilot)


async def test_an_id_leads_to_its_round_from_anywhere() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        for written, selected in (("271046c3", "271046c3"), ("77e0", "77e0c1b2"), ("c1b2", "77e0c1b2")):
            await typed(pilot, f":{written}")
            await pilot.press("enter")
            await settle(pilot)
            assert app.watched.position.selected == selected
            assert not app.screen.query_one(CleanInput).has_focus


async def test_an_id_that_is_nowhere_is_told_and_can_be_corrected() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+g")
        await typed(pilot, "zzz")
        await pilot.press("enter")
        await settle(pilot)
        assert 'No round has an id with "zzz" in it.' in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert app.watched.position.selected == "d0cb3e56"


async def test_going_to_a_round_that_is_filtered_or_folded_away_shows_it() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await typed(pilot, "/is:running ")
        await pilot.press("enter")
        await typed(pilot, ":77e0")
        await pilot.press("enter")
        await settle(pilot)
        assert app.watched.position.selected == "77e0c1b2"
        assert app.watched.shown.filter is None
        await pilot.press("home", "space")
        await settle(pilot)
        assert "+2" in screen_text(app)
        await typed(pilot, ":9f21")
        await pilot.press("tab", "enter")
        await settle(pilot)
        assert app.watched.position.selected == "9f21aa07"
        assert "+2" not in screen_text(app)


async def test_folding_a_sub_round_folds_its_parent_and_again_unfolds() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("down", "down", "space")
        await settle(pilot)
        assert app.watched.position.selected == "d0cb3e56"
        assert "tester" not in screen_text(app).split("╰")[0].split("││")[0]
        assert len(app.watched.shown.rows) == 10
        await pilot.press("right")
        await settle(pilot)
        assert len(app.watched.shown.rows) == 12


async def test_a_problem_that_is_folded_away_is_found_at_the_row_that_hides_it() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("space", "down", "N")
        await settle(pilot)
        assert app.watched.position.selected == "d0cb3e56"


async def test_searching_goes_from_place_to_place_and_on() -> None:
    app = app_of("cut")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await typed(pilot, "/write_file")
        assert "1 of 3" in screen_text(app)
        await pilot.press("down")
        await settle(pilot)
        assert "2 of 3" in screen_text(app)
        await pilot.press("up", "up")
        await settle(pilot)
        assert "3 of 3" in screen_text(app)
        await pilot.press("enter", "f3", "enter")
        await settle(pilot)
        assert "write_file" in screen_text(app)
        assert "Arguments" in screen_text(app)


async def test_words_that_are_nowhere_are_told() -> None:
    app = app_of("cut")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await typed(pilot, "/zebra")
        await pilot.press("enter")
        await settle(pilot)
        assert "Nothing in this round holds these words." in screen_text(app)
        await pilot.press("escape", "f3")
        await settle(pilot)
        assert app.is_running


async def test_an_old_entry_is_laid_out_when_the_words_are_there() -> None:
    lines = start("r", 0)
    for number in range(1200):
        lines += call("r", f"c{number}", number / 100, first=0.001, total=0.002, text="needle" if number == 3 else "x")
    app = app_of(live([*lines, *end("r", 20)]))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await typed(pilot, "/needle")
        assert "1 of 1" in screen_text(app)
        assert "▌  4 sonnet-5" in screen_text(app)


async def test_the_order_goes_round_and_is_named() -> None:
    app = app_of(live(everything()))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("S")
        await settle(pilot)
        assert "problems first" in screen_text(app)
        for _ in range(5):
            await pilot.press("S")
        await settle(pilot)
        assert app.watched.shown.is_tree
