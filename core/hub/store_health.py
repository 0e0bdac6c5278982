"""How a store is: whether it can be written, whether its files were found sound, and what an ack of it promises."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Promise(StrEnum):
    """What an acknowledged event survives. Each includes the ones below it."""

    POWER_CUT = "power_cut"
    """The end of the whole machine: the disk was told to keep it before it was acknowledged."""
    POWER_CUT_BUT_A_SECOND = "power_cut_but_a_second"
    """As above, except what was acknowledged in about the last second before it."""
    HUB_END = "hub_end"
    """The end of the hub's process by whatever cause, not that of the machine (or of the engine that stores)."""
    NOTHING = "nothing"
    """It is gone with the process that holds it."""


class Writing(StrEnum):
    """Whether events can be written. While they cannot, nothing is acknowledged and publishers keep what they have."""

    OK = "ok"
    FULL = "full"
    """No space is left, or a limit of size is reached."""
    READ_ONLY = "read_only"
    """The file or the whole disk may be read only."""
    FAILING = "failing"
    """An I/O error, an engine that does not answer, or anything else."""


class Checking(StrEnum):
    """What is known about the store's soundness since it was opened."""

    NOT_NEEDED = "not_needed"
    """It was closed in good order the last time, or the engine looks after itself."""
    RUNNING = "running"
    """It was not; a check runs beside the traffic."""
    SOUND = "sound"
    UNKNOWN = "unknown"
    """The check could not be done."""
    DAMAGED = "damaged"
    """The check found damage, or a read or write met it."""


@dataclass(frozen=True, slots=True)
class Health:
    """The state of a store at one moment."""

    writing: Writing = Writing.OK
    checking: Checking = Checking.NOT_NEEDED
    why: str | None = None
    """One sentence of what is wrong and what to do, for operators; None while nothing is."""

    @property
    def is_well(self) -> bool:
        """Return whether nothing is wrong (a running check is nothing wrong)."""
        return self.writing is Writing.OK and self.checking is not Checking.DAMAGED


WELL = Health()
"""Nothing is wrong, and nothing has to be found out."""
