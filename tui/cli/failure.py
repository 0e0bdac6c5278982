"""The one error that ends a command: it becomes one line on stderr and an exit code."""

from __future__ import annotations

from .exit_codes import ExitCode


class CommandFailed(Exception):
    """A command cannot go on; ``key`` names the text that says what happened, to what, and what to do."""

    def __init__(self, key: str, /, *, code: ExitCode = ExitCode.UNUSABLE, **values: str | int | None) -> None:
        super().__init__(key)
        self.key = key
        self.code = code
        self.values = values
