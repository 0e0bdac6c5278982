"""The screen before real hubs: several at once, one that dies and comes back, and details that come from the store."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from roundwatch.core.hub import Hub, SqliteStore
from roundwatch.core.hub.retention import Retention
from roundwatch.core.rounds import Round, RoundSummary
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.correction import LATE_S
from roundwatch.tui.feed import FeedState
from roundwatch.tui.source import HubSource, NamedSource
from roundwatch.tui.standing import Standing
from roundwatch.tui.statistics import Measure
from roundwatch.tui.testing.stage import ZONE, texts_of
from textual.pilot import Pilot

from tests.core.hub.peers import dial, heard_until
from tests.scenes import NOW, Lines, answer, call, end, event, start
from tests.stage import screen_text

PATIENCE_S = 30.0


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


async def until(pilot: Pilot[Any], true: Callable[[], bool]) -> None:
    """Let the app work until something holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not true():
            await pilot.pause(0.02)
            app = pilot.app
            assert isinstance(app, RoundwatchApp)
            app.repaint()


async def send(hub: Hub, lines: Iterable[dict[str, Any]], producer: str = "p") -> None:
    sent = [{**line, "id": f"{producer}:{number}"} for number, line in enumerate(lines, start=1)]
    async with dial(hub, "/v1/publish") as link:
        await link.send(json.dumps(sent))
        await heard_until(link, "feed.ack")


def ended(round_: str, second: float = 0.0) -> Lines:
    first = [*start(round_, second), *call(round_, "c", second, first=0.1, total=0.5, usage=(10, 1), text="whole")]
    return [*first, *end(round_, second + 0.6, status="completed")]


def many(count: int) -> Lines:
    return [line for number in range(count) for line in ended(f"r{number}", number)]


