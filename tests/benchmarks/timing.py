"""How every benchmark here measures: both arms in turn in one process, the median of pairwise ratios."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

PAIRS = 7  # odd, so that the median is a run that happened
CPU = time.process_time
"""For work that never waits: what others do on the machine does not count."""


def compare(
    name: str,
    ours: Callable[[], int],
    baseline: Callable[[], int],
    per: str,
    *,
    clock: Callable[[], float] = time.perf_counter,
    pairs: int = PAIRS,
) -> None:
    """Print one line: time per unit of both arms and how many times the baseline ours takes, with the spread.

    Args:
        ours, baseline: do the whole work once and return how many units it was.
        clock: seconds; ``CPU`` where neither arm waits for anything.
        pairs: how often both are run; odd.
    """
    times: list[tuple[float, float]] = []
    for _ in range(pairs):
        times.append((_per_unit_us(ours, clock), _per_unit_us(baseline, clock)))
    ratios = sorted(mine / base for mine, base in times)
    ratio = statistics.median(ratios)
    mine, base = (statistics.median(column) for column in zip(*times, strict=True))
    print(
        f"{name:<44} {mine:9.2f} µs/{per:<7} baseline {base:9.2f} µs/{per:<7}"
        f" ratio {ratio:6.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    )


def _per_unit_us(work: Callable[[], int], clock: Callable[[], float]) -> float:
    begin = clock()
    units = work()
    return (clock() - begin) * 1e6 / units
