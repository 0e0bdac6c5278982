"""Amplifier's log of events: requests, streams, tools, approvals and what a policy forbade, as they happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import ClassVar

from ...rounds import Event, Silence
from ...rounds.base import CallOutcome, CancelledBy, Claim, OutputKind, Parent, RefusedWhy
from ...rounds.events import (
    CallFinished,
    CallStarted,
    RoundOutput,
    RoundResumed,
    RoundSuspended,
    RoundWarning,
    ToolStarted,
)
from .amplifier_call import AmplifierCall, error_of, usage_of
from .conversation import Conversation
from .fields import Object, duration_of, object_of, texts_of, word_of
from .line_transcript import LineTranscript
from .lines import Line
from .told_text import ERROR_CHARS, OUTPUT_CHARS, RESULT_CHARS, bounded
from .values import any_moment_of, compact

OUTPUTS = {"text": OutputKind.TEXT, "thinking": OutputKind.REASONING, "reasoning": OutputKind.REASONING}


class Amplifier(LineTranscript):
    """One session's log."""

    source: ClassVar[str] = "amplifier"
    silent: ClassVar[tuple[Silence, ...]] = (Silence.FINISH_REASON,)

    def __init__(self) -> None:
        """Begin before the first byte."""
        super().__init__()
        self._talk = Conversation(self.source, self.silent)
        self._calls = 0
        self._call: AmplifierCall | None = None
        """The newest."""
        self._open_tools: dict[str, str] = {}
        """Id to name of the tools that run, the newest last."""
        self._claim: Claim | None = None
        self._spoke = False
        self._takers: dict[str, Callable[[Object, Object, datetime | None], Iterator[Event]]] = {
            "session:start": self._session,
            "session:fork": self._session,
            "session:resume": self._session,
            "prompt:submit": self._prompt,
            "prompt:complete": self._complete,
            "orchestrator:complete": self._orchestrated,
            "llm:request": self._request,
            "llm:response": self._response,
            "llm:stream_block_start": self._block,
            "llm:stream_aborted": self._aborted,
            "provider:error": self._aborted,
            "provider:retry": self._retry,
            "provider:throttle": self._warned,
            "content_block:end": self._content,
            "tool:pre": self._tool_begins,
            "tool:post": self._tool_ends,
            "tool:error": self._tool_ends,
            "approval:required": self._approval,
            "approval:granted": self._granted,
            "approval:denied": self._denied,
            "policy:violation": self._violation,
            "cancel:requested": self._cancel,
        }

    def take(self, record: Object, line: Line) -> Iterator[Event]:
        """Yield what one entry of the log tells."""
        taker = self._takers.get(word_of(record.get("event")) or "")
        if taker is None:
            return
        at = any_moment_of(record.get("ts"))
        if not self._talk.session:
            self._talk.session = self._talk.thread = word_of(record.get("session_id")) or ""
        data = object_of(record.get("data"))
        yield from taker(record, data, at)
        self._talk.seen(at)

    def conclude(self) -> Iterator[Event]:
        """Yield the end of a round that nothing followed."""
        return self._talk.end(self._talk.last_at)

    def _session(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        talk, own = self._talk, word_of(record.get("session_id"))
        parent = word_of(data.get("parent_id")) or word_of(data.get("parent")) or word_of(record.get("parent_id"))
        if not talk.has_begun and parent is not None and own is not None and parent != own:
            talk.parent, talk.session, talk.thread = Parent(round=parent), f"{parent}/{own}", own
            talk.agent = word_of(data.get("agent")) or word_of(data.get("agent_name"))
        yield from ()

    def _prompt(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        yield from self._talk.begin(at, texts_of(data.get("prompt")))
        self._claim, self._call, self._spoke = None, None, False
        self._open_tools.clear()

    def _complete(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        if not self._talk.is_open:
            return
        said = word_of(data.get("response")) or word_of(data.get("response_preview"))
        if said and not self._spoke:
            yield RoundOutput(round=self._talk.round, kind="text", text=bounded(said, OUTPUT_CHARS))
        yield from self._talk.end(at, self._claim)

    def _orchestrated(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        status = word_of(data.get("status")) or word_of(record.get("status"))
        self._claim = Claim(status=status) if status else None
        yield from ()

    def _request(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        yield from self._talk.ensure(at)
        self._talk.reopen()
        yield self._started(data, at, None)

    def _started(self, data: Object, at: datetime | None, attempt: int | None) -> CallStarted:
        self._calls += 1
        provider = word_of(data.get("provider"))
        self._call = AmplifierCall(f"c{self._calls}", at, attempt or 1, provider, word_of(data.get("model")))
        return CallStarted(
            round=self._talk.round,
            call=self._call.id,
            at=at,
            model=self._call.model,
            provider=provider,
            wire="anthropic" if provider == "anthropic" else None,
            max_output_tokens=self._call.cap_of(data),
            attempt=attempt,
        )

    def _response(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        if self._call is None or self._call.is_over:
            yield from self._request(record, {**data, "max_tokens": None}, None)
        call = self._call
        assert call is not None
        call.is_over = True
        failed = "error" in (word_of(data.get("status")), word_of(record.get("status")))
        error = error_of(record, data) if failed else None
        ms = duration_of(data.get("duration_ms"))
        yield CallFinished(
            round=self._talk.round,
            call=call.id,
            at=at,
            outcome=CallOutcome.FAILED if failed else CallOutcome.COMPLETED,
            finish_reason=word_of(data.get("finish_reason")) or word_of(data.get("stop_reason")),
            error=error,
            usage=usage_of(object_of(data.get("usage"))),
            first_output_ms=call.first_output_ms,
            total_ms=ms if ms is not None else duration_of(record.get("duration_ms")),
        )

    def _block(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        if self._call is not None and not self._call.is_over:
            self._call.puts_out(at)
        yield from ()

    def _aborted(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        call = self._call
        if call is None or call.is_over:
            return
        call.is_over = True
        is_cut = record.get("event") == "llm:stream_aborted"
        yield CallFinished(
            round=self._talk.round,
            call=call.id,
            at=at,
            outcome=CallOutcome.BODY_CUT if is_cut else CallOutcome.FAILED,
            error=error_of(record, data),
            first_output_ms=call.first_output_ms,
        )

    def _retry(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        call = self._call
        if call is None:
            return
        yield from self._aborted({**record, "event": "provider:error"}, data, at)
        yield self._started({"provider": call.provider, "model": call.model}, None, call.attempt + 1)

    def _warned(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        if self._talk.has_begun:
            said = error_of(record, data).message
            yield RoundWarning(round=self._talk.round, at=at, code="provider_throttle", message=said)

    def _content(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        block = object_of(data.get("block"))
        kind = OUTPUTS.get(str(block.get("type") or data.get("block_type")))
        said = word_of(block.get("text")) or word_of(block.get("thinking"))
        if self._call is not None and kind is not None and said:
            self._spoke = self._spoke or kind is OutputKind.TEXT
            yield from self._talk.said(self._call.id, kind, said)

    def _tool_begins(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        yield from self._talk.ensure(at)
        name = word_of(data.get("tool_name")) or word_of(data.get("tool")) or word_of(data.get("name")) or "?"
        given = word_of(data.get("tool_call_id"))
        tool = given or f"t{len(self._open_tools) + 1}.{line_name(record)}"
        self._open_tools[tool] = name
        wanted = data.get("tool_input", data.get("input"))
        call = self._call.id if self._call is not None else None
        if call is not None:
            yield from self._talk.asked(call, tool, name, wanted, given=given is not None)
        yield ToolStarted(round=self._talk.round, call=call, tool_call=tool, at=at)

    def _tool_ends(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        tool = self._meant(data)
        if tool is None:
            return
        self._open_tools.pop(tool, None)
        result = object_of(data.get("result"))
        ok = record.get("event") == "tool:post" and result.get("success") is not False
        shown = result.get("output", data.get("result")) if ok else result.get("error")
        said = error_of(record, data).message if not ok and not shown else shown
        words = said if isinstance(said, str) else None if said is None else compact(said)
        ms = duration_of(data.get("duration_ms"))
        ms = ms if ms is not None else duration_of(record.get("duration_ms"))
        yield from self._talk.answered(tool, ok=ok, at=at, ms=ms, said=words)

    def _approval(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        if self._talk.has_begun:
            why = word_of(data.get("prompt")) or word_of(data.get("action")) or word_of(data.get("tool_name"))
            yield RoundSuspended(round=self._talk.round, at=at, why=bounded(why or "approval", RESULT_CHARS))

    def _granted(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        if self._talk.has_begun:
            yield RoundResumed(round=self._talk.round, at=at)

    def _denied(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        yield from self._granted(record, data, at)
        yield from self._refused(RefusedWhy.PERMISSION, data, at)

    def _violation(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        if self._meant(data) is not None:
            yield from self._refused(RefusedWhy.POLICY, data, at)
        elif self._talk.has_begun:
            said = word_of(data.get("reason")) or word_of(data.get("message"))
            yield RoundWarning(
                round=self._talk.round,
                at=at,
                code="policy_violation",
                message=bounded(said, ERROR_CHARS) if said else None,
            )

    def _refused(self, why: RefusedWhy, data: Object, at: datetime | None) -> Iterator[Event]:
        tool = self._meant(data)
        if tool is not None:
            said = word_of(data.get("reason")) or word_of(data.get("message")) or why.value
            yield from self._talk.refused(tool, why, said, at=at)

    def _cancel(self, record: Object, data: Object, at: datetime | None) -> Iterator[Event]:
        if self._talk.has_begun:
            yield from self._talk.cancelled(at, CancelledBy.USER)

    def _meant(self, data: Object) -> str | None:
        """Return the tool call that an entry is about: by its id, else the newest open one of its name."""
        if (given := word_of(data.get("tool_call_id"))) is not None:
            return given
        name = word_of(data.get("tool_name")) or word_of(data.get("tool")) or word_of(data.get("name"))
        return next((id_ for id_, of in reversed(self._open_tools.items()) if name in (None, of)), None)


def line_name(record: Object) -> str:
    """Return what tells an entry without an id from others: its moment."""
    return word_of(record.get("ts")) or "?"
