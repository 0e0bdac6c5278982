"""The mouse through the whole app: selecting, opening, sorting, folding, scrolling, and doing without it."""

from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.home import Home
from roundwatch.tui.main_screen import MainScreen
from roundwatch.tui.palette_screen import PaletteScreen
from roundwatch.tui.preferences import PreferencesFile
from roundwatch.tui.reading_screen import ReadingScreen
from roundwatch.tui.reading_view import ReadingView
from roundwatch.tui.rounds_view import RoundsView
from roundwatch.tui.sort_order import SortOrder
from roundwatch.tui.terminal_words import mouse_sequence
from roundwatch.tui.timeline_view import TimelineView
from textual.events import MouseScrollDown
from textual.pilot import Pilot

from tests.scenes import answer, live
from tests.stage import app_of, screen_text, settle

WIDE = (120, 40)


def many() -> list[dict[str, object]]:
    return [{**line, "round": f"round-{n:03}"} for n in range(60) for line in answer()]


def place_of(app: RoundwatchApp, words: str) -> tuple[int, int]:
    """Column and line of the first cell of ``words``."""
    for y, line in enumerate(screen_text(app).splitlines()):
        if words in line:
            return line.index(words), y
    raise AssertionError(words)


async def click(pilot: Pilot[None], words: str, right: int = 0) -> None:
    assert isinstance(pilot.app, RoundwatchApp)
    x, y = place_of(pilot.app, words)
    await pilot.click(offset=(x + right, y))
    await settle(pilot)


def main(app: RoundwatchApp) -> MainScreen:
    screen = app.main_screen()
    assert screen is not None
    return screen


async def test_a_click_selects_and_another_one_opens() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await click(pilot, "triage")
        assert app.watched.position.selected == "77e0c1b2"
        assert not main(app).reads
        await click(pilot, "triage")
        assert main(app).reads


async def test_a_click_in_the_round_points_and_another_one_inspects() -> None:
    app = app_of("cut")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await click(pilot, '"max_tokens"')
        assert main(app).reads
        assert not isinstance(app.screen, ReadingScreen)
        await click(pilot, '"max_tokens"')
        assert isinstance(app.screen, ReadingScreen)
        assert "246,689" in screen_text(app)


@pytest.mark.parametrize(
    ("heading", "order"),
    [("state", SortOrder.PROBLEMS), ("agent  ", SortOrder.AGENT), ("total", SortOrder.LONGEST)],
)
async def test_a_click_on_a_heading_sorts_and_another_one_takes_it_back(heading: str, order: SortOrder) -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await click(pilot, heading)
        assert app.watched.shown.order is order
        await click(pilot, heading)
        assert app.watched.shown.order is SortOrder.NEWEST


async def test_a_click_on_the_sign_folds_and_unfolds() -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert "9f21aa07" in screen_text(app)
        await click(pilot, "▾ pr-reviewer")
        assert "9f21aa07" not in screen_text(app)
        await click(pilot, "▸ pr-rev")
        assert "9f21aa07" in screen_text(app)
        assert not main(app).reads


async def test_the_wheel_moves_the_window_and_not_the_selection() -> None:
    app = app_of(live(many()))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        rounds = app.screen.query_one(RoundsView)
        await pilot._post_mouse_events([MouseScrollDown], rounds, offset=(5, 5))  # pyright: ignore[reportPrivateUsage]
        await settle(pilot)
        assert rounds.position.window(rounds.page)[0] == 3
        assert rounds.position.selected == "round-059"


async def test_the_bar_of_the_list_can_be_dragged_to_its_end_and_back() -> None:
    app = app_of(live(many()))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        rounds = app.screen.query_one(RoundsView)
        right, bottom = rounds.size.width - 1, rounds.size.height - 2
        await pilot.mouse_down(rounds, offset=(right, 1))
        await pilot.hover(rounds, offset=(right, bottom))
        await pilot.mouse_up(rounds, offset=(right, bottom))
        await settle(pilot)
        assert rounds.position.window(rounds.page)[0] == 60 - rounds.page
        assert rounds.position.selected == "round-059"
        await pilot.hover(rounds, offset=(right, 1))
        await settle(pilot)
        assert rounds.position.window(rounds.page)[0] == 60 - rounds.page
        await pilot.mouse_down(rounds, offset=(right, bottom))
        await pilot.hover(rounds, offset=(right, 1))
        await pilot.mouse_up(rounds, offset=(right, 1))
        await settle(pilot)
        assert rounds.position.window(rounds.page)[0] == 0


async def test_the_bars_of_a_round_and_of_a_text_can_be_dragged() -> None:
    app = app_of("cut")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        timeline = app.screen.query_one(TimelineView)
        await pilot.click(timeline, offset=(timeline.size.width - 1, 1))
        await settle(pilot)
        assert "3 calls" in screen_text(app)
        await pilot.press("question_mark")
        await settle(pilot)
        text = app.screen.query_one(ReadingView)
        await pilot.click(text, offset=(text.size.width - 1, text.size.height - 2))
        await settle(pilot)
        assert text.scrolled().top == text.scrolled().total - text.page


async def test_a_click_in_the_palette_runs_the_command() -> None:
    app = app_of("cut")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", *"statistics")
        await settle(pilot)
        assert isinstance(app.screen, PaletteScreen)
        await click(pilot, "Show the statistics")
        assert isinstance(app.screen, ReadingScreen)


async def test_the_mouse_can_be_left_to_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    def write(app: RoundwatchApp, sequence: str) -> None:
        sent.append(sequence)

    monkeypatch.setattr(RoundwatchApp, "to_terminal", write)
    app = app_of("cut")
    app.home = Home(PreferencesFile(tmp_path / "screen.json"), tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert mouse_sequence(taken=False) not in sent
        await pilot.press("comma", "down", "down", "down", "enter")
        await settle(pilot)
        assert sent[-1] == mouse_sequence(taken=False) == "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l"
        await pilot.press("enter")
        await settle(pilot)
        assert sent[-1] == mouse_sequence(taken=True)
        await pilot.press("enter")
        await settle(pilot)
    sent.clear()
    again = app_of("cut")
    again.home = Home(PreferencesFile(tmp_path / "screen.json"), tmp_path)
    async with again.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert mouse_sequence(taken=False) in sent
