from __future__ import annotations

import asyncio
import re

import pytest
from roundwatch.tui.main_screen import MainScreen

from tests.scenes import Lines, answer, asks, call, cap_cut, everything, gives, live, received, start
from tests.stage import app_of, screen_text, settle
from tests.tui.fed import fed_app, words

WIDE = (120, 40)


def asks_much(round_: str, number: int) -> Lines:
    """A call with its tool call."""
    asked = asks(round_, f"c{number}", f"t{number}", "read_file", number + 0.3)
    return [
        *call(round_, f"c{number}", number, first=0.1, total=0.5, between=asked),
        *gives(round_, f"t{number}", number + 0.6, 12),
    ]


async def test_the_newest_round_is_selected_and_its_banner_shown() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert app.watched.position.selected == "d0cb3e56"
        assert "If it ended now" in screen_text(app)


async def test_while_following_a_new_round_takes_the_place() -> None:
    app, source = fed_app()
    async with app.run_test(size=WIDE) as pilot:
        await source.feed(*live(answer()))
        await source.feed(*received(start("new", 50), 100))
        await settle(pilot)
        assert app.watched.position.selected == "new"
        assert "following" in screen_text(app)


async def test_once_the_operator_has_moved_nothing_moves_under_them() -> None:
    app, source = fed_app()
    async with app.run_test(size=WIDE) as pilot:
        await source.feed(*live([*answer(), *cap_cut()]))
        await settle(pilot)
        await pilot.press("down")
        for number in range(60):
            await source.feed(*received(start(f"new-{number}", 50 + number), 100 + number))
        await settle(pilot)
        assert app.watched.position.selected == "233a0419"
        shown = screen_text(app)
        assert "new-59" not in shown
        assert "61 newer rounds ↑" in shown
        await pilot.press("home")
        await settle(pilot)
        assert app.watched.position.selected == "new-59"
        assert "following" in screen_text(app)


async def test_reading_a_round_keeps_it_on_screen() -> None:
    app, source = fed_app()
    async with app.run_test(size=WIDE) as pilot:
        await source.feed(*live(answer()))
        await settle(pilot)
        await pilot.press("enter")
        await source.feed(*received(start("new", 50), 100))
        await settle(pilot)
        assert app.watched.position.selected == "233a0419"
        await pilot.press("escape", "f")
        await settle(pilot)
        assert app.watched.position.selected == "new"


async def test_n_goes_to_the_next_round_that_is_not_an_answer_and_says_when_there_is_none() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        seen: list[str | None] = []
        for _ in range(7):
            await pilot.press("n")
            await settle(pilot)
            seen.append(app.watched.position.selected)
        assert seen == ["1c44e7d1", "c4ce11ed", "0aa9d3c4", "5b1d9f00", "6b00aa17", "77e0c1b2", "271046c3"]
        await pilot.press("n")
        await settle(pilot)
        assert app.watched.position.selected == "271046c3"
        assert "No further problem" in screen_text(app)
        await pilot.press("N")
        await settle(pilot)
        assert app.watched.position.selected == "77e0c1b2"


async def test_resizing_through_every_arrangement_keeps_selection_and_place() -> None:
    app = app_of("everything")
    async with app.run_test(size=(200, 60)) as pilot:
        await settle(pilot)
        await pilot.press("down", "down", "down")
        before = (app.watched.position.selected, app.watched.position.following)
        for size in ((200, 60), (40, 10), (20, 5), (120, 40), (1, 1), (2, 2), (80, 1), (500, 10), (79, 24), (120, 40)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
        assert (app.watched.position.selected, app.watched.position.following) == before
        assert "collector" in screen_text(app)


async def test_a_terminal_too_small_for_the_panes_shows_the_verdict() -> None:
    app = app_of("cut")
    async with app.run_test(size=(30, 4)) as pilot:
        await settle(pilot)
        assert screen_text(app).splitlines()[0] == "┄ no finish  worker  review-29"


async def test_a_narrow_terminal_shows_one_pane_at_a_time() -> None:
    app = app_of("cut")
    async with app.run_test(size=(40, 10)) as pilot:
        await settle(pilot)
        assert "agent" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "Stream ended without" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "agent" in screen_text(app)


@pytest.mark.parametrize("opened", [(), ("question_mark",), ("ctrl+p",), ("enter", "enter")])
async def test_switching_the_language_leaves_no_word_of_the_other_one(opened: tuple[str, ...]) -> None:
    there, fresh = app_of("cut", "en"), app_of("cut", "de")
    async with there.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("l", *opened)
        await settle(pilot)
        switched = screen_text(there)
    async with fresh.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press(*opened)
        await settle(pilot)
        assert switched == screen_text(fresh)


async def test_the_language_switches_under_an_open_help() -> None:
    app = app_of("cut", "en")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("question_mark", "l")
        await settle(pilot)
        assert "Nur eine bestätigte Antwort heißt so" in screen_text(app)
        assert "Help" not in screen_text(app)


async def test_the_inspector_shows_the_call_under_the_cursor_as_received() -> None:
    app = app_of("cut", "en")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("enter", "up", "up", "enter")
        await settle(pilot)
        assert "no arguments" not in screen_text(app)
        assert "write_file" in screen_text(app)
        assert "discarded" in screen_text(app)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, MainScreen)


