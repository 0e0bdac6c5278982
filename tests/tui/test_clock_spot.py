from __future__ import annotations

from datetime import datetime, timedelta

from roundwatch.tui.bars import HeaderBar
from roundwatch.tui.clock_spot import ClockSpot
from textual.geometry import Region

from tests.scenes import NOW
from tests.stage import app_of, keys, screen_text, settle


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now


async def test_a_second_draws_the_clock_and_nothing_else_of_the_header() -> None:
    clock = Clock()
    app = app_of("cut", clock=clock)
    async with app.run_test(size=(120, 40)) as pilot:
        await keys()(pilot)
        before = screen_text(app).splitlines()[0]
        header, spot = app.screen.query_one(HeaderBar), app.screen.query_one(ClockSpot)
        drawn: list[tuple[Region, ...]] = []
        header.refresh = lambda *regions, **_: drawn.append(regions) or header  # type: ignore[method-assign,func-returns-value]
        clock.now = NOW + timedelta(seconds=1)
        header.tick()
        assert drawn == []
        await settle(pilot)
        after = screen_text(app).splitlines()[0]
        changed = [n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        assert changed
        assert all(spot.region.x <= n < spot.region.right for n in changed)


async def test_the_clock_stands_where_the_header_leaves_room_and_goes_where_it_does_not() -> None:
    app = app_of("cut")
    async with app.run_test(size=(120, 40)) as pilot:
        await keys()(pilot)
        assert screen_text(app).splitlines()[0].endswith("EN  14:03:22 CET")
        await pilot.resize_terminal(40, 10)
        await settle(pilot)
        assert not app.screen.query_one(ClockSpot).display
        assert "14:03" not in screen_text(app).splitlines()[0]
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert screen_text(app).splitlines()[0].endswith("EN  14:03:22 CET")
