"""rich's console, which leaves the end of a pipe to the caller."""

from __future__ import annotations

from typing import NoReturn

from rich import console


class Console(console.Console):
    """A console that does not end the process by itself."""

    def on_broken_pipe(self) -> NoReturn:
        """Let the one place that ends commands hear of it; rich would exit with 1, which means something here."""
        raise BrokenPipeError
