"""What the app does with the troubles and the pace of its source."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from roundwatch.core.hub import HubRefused, Link, LinkState
from roundwatch.core.texts import Texts
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.source import SourceItem

from tests.scenes import answer, event, everything, live, received, start
from tests.stage import app_of, screen_text, settle
from tests.tui.fed import fed_app, words

WIDE = (120, 40)


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
