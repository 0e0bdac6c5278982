"""What a command's exit code says; stable, and documented in ``--help``."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...core.rounds import Outcome


class ExitCode(IntEnum):
    """How a command ended."""

    ANSWERS = 0
    """Every round is an answer; or the command judges no rounds and did its work."""
    NOT_ANSWERS = 1
    """At least one round is not an answer."""
    UNUSABLE = 2
    """The call was wrong, or its input could not be read."""
    UNCONFIRMED = 3
    """All rounds completed, at least one of them unconfirmed."""
    FAULT = 70
    """A fault of our own ended the command; sysexits calls it EX_SOFTWARE."""
    INTERRUPTED = 130
    """Stopped from the keyboard: 128 + SIGINT, as shells have it."""


def exit_code(outcomes: Iterable[Outcome]) -> ExitCode:
    """Return the code for these rounds, sub-rounds included: the worst of them decides."""
    worst = ExitCode.ANSWERS
    for outcome in outcomes:
        if not outcome.is_complete:
            return ExitCode.NOT_ANSWERS
        if not outcome.is_answer:
            worst = ExitCode.UNCONFIRMED
    return worst
