"""What folding one event changed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Applied:
    """What one event changed."""

    round: str | None
    """The round it belongs to; None where it names none we know."""
    needs_history: bool = False
    """The round was retired: fold its stored events again, then this one."""
