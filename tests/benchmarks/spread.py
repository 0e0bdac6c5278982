"""One printed line a measurement: median and spread of ours, of the baseline, and of their ratios pair by pair."""

from __future__ import annotations

import statistics
from collections.abc import Sequence


def told(
    name: str, ours: Sequence[float], baseline: Sequence[float], unit: str, *, target: float | None = None
) -> None:
    """Print how many times the baseline ours is, each pair measured in turn.

    Args:
        ours, baseline: one value a pair, in ``unit``; as many of one as of the other.
        target: the ratio that ours has to stay below.
    """
    ratios = [mine / base for mine, base in zip(ours, baseline, strict=True)]
    middle = statistics.median(ratios)
    print(
        f"{name:<46} {_spread(ours)} {unit:<3} baseline {_spread(baseline)} {unit:<3} "
        f"ratio {middle:5.2f} ({min(ratios):.2f} to {max(ratios):.2f}){_judged(middle, target)}",
        flush=True,
    )


def told_alone(name: str, value: float, unit: str, *, target: float | None = None, note: str = "") -> None:
    """Print a figure that has no baseline but a limit of its own."""
    print(f"{name:<46} {value:9.2f} {unit}{_judged(value, target)}{'  ' + note if note else ''}", flush=True)


def p95(values: Sequence[float]) -> float:
    """Return the value that 95 of 100 do not exceed; of fewer than 20 the largest."""
    return sorted(values)[min(len(values) - 1, round(0.95 * len(values)))]


def _spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):8.2f} ({min(values):.2f} to {max(values):.2f})"


def _judged(value: float, target: float | None) -> str:
    if target is None:
        return ""
    return f"  target {target:g}: {'holds' if value <= target else 'missed'}"
