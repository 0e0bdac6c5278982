"""Runs an app that really paints, into a driver that counts bytes, and times one change after the other."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

os.environ["TEXTUAL_FPS"] = "1000"  # before Textual is loaded: no change waits for a clock of 60 frames a second

from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver

SIZE = (200, 50)
PATIENCE_S = 30.0
QUIET_S = 0.02
"""So long without a paint, a change has been painted whole."""


@dataclass(frozen=True)
class Painted:
    """What one change took until it was painted."""

    wall_ms: float
    """From the change to its last bytes."""
    cpu_ms: float
    bytes: int


class CountingDriver(HeadlessDriver):
    """Takes what a terminal would get."""

    bytes = 0
    last_s = 0.0
    news: asyncio.Event

    @property
    def is_headless(self) -> bool:
        """A real terminal to the app: it paints as into one."""
        return False

    def write(self, data: str) -> None:
        """Count."""
        CountingDriver.bytes += len(data.encode())
        CountingDriver.last_s = time.perf_counter()
        CountingDriver.news.set()


async def painted(change: Callable[[], None]) -> Painted:
    """Make one change and wait until the app has painted it and rests."""
    before = CountingDriver.bytes
    CountingDriver.news.clear()
    cpu, begin = time.process_time(), time.perf_counter()
    change()
    await asyncio.wait_for(CountingDriver.news.wait(), PATIENCE_S)
    while time.perf_counter() - CountingDriver.last_s < QUIET_S:  # noqa: ASYNC110 - it waits for an absence
        await asyncio.sleep(QUIET_S / 10)
    return Painted(
        (CountingDriver.last_s - begin) * 1000, (time.process_time() - cpu) * 1000, CountingDriver.bytes - before
    )


async def run_while(app: App[None], use: Callable[[], object]) -> None:
    """Run ``app`` until ``use``, an async function, has ended."""
    CountingDriver.news = asyncio.Event()
    app.driver_class = CountingDriver
    running = asyncio.create_task(app.run_async(size=SIZE, mouse=False))
    try:
        await asyncio.wait_for(CountingDriver.news.wait(), PATIENCE_S)
        await asyncio.sleep(0.3)
        result = use()
        assert asyncio.iscoroutine(result)
        await result
    finally:
        app.exit()
        await running
