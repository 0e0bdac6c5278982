"""What several transcripts tell of together: copied messages, and which tool call started a sub-agent."""

from __future__ import annotations

from ...rounds.base import Parent


class Seen:
    """What the transcripts of one source have told so far.

    The first one that tells of a key owns it. Read the files in one fixed order (oldest first, a session before
    its sub-agents), then all of this is the same after every start.
    """

    def __init__(self) -> None:
        """Know of nothing."""
        self._owners: dict[str, str] = {}
        self._parents: dict[str, Parent] = {}

    def claim(self, key: str, owner: str) -> bool:
        """Return whether ``key`` belongs to ``owner``: it told of it first."""
        return self._owners.setdefault(key, owner) == owner

    def place(self, round_: str, parent: Parent) -> None:
        """Take note of what started a round."""
        self._parents[round_] = parent

    def parent_of(self, round_: str) -> Parent | None:
        """Return what started a round, as far as anybody told."""
        return self._parents.get(round_)
