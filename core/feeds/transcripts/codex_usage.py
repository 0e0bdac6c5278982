"""Codex counts tokens over the whole session; what one request used is the difference."""

from __future__ import annotations

from ...rounds.base import Usage
from .fields import Object, count_of, object_of

_NAMES = (
    ("input_tokens", "input_tokens"),
    ("output_tokens", "output_tokens"),
    ("reasoning_tokens", "reasoning_output_tokens"),
    ("cache_read_tokens", "cached_input_tokens"),
    ("cache_write_tokens", "cache_write_input_tokens"),
)
"""Our names and Codex's. Cached tokens are part of the input, reasoning is part of the output."""
Counts = dict[str, int]


def counts_of(fields: Object) -> Counts:
    """Return the counts that are there, by our names."""
    found: Counts = {}
    for ours, theirs in _NAMES:
        count = count_of(fields.get(theirs))
        if count is not None:
            found[ours] = count
    return found


class Cumulative:
    """The running totals of one session file."""

    def __init__(self) -> None:
        """Begin before the first count."""
        self._before: Counts | None = None

    def step(self, payload: Object) -> Usage | None:
        """Return what was used since the last report; None for a report that only repeats it, or tells nothing.

        The first total of a file may hold what an earlier file used; there, and where totals fall, Codex's own
        figure for the last request is taken.
        """
        info = object_of(payload.get("info"))
        total = counts_of(object_of(info.get("total_token_usage"))) or (counts_of(payload) if not info else {})
        before = self._before
        if total and total == before:
            return None
        if total:
            self._before = total
        if total and before is not None and all(total.get(name, 0) >= count for name, count in before.items()):
            used = {name: count - before.get(name, 0) for name, count in total.items()}
        else:
            used = counts_of(object_of(info.get("last_token_usage"))) or total
        return Usage(**used) if any(used.values()) else None
