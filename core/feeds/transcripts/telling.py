"""One thread of rounds on its way into events: which round is open, which call, which tools wait for a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from ...rounds.base import (
    CallError,
    CallOutcome,
    CancelledBy,
    Claim,
    OutputKind,
    Parent,
    RefusedWhy,
    Silence,
    StoppedWhy,
    Usage,
)
from ...rounds.events import (
    CallFinished,
    CallOutput,
    CallStarted,
    CallUsage,
    CancelRequested,
    Event,
    RoundFinished,
    RoundStarted,
    RoundStopped,
    ToolFinished,
    ToolRefused,
    ToolRequested,
    ToolStarted,
)
from .told_text import ERROR_CHARS, OUTPUT_CHARS, RESULT_CHARS, arguments_text, bounded


@dataclass(frozen=True, slots=True)
class Origin:
    """What all rounds of one thread have in common."""

    first: str
    """Id of its first round; the k-th is ``<first>#<k>``."""
    source: str
    silent: tuple[str, ...]
    thread: str | None = None
    agent: str | None = None
    parent: Parent | None = None
    wire: str | None = None
    provider: str | None = None


@dataclass(slots=True)
class ToldCall:
    """The newest call."""

    id: str
    is_over: bool = False
    asks: bool = False
    """It asked for a tool that is not the provider's own."""
    speaks: bool = False
    """It wrote text."""