async def test_the_palette_finds_and_runs_an_action() -> None:
    app = app_of("cut", "en")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", *"german", "enter")
        await settle(pilot)
        assert app.texts.locale == "de"
        assert isinstance(app.screen, MainScreen)


async def test_a_letter_typed_into_the_palette_is_a_letter() -> None:
    app = app_of("cut", "en")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", "q", "l", "n")
        await settle(pilot)
        assert app.is_running
        assert "No command matches." in screen_text(app)


@pytest.mark.parametrize("opened", ["question_mark", "s", "e", "comma"])
async def test_q_closes_what_stands_over_the_main_screen_first(opened: str) -> None:
    app = app_of("cut", "en")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press(opened)
        await settle(pilot)
        assert not isinstance(app.screen, MainScreen)
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(app.screen, MainScreen)
        await pilot.press("q")
        assert not app.is_running


async def test_an_interrupt_ends_the_app_from_anywhere() -> None:
    app = app_of("cut", "en")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("question_mark", "ctrl+c")
        assert not app.is_running


async def test_a_changed_key_is_named_wherever_the_old_one_was() -> None:
    app = app_of("everything", "en")
    app.set_keymap({"main.next": "x"})
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert "x next problem" in screen_text(app)
        await pilot.press("x")
        await settle(pilot)
        assert app.watched.position.selected == "1c44e7d1"
        await pilot.press("ctrl+p", *"next pr")
        await settle(pilot)
        assert re.search(r"Next problem +x ", screen_text(app))


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 10)])
@pytest.mark.parametrize("locale", ["en", "de"])
async def test_the_palette_stands_still_and_shows_whole_keys(size: tuple[int, int], locale: str) -> None:
    app = app_of("cut", locale)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        await settle(pilot)
        assert app.screen.max_scroll_y == 0
        rows = [line for line in screen_text(app).splitlines() if "│" in line]
        assert not any(re.search(r"… ?[│┃]", line.split("╮")[0]) for line in rows if "▌" in line)


async def test_what_enter_inspects_is_in_sight() -> None:
    app = app_of([*live([*start("r", 0), *(line for n in range(9) for line in asks_much("r", n))])], "en")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "│▌" in "\n".join(screen_text(app).splitlines()[6:])
        await pilot.press("pageup", "pageup")
        await settle(pilot)
        assert "│▌" in "\n".join(screen_text(app).splitlines()[6:])


async def test_the_list_takes_no_more_room_than_its_rounds_where_the_panes_are_stacked() -> None:
    app, source = fed_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await source.feed(*live(answer()))
        await settle(pilot)
        assert app.screen.query_one("#rounds").size.height == 4
        await source.feed(*received(everything(), 100))
        await settle(pilot)
        assert app.screen.query_one("#rounds").size.height == 7


async def test_a_low_screen_says_notices_in_the_footer_and_gives_it_back() -> None:
    app = app_of("answer", "en")
    async with app.run_test(size=(40, 10), notifications=True) as pilot:
        await settle(pilot)
        app.notify("Something that takes more than one line of this screen.", timeout=600)
        await settle(pilot)
        lines = screen_text(app).splitlines()
        assert [line.strip() for line in lines[-2:]] == ["Something that takes more than one", "line of this screen."]
        assert "▌" in "\n".join(lines)
        app.notify("Something that goes soon.", timeout=0.05)
        async with asyncio.timeout(30):
            while "? help" not in screen_text(app).splitlines()[-1]:
                await settle(pilot)


async def test_equal_notices_replace_each_other_and_at_most_three_stand_on_screen() -> None:
    app = app_of("answer", "en")
    async with app.run_test(size=(160, 40), notifications=True) as pilot:
        for number in (1, 1, 1, 2, 3, 4, 4, 5, 5):
            app.notify(f"notice {number}")
        await settle(pilot)
        shown = screen_text(app)
        assert [shown.count(f"notice {number}") for number in range(1, 6)] == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 10)])
async def test_an_empty_screen_says_how_to_feed_it(size: tuple[int, int]) -> None:
    app = app_of("empty", "en")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert "roundwatch demo" in words(screen_text(app))
        assert "ws://" in screen_text(app) or "127.0.0.1" in screen_text(app)
