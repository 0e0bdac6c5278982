"""One tool call of a round: what was asked, and what became of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from .base import RefusedWhy


class ToolState(StrEnum):
    """What became of a tool call."""

    PENDING = "pending"
    RUNNING = "running"
    OK = "ok"
    FAILED = "failed"
    REFUSED = "refused"
    UNFINISHED = "unfinished"


@dataclass(slots=True, eq=False)
class ToolCall:
    """A tool call, keyed by (call, id): ids may repeat across calls."""

    call: str | None
    """The model call that asked; None in a CLI harness round."""
    id: str
    name: str = ""
    id_given: bool = True
    """False: the provider sent no id, this one is made up."""
    arguments: str | None = None
    """As received, never repaired; None = not recorded."""
    complete: bool | None = None
    server: bool = False
    """Run by the provider itself; never counts as a tool of the round."""
    early: bool | None = None
    """It began before the response ended."""
    started: bool = False
    finished_ok: bool | None = None
    why: RefusedWhy | None = None
    """Set when the call was refused; it then has no result, whatever else was recorded."""
    message: str | None = None
    """What the refusal told the model."""
    preview: str | None = None
    error: str | None = None
    duration_ms: float | None = None
    requested_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    response_over: bool = False
    """The response that asked for it has ended."""
    response_cut: bool = False
    """That response was cut."""
    round_over: bool = False
    marks: frozenset[str] = frozenset()
    """What the round's tally counts it under; see ``marks``."""
    _whole: bool | None = field(default=None, repr=False)

    @property
    def answered(self) -> bool:
        """It has a result or a refusal."""
        return self.why is not None or self.finished_ok is not None

    @property
    def counts(self) -> bool:
        """It counts as a tool of the round: not run by the provider itself, and not an empty placeholder.

        Some gateways send a tool call without name and arguments beside a plain answer; it asks for nothing.
        """
        return not self.server and bool(self.name or self.arguments or self.started or self.answered)

    @property
    def arguments_whole(self) -> bool:
        """The arguments are valid JSON, or empty on a response that was not cut."""
        if self.complete is False:
            return False
        if not self.arguments:
            return self.arguments is None or not self.response_cut
        if self._whole is None:
            self._whole = _is_json(self.arguments)
        return self._whole

    @property
    def state(self) -> ToolState:
        """What became of it; a refusal wins over a result (its result was dropped)."""
        if self.why is not None:
            return ToolState.REFUSED
        if self.finished_ok is not None:
            return ToolState.OK if self.finished_ok else ToolState.FAILED
        if self.round_over:
            return ToolState.UNFINISHED
        if self.started:
            return ToolState.RUNNING
        if self.response_over and not self.arguments_whole:
            return ToolState.UNFINISHED
        return ToolState.PENDING

    @property
    def elapsed_ms(self) -> float | None:
        """The producer's duration, else the difference of the recorded moments, never negative."""
        if self.duration_ms is not None:
            return self.duration_ms
        if self.started_at is None or self.finished_at is None:
            return None
        return max(0.0, (self.finished_at - self.started_at).total_seconds() * 1000)

    def add_arguments(self, text: str | None) -> None:
        """Note the arguments as received; a later, fuller report replaces an earlier one."""
        if text is not None:
            self.arguments = text
            self._whole = None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
