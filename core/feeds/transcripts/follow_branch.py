"""Two files that begin alike: a copy that adds nothing, or a session that was taken up again and went its own way."""

from __future__ import annotations

from pathlib import Path

from .follow_identity import named_identity

PIECE_BYTES = 1024 * 1024
BRANCH_DIGITS = 8


def goes_its_own_way(path: Path, owner: Path) -> bool:
    """Return whether a file holds something that its owner's file does not begin with; blocks, for a thread.

    False where either cannot be read: nothing shows that it is more than a copy.
    """
    try:
        with path.open("rb") as ours, owner.open("rb") as theirs:
            while piece := ours.read(PIECE_BYTES):
                if piece != theirs.read(len(piece)):
                    return True
    except OSError:
        pass
    return False


def branch_name(producer: str, file_name: str) -> str:
    """Return the producer name of a file that begins like the one ``producer`` is named after, and goes its own way."""
    return f"{producer}-{named_identity(file_name)[:BRANCH_DIGITS]}"


def branch_of(producer: str) -> str:
    """Return what ``branch_name`` added to a name; empty: nothing."""
    return producer.rpartition(".")[2].partition("~")[0].partition("-")[2]