class Telling:
    """Gives events of one thread of rounds; each method says what the transcript says and takes note of it."""

    def __init__(self, origin: Origin, put: Callable[[Event], None]) -> None:
        """Begin before the first round; events go to ``put``."""
        self.origin = origin
        self._put = put
        self.rounds = 0
        self.round: str | None = None
        """The newest round."""
        self.is_over = True
        """It has ended, or there is none."""
        self.was_cut = False
        """It ended by a cancel or a stop, which later calls do not take back."""
        self.last_at: datetime | None = None
        """The newest moment of anything in it."""
        self.call: ToldCall | None = None
        self.tools: dict[str, str | None] = {}
        """Tool calls of this round without a result, with the call that asked."""
        self._late: dict[str, tuple[str, str | None]] = {}
        """Those that the round before left open, with it: their results may still come."""

    def begin(self, at: datetime | None, title: str | None = None) -> None:
        """Tell that a round begins; one that is still open ends."""
        self.finish(None)
        if self.round is not None:
            self._late = {id_: (self.round, call) for id_, call in self.tools.items()}
        self.rounds += 1
        origin = self.origin
        self.round = origin.first if self.rounds == 1 else f"{origin.first}#{self.rounds}"
        self.is_over, self.was_cut = False, False
        self.call = None
        self.tools.clear()
        self.last_at = at
        self._put(
            RoundStarted(
                round=self.round,
                at=at,
                thread=origin.thread,
                agent=origin.agent,
                parent=origin.parent,
                title=title,
                source=origin.source,
                silent=origin.silent,
            )
        )

    def name(self, title: str | None) -> None:
        """Tell the round's title, which the record of its start left out."""
        if self.round is not None and title is not None:
            self._put(RoundStarted(round=self.round, title=title))

    def leave_out_text(self) -> None:
        """Tell that what was written in this round is not recorded."""
        if self.round is not None:
            self._put(RoundStarted(round=self.round, silent=(Silence.TEXT.value,)))

    def finish(self, at: datetime | None, claimed: Claim | None = None) -> None:
        """Tell that the round is over; without a moment of its own, at that of the last that happened in it."""
        if self.round is None or self.is_over:
            return
        self.is_over = True
        self._put(RoundFinished(round=self.round, at=at or self.last_at, claimed=claimed))

    def cancel(self, at: datetime | None, by: CancelledBy) -> None:
        """Tell that somebody asked the round to stop."""
        if self.round is not None and not self.is_over:
            self.was_cut = True
            self.note(at)
            self._put(CancelRequested(round=self.round, at=at, by=by))

    def stop(self, at: datetime | None, why: StoppedWhy) -> None:
        """Tell that a limit ended the round."""
        if self.round is not None and not self.is_over:
            self.was_cut = True
            self.note(at)
            self._put(RoundStopped(round=self.round, at=at, why=why))

    def note(self, at: datetime | None) -> None:
        """Take note of a moment in the round."""
        if at is not None and (self.last_at is None or at > self.last_at):
            self.last_at = at

    def start_call(self, id_: str, model: str | None, attempt: int | None = None) -> ToldCall:
        """Tell that a request went out; when is not recorded. An ended round goes on."""
        round_ = self._round()
        self.is_over = False
        self.call = ToldCall(id_)
        origin = self.origin
        self._put(
            CallStarted(
                round=round_, call=id_, model=model, provider=origin.provider, wire=origin.wire, attempt=attempt
            )
        )
        return self.call

    def output(self, call: ToldCall, kind: OutputKind, text: str, at: datetime | None) -> None:
        """Tell what the call put out."""
        if not text:
            return
        call.speaks = call.speaks or (kind is OutputKind.TEXT and not text.isspace())
        self.note(at)
        told = bounded(text, OUTPUT_CHARS)
        chars = len(text) if len(text) > OUTPUT_CHARS else None
        self._put(CallOutput(round=self._round(), call=call.id, at=at, kind=kind, text=told, chars=chars))

    def usage(self, call: ToldCall, usage: Usage, at: datetime | None) -> None:
        """Tell what the call used so far."""
        self._put(CallUsage(round=self._round(), call=call.id, at=at, usage=usage))

    def finish_call(
        self,
        call: ToldCall,
        at: datetime | None,
        outcome: CallOutcome = CallOutcome.COMPLETED,
        *,
        reason: str | None = None,
        detail: str | None = None,
        error: CallError | None = None,
        usage: Usage | None = None,
    ) -> None:
        """Tell that the call is over, or more about one that was told to be."""
        call.is_over = True
        self.note(at)
        self._put(
            CallFinished(
                round=self._round(),
                call=call.id,
                at=at,
                outcome=outcome,
                finish_reason=reason,
                finish_detail=detail,
                error=error,
                usage=usage,
            )
        )

    def request_tool(
        self,
        call: ToldCall,
        id_: str,
        name: str,
        arguments: object,
        at: datetime | None,
        *,
        server: bool = False,
        id_given: bool = True,
    ) -> None:
        """Tell that the call asked for a tool."""
        call.asks = call.asks or not server
        self.tools[id_] = call.id
        self.note(at)
        self._put(
            ToolRequested(
                round=self._round(),
                call=call.id,
                tool_call=id_,
                at=at,
                name=name[:RESULT_CHARS],
                arguments=None if arguments is None else arguments_text(arguments),
                server=True if server else None,
                id_given=None if id_given else False,
            )
        )

    def start_tool(self, id_: str, at: datetime | None) -> None:
        """Tell that a tool began to run."""
        if id_ in self.tools:
            self.note(at)
            self._put(ToolStarted(round=self._round(), call=self.tools[id_], tool_call=id_, at=at))

    def round_of(self, id_: str) -> str | None:
        """Return the round, this or the one before, in which a tool call waits for a result; None where it does not."""
        if id_ in self.tools:
            return self.round
        late = self._late.get(id_)
        return late[0] if late is not None else None

    def finish_tool(
        self, id_: str, at: datetime | None, *, ok: bool, text: str = "", duration_ms: float | None = None
    ) -> None:
        """Tell a tool's result; of one that waits for none nothing is told."""
        asked = self._answered(id_, at)
        if asked is None:
            return
        round_, call = asked
        self._put(
            ToolFinished(
                round=round_,
                call=call,
                tool_call=id_,
                at=at,
                ok=ok,
                duration_ms=duration_ms,
                preview=(bounded(text, RESULT_CHARS) or None) if ok else None,
                error=None if ok else (bounded(text, ERROR_CHARS) or None),
            )
        )

    def refuse_tool(self, id_: str, at: datetime | None, why: RefusedWhy, message: str) -> None:
        """Tell that a tool call was refused."""
        asked = self._answered(id_, at)
        if asked is not None:
            round_, call = asked
            told = bounded(message, ERROR_CHARS)
            self._put(ToolRefused(round=round_, call=call, tool_call=id_, at=at, why=why, message=told))

    def _answered(self, id_: str, at: datetime | None) -> tuple[str, str | None] | None:
        """Take note that a tool call waits no longer; return its round and the call that asked."""
        if id_ not in self.tools:
            return self._late.pop(id_, None)
        self.note(at)
        return self._round(), self.tools.pop(id_)

    def _round(self) -> str:
        if self.round is None:
            self.begin(None)
        assert self.round is not None
        return self.round
