"""The turns of one Codex session: a turn is a round, and between its token counts stand the model's answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ...rounds.base import CallError, CallOutcome, CancelledBy, Claim, OutputKind, StoppedWhy, Usage
from ...rounds.events import Event
from .codex_items import Result, asked
from .telling import Origin, Telling, ToldCall
from .told_text import title_of

WORD_CHARS = 200
BUDGET = "budget_limited"
INTERRUPTED = "interrupted"


class Turns:
    """Puts what the records say into rounds and calls.

    Codex writes an answer's items and its token count in either order: since 0.60 or so the count follows the
    items and the tools' results come behind it, before that it stands in front. Which of both a file does shows
    at its first count.
    """

    def __init__(self, origin: Origin, put: Callable[[Event], None]) -> None:
        """Begin before the first turn."""
        self.telling = Telling(origin, put)
        self.model: str | None = None
        self.has_ends = False
        """The running turn's beginning was written down, so its end will be too."""
        self._calls = 0
        self._served = 0
        self._counted = False
        """The newest call has its token count."""
        self._has_items = False
        self._has_results = False
        self._counts_follow = False
        """Counts stand behind the items they are about."""
        self._attempt: int | None = None
        self._failed = False
        self.compacts = False
        """The running turn summed the history up: what the model wrote for it is no part of the conversation."""
        self._has_worked = False
        self.prompted: str | None = None
        """The prompt that began the turn."""

    def begin(self, at: datetime | None, text: str | None, *, has_ends: bool) -> None:
        """Begin a turn; the one before it ends, if nothing said so."""
        self.end(None, closes_call=not self.has_ends)
        self.has_ends = has_ends
        self.prompted = text
        self._attempt = None
        self._failed = self.compacts = self._has_worked = False
        self.telling.begin(at, None if text is None else title_of(asked(text)))

    def name(self, text: str) -> None:
        """Take in the prompt of a turn that began without it."""
        if self.prompted != text:
            self.prompted = text
            self.telling.name(title_of(asked(text)))

    @property
    def is_untouched(self) -> bool:
        """The turn holds nothing yet but its prompt."""
        return not self.telling.is_over and self.telling.call is None

    def end(self, at: datetime | None, claimed: Claim | None = None, *, closes_call: bool = True) -> None:
        """End the turn; a call of a turn that nothing ended stays open where its end would have been written."""
        if closes_call:
            self._close(at)
        self.telling.finish(at, claimed)

    def complete(self, at: datetime | None, error: CallError | None, said: str | None) -> None:
        """Take in Codex's word that a turn is over, with the error that ended it and the last thing it said."""
        call = self.telling.call
        if said is not None and call is not None and not call.speaks and not call.asks and error is None:
            self.telling.output(call, OutputKind.TEXT, said, at)
        if error is not None:
            self.fail(at, error)
            self.end(at, Claim(status="failed", reason=error.code))
        else:
            if self.compacts and not self._has_worked and said is None:
                self.telling.leave_out_text()
            self.end(at, Claim(status="completed"))

    def abort(self, at: datetime | None, reason: str) -> None:
        """Take in that a turn was broken off."""
        telling = self.telling
        if telling.is_over:
            return
        call = telling.call
        if call is not None and not call.is_over:
            asks = call.asks or self._counted
            outcome = CallOutcome.COMPLETED if asks else CallOutcome.CANCELLED
            telling.finish_call(call, at, outcome)
        if reason == BUDGET:
            telling.stop(at, StoppedWhy.TOKENS)
        else:
            telling.cancel(at, CancelledBy.USER if reason == INTERRUPTED else CancelledBy.HOST)
        telling.finish(at, Claim(status=reason[:WORD_CHARS], reason=reason[:WORD_CHARS]))

    def fail(self, at: datetime | None, error: CallError) -> None:
        """Take in that the turn's request failed for good; told twice, it failed once."""
        if self._failed:
            return
        self._failed = True
        call = self._open_call()
        self.telling.finish_call(call, at, CallOutcome.FAILED, error=error)

    def break_off(self, at: datetime | None, error: CallError) -> None:
        """Take in that a response broke off and is asked for again."""
        call = self._open_call()
        attempt = self._attempt or 1
        self.telling.finish_call(call, at, CallOutcome.BODY_CUT, error=error)
        self._attempt = attempt + 1

    def output(self, kind: OutputKind, text: str, at: datetime | None) -> None:
        """Take in what the model wrote."""
        self.telling.output(self._item(), kind, text, at)

    def request(self, id_: str | None, name: str, arguments: object, at: datetime | None) -> None:
        """Take in that the model asked for a tool; its id is made up where none was written."""
        call = self._item()
        told = id_ or f"{call.id}.{len(self.telling.tools) + 1}"
        self.telling.request_tool(call, told, name, arguments, at, id_given=id_ is not None)

    def served(self, id_: str | None, name: str, arguments: object, at: datetime | None, *, ok: bool | None) -> None:
        """Take in a tool that the provider ran as part of its answer; ``ok`` is None where nothing says how it went."""
        call = self._item()
        self._served += 1
        told = id_ or f"{call.id}.s{self._served}"
        self.telling.request_tool(call, told, name, arguments, at, server=True, id_given=id_ is not None)
        if ok is not None:
            self.telling.finish_tool(told, at, ok=ok)

    def answer(self, id_: str | None, result: Result, at: datetime | None) -> None:
        """Take in how a tool call came out; without an id it is the oldest that waits."""
        telling = self.telling
        told = id_ if id_ is not None else next(iter(telling.tools), None)
        if told is None or telling.round_of(told) is None:
            return
        call = telling.call
        if call is not None and telling.tools.get(told) == call.id:
            self._has_results = True
            if self._counted:
                self._close(at)
        if result.why is not None:
            telling.refuse_tool(told, at, result.why, result.text)
        else:
            ok = result.ok is not False
            telling.finish_tool(told, at, ok=ok, text=result.text, duration_ms=result.duration_ms)

    def count(self, usage: Usage, at: datetime | None) -> None:
        """Take in what one answer used: the one before it, or the one whose items follow."""
        if self.telling.is_over:
            self.begin(at, None, has_ends=False)
        call = self.telling.call
        if call is not None and self._has_items and not self._counted:
            self._counts_follow = True
        else:
            call = self._start()
        self._counted = True
        self.telling.usage(call, usage, at)
        if self._has_results or (self._counts_follow and not self._has_items):
            self._close(at)

    def _item(self) -> ToldCall:
        """Return the call that an item of an answer belongs to."""
        call = self.telling.call
        if call is None or call.is_over or self._has_results or (self._counted and self._counts_follow):
            call = self._start()
        self._has_items = self._has_worked = True
        return call

    def _open_call(self) -> ToldCall:
        call = self.telling.call
        if call is None or call.is_over or self._counted:
            call = self._start()
        return call

    def _start(self) -> ToldCall:
        if self.telling.is_over:
            self.begin(None, None, has_ends=False)
        self._close(None)
        self._calls += 1
        self._counted = self._has_items = self._has_results = False
        model = self.model and self.model[:WORD_CHARS]
        attempt, self._attempt = self._attempt, None
        return self.telling.start_call(f"c{self._calls}", model, attempt)

    def _close(self, at: datetime | None) -> None:
        call = self.telling.call
        if call is not None and not call.is_over:
            self.telling.finish_call(call, at or self.telling.last_at)
