"""Two registers against repeated reports: findings of the configuration once, findings of the traffic ever rarer."""

from __future__ import annotations

MAX_ENTRIES = 256
"""Signatures remembered; the least recently seen goes first and may then be reported again."""


def is_reported(occurrence: int) -> bool:
    """Return whether the n-th occurrence of a finding is reported: the 1st, 10th, 100th, 1000th … one.

    Args:
        occurrence: from 1.
    """
    if occurrence < 1:
        raise ValueError(f"occurrences are counted from 1, not {occurrence}")
    while occurrence % 10 == 0:
        occurrence //= 10
    return occurrence == 1


class _Counts:
    """Occurrences per signature, the least recently seen forgotten beyond a bound."""

    def __init__(self, max_entries: int) -> None:
        if max_entries < 1:
            raise ValueError(f"a register has to hold at least 1 entry, not {max_entries}")
        self._max_entries = max_entries
        self._counts: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def seen(self, signature: str) -> int:
        """Count ``signature``; return which occurrence it is."""
        count = self._counts.pop(signature, 0) + 1
        if len(self._counts) >= self._max_entries:
            self._counts.pop(next(iter(self._counts)))
        self._counts[signature] = count
        return count


class ConfigRegister(_Counts):
    """Findings of the configuration: each signature is reported once."""

    def __init__(self, max_entries: int = MAX_ENTRIES) -> None:
        super().__init__(max_entries)

    def reports(self, signature: str) -> bool:
        """Count a finding; return whether this one is reported."""
        return self.seen(signature) == 1


class TrafficRegister(_Counts):
    """Findings of the traffic: the 1st, 10th, 100th … of a signature is reported.

    The warning of a cut response never goes through here: there is one for each.
    """

    def __init__(self, max_entries: int = MAX_ENTRIES) -> None:
        super().__init__(max_entries)

    def reports(self, signature: str) -> bool:
        """Count a finding; return whether this one is reported."""
        return is_reported(self.seen(signature))
