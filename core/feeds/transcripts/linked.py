"""Transcripts that one file alone does not tell whole: their sessions copy from and start each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from ...rounds import Event
from ...rounds.base import Claim, Parent
from ...rounds.events import RoundFinished, RoundOutput, RoundStarted
from .line_transcript import LineTranscript
from .seen import Seen
from .told_text import OUTPUT_CHARS, bounded


@dataclass(frozen=True, slots=True)
class SubAgent:
    """What the file of its parent knows of a sub-agent that is over: all there is where its own file is missing."""

    round: str
    parent: Parent
    at: datetime | None = None
    status: str | None = None
    """In the word of the parent's record."""
    answer: str = ""

    def events(self, source: str) -> list[Event]:
        """Return its round, which holds no call: none is recorded."""
        claimed = None if self.status is None else Claim(status=self.status)
        silent = () if self.answer else ("text",)
        events: list[Event] = [RoundStarted(round=self.round, parent=self.parent, source=source, silent=silent)]
        if self.answer:
            text = bounded(self.answer, OUTPUT_CHARS)
            events.append(RoundOutput(round=self.round, at=self.at, kind="text", text=text))
        return [*events, RoundFinished(round=self.round, at=self.at, claimed=claimed)]


class LinkedTranscript(LineTranscript):
    """A parser that is told its file's name, and shares with the parsers of its source's other files what was told."""

    def __init__(self, name: str = "", seen: Seen | None = None, *, owner: str | None = None, branch: str = "") -> None:
        """Begin before the first byte.

        Args:
            name: path of the file; names the session where no record does.
            seen: shared by all files of one source; without it, what another file tells too counts again.
            owner: what the file goes by in ``seen``; None: its name.
            branch: what tells its rounds from those of a file that begins alike and has the same session.
        """
        super().__init__()
        self._name = name
        self._owner = name if owner is None else owner
        self._branch = branch
        self._seen = Seen() if seen is None else seen
        self._placed: dict[str, Parent] = {}
        self._working: dict[str, None] = {}
        self._over: list[SubAgent] = []

    def placed(self, round_: str, parent: Parent) -> Iterator[Event]:
        """Yield that a sub-agent's round was started by a tool call of this file; once, whatever others told."""
        self._seen.place(round_, parent)
        if self._placed.get(round_) != parent:
            if round_ not in self._placed:
                self._working[round_] = None
            self._placed[round_] = parent
            yield RoundStarted(round=round_, parent=parent)

    def sub_agents_over(self, *, all_: bool = False) -> list[SubAgent]:
        """Return the sub-agents of this file that ended since the last call; ``all_``: none of them goes on."""
        over, self._over = self._over, []
        if all_:
            over += [SubAgent(round_, self._placed[round_]) for round_ in self._working]
            self._working.clear()
        return over

    def told_itself(self, round_: str) -> None:
        """Take note that a sub-agent's own records are here."""
        self._seen.claim(own_round(round_), self._owner)

    def is_over(self, round_: str, at: datetime | None, status: str | None, answer: str) -> None:
        """Take note that a placed sub-agent ended."""
        if round_ in self._working:
            del self._working[round_]
            self._over.append(SubAgent(round_, self._placed[round_], at, status, answer))


def own_round(round_: str) -> str:
    """Return the key that whoever tells a sub-agent's round by its own records claims."""
    return f"round {round_}"
