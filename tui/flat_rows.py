"""Rows of a filtered or sorted list: some rounds, each with a key, always in order of their keys."""

from __future__ import annotations

from bisect import bisect_left, insort
from itertools import accumulate
from typing import Any

from .round_rows import PlacedRow

MOST_IN_BUCKET = 1024
"""A bucket that grows beyond is halved: moving its entries costs less than walking more buckets."""

Key = tuple[Any, ...]
"""Compares with every other key of the list; its last part is the round's id, so no two are equal."""


class SortedKeys:
    """Keys in order; adding and taking away cost O(sqrt n), reading a place O(log n)."""

    def __init__(self) -> None:
        """Start empty."""
        self._buckets: list[list[Key]] = []
        self._ends: list[int] | None = []
        self._count = 0

    def __len__(self) -> int:
        """Return how many keys there are."""
        return self._count

    def add(self, key: Key) -> None:
        """Put a key into its place."""
        number = self._bucket_of(key)
        if number == len(self._buckets):
            self._buckets.append([])
        bucket = self._buckets[number]
        insort(bucket, key)
        if len(bucket) > MOST_IN_BUCKET:
            half = len(bucket) // 2
            self._buckets[number : number + 1] = [bucket[:half], bucket[half:]]
        self._count += 1
        self._ends = None

    def remove(self, key: Key) -> None:
        """Take away a key that is there."""
        number = self._bucket_of(key)
        bucket = self._buckets[number]
        del bucket[bisect_left(bucket, key)]
        if not bucket:
            del self._buckets[number]
        self._count -= 1
        self._ends = None

    def at(self, place: int) -> Key:
        """Return the key at a place, from 0."""
        ends = self._all_ends()
        number = bisect_left(ends, place + 1)
        return self._buckets[number][place - (ends[number - 1] if number else 0)]

    def place_of(self, key: Key) -> int:
        """Return how many keys stand before ``key``, which need not be there."""
        number = self._bucket_of(key)
        if number == len(self._buckets):
            return self._count
        before = self._all_ends()[number - 1] if number else 0
        return before + bisect_left(self._buckets[number], key)

    def _bucket_of(self, key: Key) -> int:
        """Return the first bucket whose last key is not before ``key``; the last one for a key behind all."""
        low, high = 0, len(self._buckets)
        while low < high:
            middle = (low + high) // 2
            if self._buckets[middle][-1] < key:
                low = middle + 1
            else:
                high = middle
        return min(low, max(0, len(self._buckets) - 1))

    def _all_ends(self) -> list[int]:
        if self._ends is None:
            self._ends = list(accumulate(map(len, self._buckets)))
        return self._ends


class FlatRows:
    """Chosen rounds without indentation; a second list of the problems among them finds the next one at once."""

    def __init__(self) -> None:
        """Start without rounds."""
        self._keys: dict[str, Key] = {}
        self._in_list: set[str] = set()
        self._rows = SortedKeys()
        self._problems = SortedKeys()
        self._bad: set[str] = set()

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._rows)

    def __contains__(self, id_: str) -> bool:
        """Say whether the round has a row."""
        return id_ in self._in_list

    def put(self, id_: str, key: Key, *, is_problem: bool) -> None:
        """Give a round its row, or move it to where its new key belongs."""
        key = (*key, id_)
        if id_ in self._in_list:
            if self._keys[id_] == key and (id_ in self._bad) is is_problem:
                return
            self._take(id_)
        self._keys[id_] = key
        self._in_list.add(id_)
        self._rows.add(key)
        if is_problem:
            self._bad.add(id_)
            self._problems.add(key)

    def leave_out(self, id_: str, key: Key) -> None:
        """Take away a round's row, if it has one; the key says where the row would stand."""
        if id_ in self._in_list:
            self._take(id_)
        self._keys[id_] = (*key, id_)

    def _take(self, id_: str) -> None:
        key = self._keys[id_]
        self._in_list.discard(id_)
        self._rows.remove(key)
        if id_ in self._bad:
            self._bad.discard(id_)
            self._problems.remove(key)

    def at(self, row: int) -> PlacedRow:
        """Return what stands in ``row``, 0 = the top.

        Raises:
            IndexError: there is no such row.
        """
        if not 0 <= row < len(self):
            raise IndexError(row)
        return PlacedRow(self._rows.at(row)[-1], 0)

    def row_of(self, id_: str) -> int:
        """Return the row of a round, or the one that stands where it would be; 0 when it was never looked at."""
        key = self._keys.get(id_)
        return min(self._rows.place_of(key), max(0, len(self) - 1)) if key is not None else 0

    def problem_from(self, row: int, step: int) -> str | None:
        """Return the nearest problem below (``step`` 1) or above (-1) ``row``; None when there is none."""
        if not 0 <= row < len(self):
            return None
        key = self._rows.at(row)
        place = self._problems.place_of(key)
        is_there = place < len(self._problems) and self._problems.at(place) == key
        wanted = place + (1 if is_there else 0) if step > 0 else place - 1
        return self._problems.at(wanted)[-1] if 0 <= wanted < len(self._problems) else None
