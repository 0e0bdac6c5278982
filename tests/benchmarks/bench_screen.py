"""The whole program in a pseudo-terminal: its first paint, what it costs at rest, what it writes while rows change."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from tests.benchmarks.paced_feed import PacedFeed
from tests.benchmarks.pty_program import PATIENCE_S, PtyProgram, bare_textual, watching
from tests.benchmarks.spread import told, told_alone

STARTS = 5
STORED = 100_000
IN_A_FRAME = 500
REST_S = 15.0
SETTLE_S = 10.0
"""Notices go after five seconds, and garbage is looked for once after three."""
CHANGING, CHANGES_PER_S = 20, 10
FIRST_TARGET, IDLE_TARGET = 1.5, 0.3


async def replay(feed: PacedFeed) -> None:
    """Send what a hub has stored, as fast as it is read."""
    for first in range(0, STORED, IN_A_FRAME):
        await feed.send(*(each for number in range(first, first + IN_A_FRAME) for each in _ended(number)))


def _ended(number: int) -> tuple[str, ...]:
    name = f'"round":"r{number}"'
    return (
        f'"type":"round.started",{name},"agent":"worker","title":"Task {number}"',
        f'"type":"call.finished",{name},"call":"c","outcome":"completed","finish_reason":"stop","total_ms":{number}',
        f'"type":"round.finished",{name}',
    )


async def _watched(feed: PacedFeed, use: Callable[[PtyProgram], Awaitable[None]]) -> None:
    feed.watched.clear()
    feed.seq = 0
    with watching(feed.url) as program:
        await asyncio.wait_for(feed.watched.wait(), PATIENCE_S)
        await use(program)


async def first_paint(feed: PacedFeed) -> None:
    """From the start of the process to the first rows, with all the rest still to come; against a bare app."""
    screens: list[float] = []
    rows: list[float] = []
    bare: list[float] = []

    async def use(program: PtyProgram) -> None:
        sending = asyncio.create_task(replay(feed))
        rows.append((await asyncio.to_thread(program.wait_for, b"worker") - program.started) * 1000)
        screens.append((await asyncio.to_thread(program.wait_for, "╭".encode()) - program.started) * 1000)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)

    for _ in range(STARTS):
        with bare_textual() as program:
            bare.append((await asyncio.to_thread(program.wait_for, b"[0]") - program.started) * 1000)
        await _watched(feed, use)
    told("first paint of the screen / bare Textual", screens, bare, "ms", target=FIRST_TARGET)
    told(f"first rows, {STORED:,} stored / bare Textual", rows, bare, "ms", target=FIRST_TARGET)


async def at_rest(feed: PacedFeed) -> None:
    """Processor time while nothing comes: with ended rounds only, then with some that run."""

    async def use(program: PtyProgram) -> None:
        for number in range(30):
            await feed.send(*_ended(number))
        told_alone("at rest, 30 ended rounds", await _share(program), "%", target=IDLE_TARGET)
        for number in range(CHANGING):
            await feed.send(f'"type":"round.started","round":"run{number}","agent":"runner"')
        told_alone("at rest, 20 of them run", await _share(program), "%")
        place, begin = program.place, time.perf_counter()
        cpu = program.cpu_s
        while (passed := time.perf_counter() - begin) < REST_S:
            await feed.send(
                *(f'"type":"call.started","round":"run{number}","call":"c{passed}"' for number in range(CHANGING))
            )
            await asyncio.sleep(1 / CHANGES_PER_S)
        told_alone("20 rows change 10 times a second, written", (program.place - place) / passed, "bytes/s")
        told_alone("the same, processor", (program.cpu_s - cpu) / passed * 100, "%")

    await _watched(feed, use)
    with bare_textual() as program:
        await asyncio.to_thread(program.wait_for, b"[0]")
        told_alone("at rest, bare Textual", await _share(program), "%")


async def _share(program: PtyProgram) -> float:
    """Return what the program takes of a core, in percent, once it has come to rest."""
    await asyncio.sleep(SETTLE_S)
    cpu, begin = program.cpu_s, time.perf_counter()
    await asyncio.sleep(REST_S)
    return (program.cpu_s - cpu) / (time.perf_counter() - begin) * 100


async def measure() -> None:
    async with PacedFeed() as feed:
        await first_paint(feed)
        await at_rest(feed)


def main() -> None:
    asyncio.run(measure())


if __name__ == "__main__":
    main()