class Clock:
    """Moves when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def app_before(hubs: dict[str, Hub], clock: Callable[[], float] = time.monotonic, locale: str = "en") -> RoundwatchApp:
    (name, first), *others = hubs.items()
    app = RoundwatchApp(
        HubSource(first.url),
        texts=texts_of(locale),
        source_name=name,
        clock=lambda: NOW,
        zone=ZONE,
        more=[NamedSource(other, HubSource(hub.url)) for other, hub in others],
        monotonic=clock,
    )
    app.watched.kept = 3
    return app


def all_live(app: RoundwatchApp) -> bool:
    return all(hub.feed.state is FeedState.LIVE for hub in app.watched.hubs)


@asynccontextmanager
async def two_hubs(tmp_path: Path) -> AsyncGenerator[tuple[Hub, Hub]]:
    async with Hub(tmp_path / "1.sqlite3", port=0) as one, Hub(tmp_path / "2.sqlite3", port=0) as other:
        yield one, other


async def test_rounds_of_one_id_at_two_hubs_are_two_rounds_each_with_its_hub(tmp_path: Path) -> None:
    async with two_hubs(tmp_path) as (work, lab):
        await send(work, answer())
        await send(lab, [*start("233a0419", 0), *call("233a0419", "c", 0, first=1, total=2, finish="length", text="x"),
                         *end("233a0419", 3)])  # fmt: skip
        app = app_before({"work": work, "lab": lab})
        async with app.run_test(size=(140, 30)) as pilot:
            await until(pilot, lambda: all_live(app) and len(app.watched.tree) == 2)
            shown = screen_text(app)
            assert (app.watched.counts[Standing.ANSWER], app.watched.counts[Standing.NOT_ANSWER]) == (1, 1)
            assert "work ● live   lab ● live" in shown
            assert "hub" in shown
            assert app.watched.statistics.verdicts.total() == 2
            await pilot.press("slash", *"hub", "colon", *"lab", "enter")
            await until(pilot, lambda: app.watched.shown.is_settled and len(app.watched.shown.rows) == 1)
            key = app.watched.shown.rows.at(0).id
            assert (app.watched.place(key)[0].name, app.watched.id_of(key)) == ("lab", "233a0419")


async def test_a_hub_that_dies_and_comes_back_never_disturbs_another(tmp_path: Path) -> None:
    async with Hub(tmp_path / "1.sqlite3", port=0) as work:
        lab = Hub(tmp_path / "2.sqlite3", port=0)
        await lab.start()
        port = int(lab.url.rpartition(":")[2])
        app = app_before({"work": work, "lab": lab}, locale="de")
        async with app.run_test(size=(160, 30)) as pilot:
            await until(pilot, lambda: all_live(app))
            await lab.stop()
            await until(pilot, lambda: app.watched.hubs[1].feed.state is FeedState.RECONNECTING)
            assert "work ● live" in screen_text(app)
            await send(work, answer())
            await until(pilot, lambda: app.watched.counts[Standing.ANSWER] == 1)
            async with Hub(tmp_path / "2.sqlite3", port=port) as back:
                await until(pilot, lambda: all_live(app))
                await send(back, ended("back"))
                await until(pilot, lambda: app.watched.counts[Standing.ANSWER] == 2)
            assert not app.watched.hubs[0].feed.is_partial
            assert not app.watched.hubs[1].feed.is_partial


async def test_a_late_event_of_a_round_without_details_judges_it_anew_and_says_so(tmp_path: Path) -> None:
    async with Hub(tmp_path / "1.sqlite3", port=0) as hub:
        await send(hub, many(10))
        app = app_before({"ws://hub": hub})
        async with app.run_test(size=(140, 40), notifications=True) as pilot:
            await until(pilot, lambda: all_live(app) and isinstance(app.watched.known("r0"), RoundSummary))
            await send(hub, event("round.cancel_requested", "r0", 0.5, by="user"), "late")
            await until(pilot, lambda: "r0" in app.watched.corrections)
            round_ = app.watched.known("r0")
            assert isinstance(round_, Round)
            assert len(round_.cancels) == 1
            assert app.watched.counts[Standing.NOT_ANSWER] == 1
            assert app.watched.counts[Standing.ANSWER] == 9
            assert app.watched.statistics.models["sonnet-5"][Measure.TOTAL].values.count == 10
            assert not app.watched.late_events
            await until(pilot, lambda: "Late news about worker" in screen_text(app))
            await pilot.press(*"jjjjjjjjj")
            await until(pilot, lambda: "before, it was: ✓ answer" in screen_text(app))
            assert "↺" in screen_text(app)


async def test_opening_a_round_without_details_loads_them(tmp_path: Path) -> None:
    async with Hub(tmp_path / "1.sqlite3", port=0) as hub:
        await send(hub, many(10))
        app = app_before({"ws://hub": hub})
        async with app.run_test(size=(140, 40)) as pilot:
            await until(pilot, lambda: all_live(app) and len(app.watched.ledger.retired) == 7)
            await pilot.press("G")
            await until(pilot, lambda: isinstance(app.watched.selected, Round))
            await until(pilot, lambda: "» whole" in screen_text(app))
            assert not app.watched.corrections
            assert len(app.watched.tree) == app.watched.counts[Standing.ANSWER] == 10


async def test_what_the_hub_has_trimmed_is_said_to_be_gone_and_the_verdict_stands(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "1.sqlite3", retention=Retention(events=60))
    async with Hub(store, port=0) as hub:
        await send(hub, many(10))
        app = app_before({"ws://hub": hub})
        async with app.run_test(size=(140, 40)) as pilot:
            await until(pilot, lambda: all_live(app) and isinstance(app.watched.known("r0"), RoundSummary))
            await send(hub, [line for n in range(100) for line in ended(f"s{n}", 100)], "more")
            await until(pilot, lambda: len(app.watched.tree) == 110)
            while await store.trim():
                pass
            await pilot.press("G")
            await until(pilot, lambda: "no longer keeps all of this round" in screen_text(app))
            assert isinstance(app.watched.selected, RoundSummary)
            assert app.watched.selected.outcome.is_answer


async def test_a_burst_of_late_events_is_read_in_few_connections(tmp_path: Path) -> None:
    async with Hub(tmp_path / "1.sqlite3", port=0) as hub:
        await send(hub, many(30))
        app = app_before({"ws://hub": hub})
        async with app.run_test(size=(100, 30)) as pilot:
            await until(pilot, lambda: all_live(app) and len(app.watched.ledger.retired) == 27)
            asked: list[int] = []
            source = app.source
            assert isinstance(source, HubSource)
            real = source.history

            async def counted(rounds: Any, threads: Any = ()) -> Any:
                asked.append(len(rounds))
                return await real(rounds, threads)

            source.history = counted  # type: ignore[method-assign]
            late = [line for n in range(20) for line in event("round.cancel_requested", f"r{n}", n + 0.5, by="user")]
            await send(hub, late, "late")
            await until(pilot, lambda: app.watched.counts[Standing.NOT_ANSWER] == 20)
            assert len(asked) <= 4


async def test_a_verdict_changed_in_memory_long_after_it_was_shown_is_a_correction_too(tmp_path: Path) -> None:
    clock = Clock()
    async with Hub(tmp_path / "1.sqlite3", port=0) as hub:
        await send(hub, many(1))
        app = app_before({"ws://hub": hub}, clock)
        async with app.run_test(size=(100, 30)) as pilot:
            await until(pilot, lambda: all_live(app) and app.watched.counts[Standing.ANSWER] == 1)
            clock.now += LATE_S
            await send(hub, event("round.cancel_requested", "r0", 0.5, by="user"), "late")
            await until(pilot, lambda: "r0" in app.watched.corrections)
            assert app.watched.corrections["r0"].was.is_answer
