from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator

import pytest
from roundwatch.core.hub import HubRefused, Link, LinkState
from roundwatch.core.texts import Texts
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.main_screen import MainScreen
from roundwatch.tui.source import SourceItem

from tests.scenes import Lines, answer, asks, call, cap_cut, event, everything, gives, live, received, start
from tests.stage import app_of, screen_text, settle

WIDE = (120, 40)


class Fed:
    """A source that a test feeds piece by piece."""

    is_recording = False

    def __init__(self) -> None:
        self.queue: asyncio.Queue[SourceItem | Exception] = asyncio.Queue()

    async def items(self) -> AsyncGenerator[SourceItem]:
        while True:
            item = await self.queue.get()
            if isinstance(item, Exception):
                raise item
            yield item
            self.queue.task_done()

    async def feed(self, *items: SourceItem) -> None:
        for item in items:
            self.queue.put_nowait(item)
        await self.queue.join()


def fed_app() -> tuple[RoundwatchApp, Fed]:
    source = Fed()
    return RoundwatchApp(source, texts=Texts.load("en"), source_name="test"), source


def asks_much(round_: str, number: int) -> Lines:
    """A call with its tool call."""
    asked = asks(round_, f"c{number}", f"t{number}", "read_file", number + 0.3)
    return [
        *call(round_, f"c{number}", number, first=0.1, total=0.5, between=asked),
        *gives(round_, f"t{number}", number + 0.6, 12),
    ]


def words(shown: str) -> str:
    """What stands on a screen, without what frames it."""
    return " ".join(shown.translate(dict.fromkeys(map(ord, "│┃▌▐╭╮╰╯─"), " ")).split())


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
        app.notify("Something that takes more than one line of this screen.", timeout=0.2)
        await settle(pilot)
        lines = screen_text(app).splitlines()
        assert [line.strip() for line in lines[-2:]] == ["Something that takes more than one", "line of this screen."]
        assert "▌" in "\n".join(lines)
        await asyncio.sleep(0.4)
        await settle(pilot)
        assert "? help" in screen_text(app).splitlines()[-1]


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


async def test_a_refusing_hub_is_told_and_the_rounds_stay() -> None:
    app, source = fed_app()
    async with app.run_test(size=(160, 40), notifications=True) as pilot:
        await source.feed(*live(answer()))
        await source.feed(Link(LinkState.REFUSED, "HTTP 401"))
        source.queue.put_nowait(HubRefused("the hub will not have us: HTTP 401"))
        await settle(pilot)
        shown = screen_text(app)
        assert "✕ refused  " in shown
        assert "the hub will not have us: HTTP 401" in words(shown)
        assert "--token-file FILE" in words(shown)
        assert "worker" in shown


async def test_a_source_that_breaks_does_not_end_the_app() -> None:
    app, source = fed_app()
    async with app.run_test(size=(160, 40), notifications=True) as pilot:
        await source.feed(*live(answer()))
        source.queue.put_nowait(RuntimeError("boom [/] \x1b[2J"))
        await settle(pilot)
        await settle(pilot)
        assert app.is_running
        assert "‼ the feed failed  " in screen_text(app)
        assert "RuntimeError: boom [/] ␛[2J" in words(screen_text(app))


async def test_an_event_that_cannot_be_folded_is_counted_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    app, source = fed_app()
    fold = app.watched.ledger.apply

    def failing(item: object) -> object:
        if getattr(item, "round", "") == "poison":
            raise ValueError("cannot")
        return fold(item)  # type: ignore[arg-type]

    monkeypatch.setattr(app.watched.ledger, "apply", failing)
    async with app.run_test(size=(160, 40)) as pilot:
        await source.feed(*live([]))
        await source.feed(*received([*start("poison", 1), *answer()]))
        await settle(pilot)
        assert "1 unreadable" in screen_text(app)
        assert "Review of the retry layer" in screen_text(app)


async def test_a_gap_is_shown_in_the_header_and_in_the_round() -> None:
    app = app_of("partial")
    async with app.run_test(size=(160, 40)) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        assert "partial view: 479 events missing" in shown
        assert "Gap in our own feed: 479 events are missing here." in shown
        assert "1 unreadable" in shown


async def test_unknown_events_are_counted_and_shown() -> None:
    app = app_of(live([*start("r", 1), *event("round.telepathy", "r", 2)]))
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert "1 unknown event" in screen_text(app)
        assert 'Unknown event "round.telepathy".' in screen_text(app)


async def test_nothing_is_drawn_while_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_of("cut")
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        drawn: list[object] = []

        def note(*regions: object, **how: object) -> None:
            drawn.append(regions)

        for widget in app.screen.walk_children():
            monkeypatch.setattr(widget, "refresh", note)
        app.repaint()
        assert drawn == []
        monkeypatch.undo()


async def test_a_burst_is_drawn_in_few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    app, source = fed_app()
    async with app.run_test(size=WIDE) as pilot:
        await source.feed(*live(start("r", 0)))
        await settle(pilot)
        frames: list[float] = []
        draw = app.repaint

        def counted() -> None:
            frames.append(1.0)
            draw()

        monkeypatch.setattr(app, "repaint", counted)
        lines = [event("call.output", "r", 1 + n / 1000, call="c1", kind="text", text="x")[0] for n in range(2000)]
        await source.feed(*received(lines, 10))
        await pilot.pause(0.05)
        assert 1 <= len(frames) < 60
        assert app.watched.ledger.rounds["r"].calls[0].text_chars == 2000


async def test_quitting_does_not_wait_for_a_source_that_hangs() -> None:
    class Hanging:
        is_recording = False

        async def items(self) -> AsyncGenerator[SourceItem]:
            yield Link(LinkState.CONNECTING)
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(30)

    app = RoundwatchApp(Hanging(), texts=Texts.load("en"))
    loop = asyncio.get_running_loop()
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        began = loop.time()
        await pilot.press("q")
    assert loop.time() - began < 15
    for task in asyncio.all_tasks():
        if task.get_name() == "pump":
            task.cancel()


def test_every_round_of_the_scenes_is_placed() -> None:
    from roundwatch.tui.watched import Watched

    watched = Watched()
    for item in live(everything()):
        watched.take(item, 0.0)
    assert len(watched.tree) == len(watched.ledger.rounds) == sum(watched.counts.values())
