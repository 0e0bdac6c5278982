"""The surroundings of a command inside a test: real texts, streams that can be read afterwards."""

from __future__ import annotations

import io

from roundwatch.core.texts import Texts
from roundwatch.tui.cli.context import Context
from roundwatch.tui.cli.output import Output
from roundwatch.tui.cli.settings import Settings


class Surroundings:
    """A context, and what was written into it."""

    def __init__(self, settings: Settings | None = None, locale: str = "en") -> None:
        self._out, self._err = io.BytesIO(), io.BytesIO()
        streams = [io.TextIOWrapper(raw, "utf-8", write_through=True) for raw in (self._out, self._err)]
        self.context = Context(Texts.load(locale), Output(*streams), settings or Settings())

    @property
    def out(self) -> str:
        """The results."""
        return self._out.getvalue().decode()

    @property
    def err(self) -> str:
        """Everything else."""
        return self._err.getvalue().decode()
