"""How every benchmark here measures: both arms in turn in one process, the median of pairwise ratios."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

PAIRS = 7  # odd, so that the median is a run that happened


def compare(name: str, ours: Callable[[], int], baseline: Callable[[], int], per: str) -> None:
    """Print one line: time per unit of both arms and how many times the baseline ours takes.

    Args:
        ours, baseline: do the whole work once and return how many units it was.
    """
    times: list[tuple[float, float]] = []
    for _ in range(PAIRS):
        times.append((_per_unit_us(ours), _per_unit_us(baseline)))
    ratio = statistics.median(mine / base for mine, base in times)
    mine, base = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"{name:<44} {mine:9.2f} µs/{per:<7} baseline {base:9.2f} µs/{per:<7} ratio {ratio:6.2f}")


def _per_unit_us(work: Callable[[], int]) -> float:
    begin = time.perf_counter()
    units = work()
    return (time.perf_counter() - begin) * 1e6 / units
