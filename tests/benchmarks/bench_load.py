"""Ten thousand events a second with 300 open rounds: the whole program in a pseudo-terminal, fed over a websocket."""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import time

from tests.benchmarks.paced_feed import OpenRounds, PacedFeed
from tests.benchmarks.pty_program import PATIENCE_S, PtyProgram, bare_textual, watching
from tests.benchmarks.spread import p95, told, told_alone

SECONDS = float(os.environ.get("BENCH_SECONDS", "60"))
PER_S = int(os.environ.get("BENCH_EVENTS_PER_S", "10000"))
OPEN = 300
MARK_EVERY_S = 0.5
KEYS_OF_BARE = 40
CURSOR = re.compile(rb"\x1b\[(\d+);\d+H(?:(?!\x1b\[\d+;\d+H).)*?\xe2\x96\x8c", re.DOTALL)
"""The list's cursor, with the line it is painted on."""
LOOKED_BACK = 200_000
"""Bytes in which the cursor was painted at least once."""
DOWN, UP, HOME = "\x1b[B", "\x1b[A", "\x1b[H"
TARGET_KEY_MS, TARGET_EVENT_MS = 60.0, 150.0


async def load(feed: PacedFeed, rounds: OpenRounds, program: PtyProgram) -> None:
    """Feed at the full rate; events are timed in the first half, keys in the second."""
    cpu, begin, sent = program.cpu_s, time.perf_counter(), feed.seq
    running = asyncio.create_task(feed.run(rounds, PER_S, SECONDS))
    events = [await _event_ms(feed, program, n) for n in await _ticks(begin + SECONDS / 2)]
    await asyncio.to_thread(program.press, DOWN)
    await asyncio.sleep(1)
    keys = [await asyncio.to_thread(_key_ms, program, DOWN if n % 2 else UP) for n in await _ticks(begin + SECONDS)]
    behind = await running
    wall = time.perf_counter() - begin
    await asyncio.to_thread(program.press, HOME)
    await _event_ms(feed, program, 99_999)  # everything before it has been taken in
    print(f"{feed.seq - sent:,} events in {wall:.1f} s, the feed {behind * 1000:.0f} ms behind at most")
    told_alone("processor of the screen's process", (program.cpu_s - cpu) / wall, "cores", target=1.0)
    told_alone("event to paint, median", statistics.median(events), "ms")
    told_alone("event to paint, p95", p95(events), "ms", target=TARGET_EVENT_MS)
    bare = await asyncio.to_thread(bare_keys_ms)
    told("key to paint / bare Textual at rest", [statistics.median(keys)], [statistics.median(bare)], "ms")
    told_alone("key to paint, p95", p95(keys), "ms", target=TARGET_KEY_MS, note=f"bare Textual {p95(bare):.1f} ms")


async def _ticks(end: float) -> range:
    """Return as many numbers as there is time for measurements until ``end``."""
    return range(1, max(2, int((end - time.perf_counter()) / MARK_EVERY_S)))


async def _event_ms(feed: PacedFeed, program: PtyProgram, number: int) -> float:
    await asyncio.sleep(MARK_EVERY_S)
    mark, place, begin = f"m-{number:05}", program.place, time.perf_counter()
    await feed.send(f'"type":"round.started","round":"{mark}","agent":"{mark}"')
    return (await asyncio.to_thread(program.wait_for, mark.encode(), place) - begin) * 1000


def _key_ms(program: PtyProgram, key: str) -> float:
    """Press a key that moves the list's cursor; the time until the cursor stands on another line."""
    time.sleep(MARK_EVERY_S)
    place = program.place
    line = next(iter(CURSOR.findall(bytes(program.painted[max(0, place - LOOKED_BACK) : place]))[-1:]), b"")
    begin, seen = program.press(key), place
    while time.perf_counter() - begin < PATIENCE_S:
        seen = program.wait_news(seen)
        if any(found != line for found in CURSOR.findall(bytes(program.painted[place:]))):
            return (time.perf_counter() - begin) * 1000
    raise TimeoutError("the cursor has not moved")


def bare_keys_ms() -> list[float]:
    """Return what a bare Textual app takes from a key to its paint."""
    times: list[float] = []
    with bare_textual() as program:
        program.wait_for(b"[0]")
        for number in range(1, KEYS_OF_BARE + 1):
            time.sleep(0.1)
            place = program.place
            begin = program.press("x")
            times.append((program.wait_for(f"{number}".encode(), place) - begin) * 1000)
    return times


def _nothing_lost(program: PtyProgram, rounds: OpenRounds) -> None:
    """Compare the counts in the header with what was sent; a hole in the feed would be told there as well."""
    place = program.place
    program.press("l")  # every line is painted anew, in the other language
    program.wait_for(b"Antworten", place)
    time.sleep(1)
    words = re.sub(rb"\x1b\[[\d;?]*[A-Za-z]", b"", bytes(program.painted[place:])).decode("utf-8", "replace")
    answers = re.search(r"([\d.]+) Antworten", words)
    shown = int(answers[1].replace(".", "")) if answers else -1
    is_whole = shown == rounds.ended and "unvollständig" not in words
    judged = "holds" if is_whole else "missed"
    print(f"{'rounds ended, sent / shown':<46} {rounds.ended:9} / {shown}  nothing lost: {judged}")


async def measure() -> None:
    async with PacedFeed() as feed:
        with watching(feed.url) as program:
            await asyncio.wait_for(feed.watched.wait(), PATIENCE_S)
            rounds = OpenRounds(OPEN)
            await feed.send(*(rounds.next() for _ in range(OPEN)))
            await asyncio.to_thread(program.wait_for, b"worker")
            await load(feed, rounds, program)
            await asyncio.to_thread(_nothing_lost, program, rounds)


def main() -> None:
    asyncio.run(measure())


if __name__ == "__main__":
    main()
