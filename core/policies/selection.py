"""Finding the agent that was picked: a bounded wait for the catalogue, and three ways to end without the agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from .infrastructure import not_found_line

CATALOGUE_WAIT_S = 5.0
"""A catalogue fills while a host starts; longer than this an operator takes the silence for a hang."""


class SelectionPhase(StrEnum):
    """Where a selection stands. All but ``WAITING`` are final."""

    WAITING = "waiting"
    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"
    """An explicit pick matched nothing: the round's marker, an infrastructure failure."""
    UNBUILDABLE = "unbuildable"
    """The agent exists and cannot be built: no usable model, another condition than not being found."""
    NO_DEFAULT = "no_default"
    """Nobody picked an agent, and there is none to fall back on."""


@dataclass(frozen=True, slots=True)
class Selection:
    """One selection; immutable, every step returns the next one. Times are seconds of any one clock."""

    picked: str | None
    """The agent's name of an explicit pick; None = the catalogue's default is taken."""
    asked_at: float
    wait_s: float = CATALOGUE_WAIT_S
    phase: SelectionPhase = SelectionPhase.WAITING
    agent: str | None = None
    """The agent that was found, one that cannot be built too."""
    available: tuple[str, ...] = ()
    """The names of the newest catalogue seen while waiting."""
    cause: str | None = None
    """Why an agent that exists cannot be built."""

    @property
    def give_up_at(self) -> float:
        """When the wait is over."""
        return self.asked_at + self.wait_s

    @property
    def marks_unresolved(self) -> bool:
        """Whether the round gets the marker ``selection_unresolved``; once latched it stays."""
        return self.phase is SelectionPhase.UNRESOLVED

    @property
    def sentence(self) -> str | None:
        """The platform's line of an unresolved pick, else None."""
        if self.picked is None or not self.marks_unresolved:
            return None
        return not_found_line(self.picked, self.available)

    def saw(self, catalogue: Mapping[str, str | None], now: float) -> Selection:
        """Return the selection after a catalogue was read at ``now``.

        Args:
            catalogue: each agent's name, with None or the cause why it cannot be built; the first is the default.
                It need not be whole: a pick that is not in it is waited for until the time is up.
        """
        if self.phase is not SelectionPhase.WAITING:
            return self
        name = self.picked if self.picked is not None else next(iter(catalogue), None)
        seen = replace(self, available=tuple(catalogue))
        if name is None or name not in catalogue:
            return seen.at(now)
        cause = catalogue[name]
        phase = SelectionPhase.RESOLVED if cause is None else SelectionPhase.UNBUILDABLE
        return replace(seen, phase=phase, agent=name, cause=cause)

    def at(self, now: float) -> Selection:
        """Return the selection at ``now``: still waiting, or over because the wait is."""
        if self.phase is not SelectionPhase.WAITING or now < self.give_up_at:
            return self
        over = SelectionPhase.UNRESOLVED if self.picked is not None else SelectionPhase.NO_DEFAULT
        return replace(self, phase=over)
