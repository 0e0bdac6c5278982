"""The one error that ends a command: it becomes one line on stderr and an exit code."""

from __future__ import annotations

from collections.abc import Sequence

from .exit_codes import ExitCode


class CommandFailed(Exception):
    """A command cannot go on; ``key`` names the text that says what happened, to what, and what to do."""

    def __init__(
        self,
        key: str,
        /,
        *,
        code: ExitCode = ExitCode.UNUSABLE,
        lines: Sequence[str] = (),
        **values: str | int | Exception | None,
    ) -> None:
        """Name the text.

        Args:
            code: how the command ends.
            lines: what is listed below the text, a line each.
            values: what stands in its placeholders; an error is said in the reader's language.
        """
        super().__init__(key)
        self.key = key
        self.code = code
        self.lines = lines
        self.values = values
