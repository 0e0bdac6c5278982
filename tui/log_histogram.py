"""Counts of values in buckets that grow with the value: any number of values in a bounded room."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, floor, log

GROWTH = 1.1
"""Each bucket ends a tenth above its beginning, so a value read back is off by 5 % at most."""
LEAST, MOST = 1e-3, 1e12
"""What is smaller or larger counts as this: no clock is finer, no call is longer."""
_LOG = log(GROWTH)


def bucket_of(value: float) -> int:
    """Return the bucket of a value, at least 0."""
    return floor(log(min(max(value, LEAST), MOST)) / _LOG)


def middle_of(bucket: int) -> float:
    """Return the value that stands for a bucket: its geometric middle."""
    return exp((bucket + 0.5) * _LOG)


@dataclass(slots=True)
class LogHistogram:
    """Values of 0 and more. Taking one in costs O(1); at most a few hundred buckets exist."""

    count: int = 0
    least: float | None = None
    """Exact."""
    most: float | None = None
    """Exact."""
    buckets: dict[int, int] = field(default_factory=dict[int, int])

    def add(self, value: float) -> None:
        """Take a value in."""
        self.count += 1
        self.least = value if self.least is None else min(self.least, value)
        self.most = value if self.most is None else max(self.most, value)
        bucket = bucket_of(value)
        self.buckets[bucket] = self.buckets.get(bucket, 0) + 1

    def percentile(self, share: float) -> float | None:
        """Return the value that ``share`` (0 to 1) of the values do not exceed, within 5 %; None without values."""
        if self.most is None or self.least is None:
            return None
        wanted = max(1, -(-self.count * share // 1))
        passed = 0
        for bucket in sorted(self.buckets):
            passed += self.buckets[bucket]
            if passed >= wanted:
                return min(max(middle_of(bucket), self.least), self.most)
        return self.most

    def spread(self, low: int, high: int, cells: int) -> list[int]:
        """Return how many values lie in each of ``cells`` equal steps from bucket ``low`` to ``high``."""
        found = [0] * cells
        for bucket, count in self.buckets.items():
            place = (bucket - low) * cells // max(1, high - low + 1)
            found[max(0, min(cells - 1, place))] += count
        return found
