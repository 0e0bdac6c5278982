"""What was seen lately, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict


class Recent:
    """The newest keys with a value each; the oldest are forgotten first."""

    def __init__(self, most: int) -> None:
        """Keep up to ``most`` keys."""
        self._most = most
        self._kept: OrderedDict[str, str] = OrderedDict()  # a plain one finds its oldest key slower each time

    def add(self, key: str, value: str) -> bool:
        """Keep a key; return whether it is new. A known one keeps its value."""
        if key in self._kept:
            return False
        self._kept[key] = value
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return True

    def get(self, key: str) -> str | None:
        """Return a kept key's value."""
        return self._kept.get(key)
