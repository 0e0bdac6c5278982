"""Copying, exporting, settings and alerts through the whole app."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from roundwatch.core.texts import Texts
from roundwatch.tui.app import GIVE_TITLE_BACK, KEEP_TITLE, RoundwatchApp
from roundwatch.tui.home import Home
from roundwatch.tui.main_screen import MainScreen
from roundwatch.tui.preferences import PreferencesFile
from roundwatch.tui.source import SourceItem
from roundwatch.tui.themes import DARK, LIGHT, MONOCHROME

from tests.scenes import answer, cap_cut, end, live, received, start
from tests.stage import app_of, screen_text, settle

WIDE = (120, 40)
Sent = list[str]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What the app has written to the terminal by itself."""
    written: Sent = []

    def write(app: RoundwatchApp, sequence: str) -> None:
        written.append(sequence)

    monkeypatch.setattr(RoundwatchApp, "to_terminal", write)
    return written


def at_home(folder: Path, scene: str = "cut", *, encoding: str = "utf-8") -> RoundwatchApp:
    app = app_of(scene)
    app.home = Home(PreferencesFile(folder / "screen.json"), folder / "saved", encoding)
    return app


def copied(sent: Sent) -> list[str]:
    return [base64.b64decode(each[7:-2]).decode() for each in sent if each.startswith("\x1b]52;")]


async def test_y_copies_the_report_in_the_list_and_the_text_in_the_round(tmp_path: Path, sent: Sent) -> None:
    app = at_home(tmp_path)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("y", "enter", "y", "enter", "y")
        await settle(pilot)
        report, in_round, in_inspector = copied(sent)
        assert "Stream ended without a finish" in report
        assert in_round == in_inspector == "I will split the"
        assert "Sent to the terminal's clipboard" in screen_text(app)


