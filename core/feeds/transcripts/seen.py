"""Which transcript told of a message first: forked and resumed sessions copy the records of others."""

from __future__ import annotations


class Seen:
    """Keys that several transcripts share; the first one that tells of a key owns it.

    Read the files in one fixed order (oldest first), then the owners are the same after every start.
    """

    def __init__(self) -> None:
        """Know of none."""
        self._owners: dict[str, str] = {}

    def claim(self, key: str, owner: str) -> bool:
        """Return whether ``key`` belongs to ``owner``: it told of it first."""
        return self._owners.setdefault(key, owner) == owner
