"""The command line; what a command needs is imported when it runs, so that small commands start at once."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself would take a tenth of the time that --version takes
    from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--version"] and _has_said_version():
        return 0
    from .loading import loading

    with loading():
        from .entry import main as whole_program
    return whole_program(arguments)


def _has_said_version() -> bool:
    """Say the version without loading anything else; where it cannot be written, the whole program says why."""
    from ...core.version import VERSION

    try:
        sys.stdout.write(f"roundwatch {VERSION}\n")
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):  # no stdout at all, a reader that is gone, a full disk
        return False
    return True