async def test_w_saves_what_y_would_copy(tmp_path: Path, sent: Sent) -> None:
    app = at_home(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("enter", "w")
        await settle(pilot)
        (file,) = (tmp_path / "saved").iterdir()
        assert file.read_text() == "I will split the"
        assert copied(sent) == []


@pytest.mark.parametrize(("downs", "ending"), [(0, "json"), (1, "md"), (2, "svg"), (3, "csv")])
async def test_the_export_menu_writes_each_form(tmp_path: Path, downs: int, ending: str) -> None:
    app = at_home(tmp_path)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("e", *["down"] * downs, "enter")
        await pilot.app.workers.wait_for_complete()  # pyright: ignore[reportUnknownMemberType]
        await settle(pilot)
        assert isinstance(app.screen, MainScreen)
        assert [file.suffix for file in (tmp_path / "saved").iterdir()] == [f".{ending}"]
        assert "Saved:" in screen_text(app)


@pytest.mark.parametrize(
    ("words", "copies"),
    [("finish reason", None), ("call as json", "I will split the"), ("report", "Stream ended without a finish")],
)
async def test_the_palette_copies_too(tmp_path: Path, sent: Sent, words: str, copies: str | None) -> None:
    app = at_home(tmp_path)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p", *["space" if char == " " else char for char in words], "enter")
        await settle(pilot)
        if copies is None:
            assert "none reported" in screen_text(app)
            assert copied(sent) == []
        else:
            assert copies in copied(sent)[0]


async def test_a_choice_counts_at_once_and_the_next_time(tmp_path: Path) -> None:
    app = at_home(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await pilot.press("comma", "down", "enter", "up", "right")
        await settle(pilot)
        assert app.theme == LIGHT.name
        assert app.texts.locale == "de"
        assert "Einstellungen" in screen_text(app)
        await pilot.press("down", "left", "left", "escape")
        await settle(pilot)
        assert app.theme == MONOCHROME.name
    assert json.loads((tmp_path / "screen.json").read_text())["theme"] == MONOCHROME.name
    again = Home(PreferencesFile(tmp_path / "screen.json"), tmp_path)
    source, texts = app_of("cut").source, Texts.load("en")
    assert RoundwatchApp(source, texts=texts, theme=None, home=again).theme == MONOCHROME.name
    assert RoundwatchApp(source, texts=texts, theme=DARK.name, home=again).theme == DARK.name


async def test_preferences_that_cannot_be_read_or_written_are_told(tmp_path: Path) -> None:
    (tmp_path / "screen.json").mkdir()
    app = at_home(tmp_path)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        assert "could not be read" in screen_text(app)
        await pilot.press("t")
        await settle(pilot)
        assert "Could not save" in screen_text(app)
        assert app.theme == LIGHT.name


async def test_a_terminal_without_unicode_gets_ascii_by_itself(tmp_path: Path) -> None:
    app = at_home(tmp_path, encoding="ascii")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert screen_text(app).isascii()


async def test_the_window_is_named_by_our_words_and_a_clean_name_and_named_back(sent: Sent) -> None:
    app = RoundwatchApp(app_of(live([])).source, texts=Texts.load("en"), source_name="\x1b]0;evil\x07" * 9)
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        await settle(pilot)
    titles = [each for each in sent if each.startswith("\x1b]2;")]
    assert len(titles) == 1
    assert "\x07" not in titles[0]
    assert "\x1b" not in titles[0][2:-2]
    assert titles[0].endswith(Texts.load("en")("tui.window", running=0, not_answers=0) + "\x1b\\")
    assert (sent[0], sent[-1]) == (KEEP_TITLE, GIVE_TITLE_BACK)


def ending(after: list[SourceItem]) -> list[SourceItem]:
    return [*live(answer()), *after]


async def test_a_round_that_ends_as_no_answer_is_told_and_rings_where_that_is_wanted(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[bool] = []

    def bell(app: RoundwatchApp) -> None:
        rung.append(True)

    monkeypatch.setattr(RoundwatchApp, "bell", bell)
    app = app_of(ending(received(cap_cut(), 100)))
    app.home.preferences.change(bell=True, desktop=True)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        assert "┄ worker (271046c3): Stream ended without a finish" in screen_text(app)
    assert rung == [True]
    assert [each for each in sent if each.startswith("\x1b]9;")] == [
        "\x1b]9;roundwatch: ┄ worker (271046c3): Stream ended without a finish\x1b\\"
    ]


async def test_what_had_ended_before_we_came_and_answers_call_for_nobody(sent: Sent) -> None:
    app = app_of([*live(cap_cut()), *received([*start("ok", 50), *answer()[1:]], 100)])
    app.home.preferences.change(bell=True, desktop=True)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        assert "worker (271046c3)" not in screen_text(app)
    assert [each for each in sent if each.startswith("\x1b]9;")] == []


async def test_a_pinned_round_stays_on_screen_above_whatever_is_filtered(sent: Sent) -> None:
    app = app_of("everything")
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("n", "n", "n", "n", "n", "n", "p", "home", "slash", *"fixer", "space", "enter")
        await settle(pilot)
        shown = screen_text(app)
        assert "★⊘ triage" in shown
        assert "Pinned: 77e0c1b2" in shown
        assert app.watched.position.selected == "8f1c22d0"
        await pilot.click("#rounds", offset=(5, 2))
        await settle(pilot)
        assert app.watched.position.selected == "8f1c22d0"
        await pilot.press("escape")
        await settle(pilot)
        await pilot.click("#rounds", offset=(5, 2))
        await settle(pilot)
        assert app.watched.position.selected == "77e0c1b2"
        await pilot.press("p")
        await settle(pilot)
        assert "★" not in screen_text(app)


def test_a_pinned_round_keeps_its_details() -> None:
    from tests.tui.filtering import watching
    from tests.tui.test_watched import many

    watched = watching(many(3), kept=2)
    watched.pinned = "r1"
    for item in received(
        [line for number in range(5) for line in [*start(f"n{number}", 90), *end(f"n{number}", 91)]], 500
    ):
        watched.take(item, 1.0)
    assert "r1" in watched.ledger.rounds
    assert "r2" in watched.ledger.retired


@pytest.mark.parametrize("press", ["y", "w", "e", "comma", "p", "S", "f3", "colon", "s"])
@pytest.mark.parametrize("items", ["empty", "unresolved"])
async def test_no_key_breaks_where_there_is_little(
    press: str, items: str, sent: Sent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = at_home(tmp_path, items)
    async with app.run_test(size=(40, 10), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press(press, "enter", "enter", "escape", press, "escape")
        await settle(pilot)
        assert app.is_running
        assert isinstance(app.screen, MainScreen)
