"""What most transcripts tell: prompts, each followed by answers that may ask for tools."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ...rounds import Event, Silence
from ...rounds.base import CancelledBy, Claim, OutputKind, Parent, RefusedWhy
from ...rounds.events import (
    CallOutput,
    CancelRequested,
    RoundFinished,
    RoundStarted,
    ToolFinished,
    ToolRefused,
    ToolRequested,
)
from .told_text import ERROR_CHARS, OUTPUT_CHARS, RESULT_CHARS, arguments_text, bounded, title_of


class Conversation:
    """One session on its way: which round is running, and how the next one is called."""

    def __init__(self, source: str, silent: tuple[Silence, ...]) -> None:
        """Begin before the first prompt; ``silent`` is what the source never records."""
        self._source = source
        self._silent = tuple(word.value for word in silent)
        self.session = ""
        """Its rounds are named after it; never empty once a round begins."""
        self.thread: str | None = None
        self.parent: Parent | None = None
        self.agent: str | None = None
        self.model: str | None = None
        self.title: str | None = None
        self._rounds = 0
        self._open = False
        self.last_at: datetime | None = None
        """The newest moment of the running round."""

    @property
    def round(self) -> str:
        """The newest round."""
        return self.session if self._rounds <= 1 else f"{self.session}#{self._rounds}"

    @property
    def is_open(self) -> bool:
        """Whether a round runs."""
        return self._open

    @property
    def has_begun(self) -> bool:
        """Whether there was a round."""
        return self._rounds > 0

    def begin(self, at: datetime | None, title: str | None = None) -> Iterator[Event]:
        """End the running round without a claim and begin the next one."""
        yield from self.end(self.last_at)
        self.session = self.session or "unnamed"
        self._rounds += 1
        self._open = True
        self.last_at = at
        yield RoundStarted(
            round=self.round,
            at=at,
            thread=self.thread or self.session,
            agent=self.agent,
            title=title_of(title or self.title or ""),
            model=self.model,
            parent=self.parent,
            source=self._source,
            silent=self._silent,
        )

    def ensure(self, at: datetime | None) -> Iterator[Event]:
        """Begin a round where none has begun: a transcript may start with an answer."""
        if not self._rounds:
            yield from self.begin(at)

    def seen(self, at: datetime | None) -> None:
        """Take note of a moment of the running round."""
        if at is not None and (self.last_at is None or at > self.last_at):
            self.last_at = at

    def end(self, at: datetime | None, claimed: Claim | None = None) -> Iterator[Event]:
        """End the running round; an ended one stays as it is."""
        if self._open:
            self._open = False
            yield RoundFinished(round=self.round, at=at, claimed=claimed)

    def reopen(self) -> None:
        """Go on with a round that seemed to be over: an answer came without a new prompt."""
        self._open = self._rounds > 0

    def cancelled(self, at: datetime | None, by: CancelledBy = CancelledBy.USER) -> Iterator[Event]:
        """Say that somebody asked to stop."""
        yield CancelRequested(round=self.round, at=at, by=by)

    def said(self, call: str, kind: OutputKind, words: str | None, at: datetime | None = None) -> Iterator[Event]:
        """Tell what a call put out; ``at`` only where the moment it began is known."""
        if words:
            chars = len(words) if len(words) > OUTPUT_CHARS else None
            told = bounded(words, OUTPUT_CHARS)
            yield CallOutput(round=self.round, call=call, kind=kind, text=told, chars=chars, at=at)

    def asked(self, call: str, tool_call: str, name: str, arguments: object, *, given: bool) -> Iterator[Event]:
        """Tell that a call asked for a tool; None as its arguments: none are recorded."""
        yield ToolRequested(
            round=self.round,
            call=call,
            tool_call=tool_call,
            name=name,
            arguments=None if arguments is None else arguments_text(arguments),
            id_given=None if given else False,
        )

    def answered(
        self,
        tool_call: str,
        *,
        ok: bool,
        call: str | None = None,
        at: datetime | None = None,
        ms: float | None = None,
        said: str | None = None,
    ) -> Iterator[Event]:
        """Tell that a tool has a result."""
        shown = bounded(said, RESULT_CHARS if ok else ERROR_CHARS) if said else None
        yield ToolFinished(
            round=self.round,
            call=call,
            tool_call=tool_call,
            at=at,
            ok=ok,
            duration_ms=ms,
            preview=shown if ok else None,
            error=None if ok else shown,
        )

    def refused(
        self, tool_call: str, why: RefusedWhy, message: str, *, call: str | None = None, at: datetime | None = None
    ) -> Iterator[Event]:
        """Tell that a tool was refused."""
        yield ToolRefused(
            round=self.round, call=call, tool_call=tool_call, at=at, why=why, message=bounded(message, ERROR_CHARS)
        )
