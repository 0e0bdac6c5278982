"""A whole turn of a foreign stream as one round with one call: what is between its model calls is not told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from ..rounds import CallError, CallOutcome, Event, OutputKind, Parent, RefusedWhy, Silence, StoppedWhy, Usage
from ..rounds.events import (
    CallFinished,
    CallOutput,
    CallStarted,
    RoundFinished,
    RoundStarted,
    RoundStopped,
    RoundSuspended,
    ToolFinished,
    ToolRefused,
    ToolRequested,
    ToolStarted,
)
from .foreign_frames import PREVIEW_CHARS, TEXT_CHARS

CALL = "turn"
"""Name of the only call. Tools do not belong to it: they are asked for by calls that nobody told of."""


@dataclass(slots=True)
class Turn:
    """One turn."""

    round: str
    tools: set[str] = field(default_factory=set[str])
    """Those that were told of."""
    answered: set[str] = field(default_factory=set[str])
    is_over: bool = False

    def begin(
        self,
        at: datetime | None,
        *,
        source: str,
        silent: tuple[Silence, ...],
        thread: str | None = None,
        agent: str | None = None,
        title: str | None = None,
        parent: Parent | None = None,
    ) -> list[Event]:
        """Return its beginning."""
        start = RoundStarted(
            round=self.round,
            at=at,
            thread=thread,
            agent=agent,
            title=title,
            parent=parent,
            harness="cli",
            source=source,
            silent=tuple(str(silence) for silence in silent),
        )
        return [start, CallStarted(round=self.round, call=CALL, at=at)]

    def say(self, text: str | None, at: datetime | None, *, is_reasoning: bool = False) -> Iterator[Event]:
        """Yield a piece of what the model wrote."""
        if text:
            kind = OutputKind.REASONING if is_reasoning else OutputKind.TEXT
            chars = len(text) if len(text) > TEXT_CHARS else None
            yield CallOutput(round=self.round, call=CALL, at=at, kind=kind, text=text[:TEXT_CHARS], chars=chars)

    def ask(
        self, tool: str, name: str | None, at: datetime | None, *, arguments: str | None = None, complete: bool = False
    ) -> Event:
        """Return that a tool is asked for; a repetition adds what the first one left out."""
        self.tools.add(tool)
        return ToolRequested(
            round=self.round,
            tool_call=tool,
            name=name or "?",
            arguments=arguments,
            complete=complete or None,
            id_given=True,
            at=at,
        )

    def start_tool(self, tool: str, at: datetime | None) -> Event:
        """Return that a tool runs."""
        return ToolStarted(round=self.round, tool_call=tool, at=at)

    def answer(self, tool: str, at: datetime | None, *, ok: bool, text: str | None) -> Event:
        """Return that a tool has a result."""
        self.answered.add(tool)
        preview = text[:PREVIEW_CHARS] if text else None
        return ToolFinished(
            round=self.round, tool_call=tool, ok=ok, preview=preview, error=None if ok else preview, at=at
        )

    def refuse(self, tool: str, at: datetime | None, *, why: RefusedWhy, message: str) -> Event:
        """Return that a tool was not allowed."""
        self.answered.add(tool)
        return ToolRefused(round=self.round, tool_call=tool, why=why, message=message[:PREVIEW_CHARS], at=at)

    def finish(
        self,
        at: datetime | None,
        *,
        reason: str | None = None,
        outcome: CallOutcome = CallOutcome.COMPLETED,
        error: CallError | None = None,
        usage: Usage | None = None,
        stopped: StoppedWhy | None = None,
    ) -> Iterator[Event]:
        """Yield its end: of the call, of the loop where something stopped it, of the round."""
        self.is_over = True
        yield self.finish_call(at, reason=reason, outcome=outcome, error=error, usage=usage)
        if stopped is not None:
            said = None if error is None else error.message or error.kind
            yield RoundStopped(round=self.round, why=stopped, error=said, at=at)
        yield RoundFinished(round=self.round, at=at)

    def suspend(self, at: datetime | None, why: str | None, usage: Usage | None = None) -> Iterator[Event]:
        """Yield that it ended for now: it waits for somebody."""
        self.is_over = True
        yield self.finish_call(at, usage=usage)
        yield RoundSuspended(round=self.round, why=why[:PREVIEW_CHARS] if why else None, at=at)

    def finish_call(
        self,
        at: datetime | None,
        *,
        reason: str | None = None,
        outcome: CallOutcome = CallOutcome.COMPLETED,
        error: CallError | None = None,
        usage: Usage | None = None,
    ) -> Event:
        """Return the end of the call alone."""
        return CallFinished(
            round=self.round, call=CALL, at=at, outcome=outcome, finish_reason=reason, error=error, usage=usage
        )
