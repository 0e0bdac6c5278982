"""What an ended round costs in memory once its details are let go, and how long the collector stops the screen."""

from __future__ import annotations

import gc
import time
from pathlib import Path

from roundwatch.tui.feed import FeedState
from roundwatch.tui.watched import Watched

from tests.benchmarks.many_rounds import MIDDAY, take, with_ended
from tests.benchmarks.pty_program import PAGE_BYTES
from tests.benchmarks.spread import told_alone
from tests.rounds import call, end, start

ROUNDS = 100_000
KEPT, WARM_UP = 200, 5_000
"""Rounds with details are few and the same number before and after, so only summaries grow."""
MANY = 1_000_000
TARGET_BYTES = 500


def fold_rounds(watched: Watched, first: int, count: int) -> None:
    """Fold that many whole rounds, every third of them cut at the output limit."""
    for number in range(first, first + count):
        usage = {"input_tokens": 100 + number % 977, "output_tokens": 50 + number % 331}
        finish = "length" if number % 3 == 0 else "stop"
        take(
            watched, f"round-{number:07}",
            start(agent="worker", title=f"Fix issue {number % 5000}", thread=f"thread-{number % 1000}",
                  at=MIDDAY.isoformat()),
            call("c1", finish, "hello", usage=usage, total_ms=1000.5 + number % 7919, first_output_ms=200.25),
            end(),
        )  # fmt: skip


def main() -> None:
    watched = Watched(kept=KEPT)
    watched.feed.state = FeedState.CATCHING_UP
    fold_rounds(watched, 0, WARM_UP)  # from here on every new round lets an old one go
    gc.collect()
    before = _resident_bytes()
    fold_rounds(watched, WARM_UP, ROUNDS)
    gc.collect()
    each = (_resident_bytes() - before) / ROUNDS
    told_alone(f"an ended round, of {ROUNDS:,}", each, "bytes", target=TARGET_BYTES)
    del watched
    many = with_ended(MANY)
    told_alone(f"a full collection with {MANY:,} rounds", _collection_ms(), "ms")
    gc.freeze()
    told_alone("the same after gc.freeze()", _collection_ms(), "ms", note=f"{len(many.tree):,} rows")
    gc.unfreeze()


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES


def _collection_ms() -> float:
    gc.collect()
    begin = time.perf_counter()
    gc.collect()
    return (time.perf_counter() - begin) * 1000


if __name__ == "__main__":
    main()
