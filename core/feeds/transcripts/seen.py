"""What several transcripts tell of together: copied messages, and which tool call started a sub-agent."""

from __future__ import annotations

from typing import Protocol

from ...rounds.base import Parent


class Claims(Protocol):
    """Whose a key is."""

    def claim(self, key: str, owner: str) -> str:
        """Return the owner of ``key``: whoever claimed it first."""
        ...

    def has(self, key: str) -> bool:
        """Return whether anybody claimed ``key``."""
        ...

    def save(self) -> None:
        """See that all of it outlives the process, where it is kept anywhere."""
        ...


class Kept:
    """Claims as long as the process lasts, in memory."""

    def __init__(self) -> None:
        """Begin without any."""
        self._owners: dict[str, str] = {}

    def claim(self, key: str, owner: str) -> str:
        """See ``Claims``."""
        return self._owners.setdefault(key, owner)

    def has(self, key: str) -> bool:
        """See ``Claims``."""
        return key in self._owners

    def save(self) -> None:
        """Do nothing: they are kept nowhere."""


class Seen:
    """What the transcripts of one source have told so far.

    The first one that tells of a key owns it. Read the files in one fixed order (oldest first, a session before
    its sub-agents), then all of this is the same after every start.
    """

    def __init__(self, claims: Claims | None = None) -> None:
        """Know of nothing but ``claims``, which may be shared where the parents are not."""
        self._claims: Claims = Kept() if claims is None else claims
        self._parents: dict[str, Parent] = {}

    def claim(self, key: str, owner: str) -> bool:
        """Return whether ``key`` belongs to ``owner``: it told of it first."""
        return self._claims.claim(key, owner) == owner

    def place(self, round_: str, parent: Parent) -> None:
        """Take note of what started a round."""
        self._parents[round_] = parent

    def parent_of(self, round_: str) -> Parent | None:
        """Return what started a round, as far as anybody told."""
        return self._parents.get(round_)
