"""The running delegates whose work can be recovered: published at their start, read once, few at a time."""

from __future__ import annotations

from .partial import MAX_REASONING_CHARS, Partial, PartialAccumulator

MAX_RECORDS = 64
"""Delegates of one host at a time; a record older than 64 others belongs to a run nobody asked about."""


class PartialRegistry:
    """Accumulators of running delegates by name; single-threaded, like the loop that owns it."""

    def __init__(self, max_records: int = MAX_RECORDS, max_reasoning_chars: int = MAX_REASONING_CHARS) -> None:
        if max_records < 1:
            raise ValueError(f"the registry has to hold at least 1 record, not {max_records}")
        self._max_records = max_records
        self._max_reasoning_chars = max_reasoning_chars
        self._open: dict[str, PartialAccumulator] = {}
        self.evicted = 0
        """Records pushed out unread by newer ones."""

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, name: str) -> bool:
        return name in self._open

    def publish(self, name: str) -> PartialAccumulator:
        """Open the record of a delegate that starts; return where its blocks go.

        Published at the start and not when the killed child unwinds, so it can be read before that. A name used
        again opens a fresh record.
        """
        self._open.pop(name, None)
        while len(self._open) >= self._max_records:
            self._open.pop(next(iter(self._open)))
            self.evicted += 1
        accumulator = self._open[name] = PartialAccumulator(self._max_reasoning_chars)
        return accumulator

    def read(self, name: str) -> Partial | None:
        """Return what the delegate produced and forget it: a second read finds nothing."""
        accumulator = self._open.pop(name, None)
        return accumulator.recovered() if accumulator is not None else None

    def discard(self, name: str) -> None:
        """Forget a delegate that completed: its result stays byte for byte what it was."""
        self._open.pop(name, None)
