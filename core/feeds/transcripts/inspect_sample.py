"""One sample of an inspect log: a round, with a round below it for every agent and scorer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ...rounds import Event, Silence
from ...rounds.base import CallError, CallOutcome, CancelledBy, Claim, OutputKind, Parent, RefusedWhy, StoppedWhy, Usage
from ...rounds.events import CallFinished, CallStarted, RoundStopped
from .conversation import Conversation
from .fields import NOTHING, Object, count_of, duration_of, list_of, object_of, texts_of, word_of
from .told_text import ERROR_CHARS, bounded
from .values import any_moment_of, between_ms, objects_of

SILENT = (Silence.FIRST_OUTPUT, Silence.PROGRESS)
LIMITS = {
    "message": StoppedWhy.ITERATIONS,
    "turn": StoppedWhy.ITERATIONS,
    "token": StoppedWhy.TOKENS,
    "cost": StoppedWhy.COST,
    "time": StoppedWhy.WALL_CLOCK,
    "working": StoppedWhy.WALL_CLOCK,
}
REFUSALS = {"permission": RefusedWhy.PERMISSION, "approval": RefusedWhy.PERMISSION}
"""Kinds of a tool's error that mean it was not let run."""
OWN_ROUNDS = ("agent", "scorer")
"""Spans that are rounds below the sample's: what a scorer's model says is no answer of the sample."""
REJECTED = frozenset(("reject", "terminate", "escalate"))
ATTACHMENT = "attachment://"


class InspectSample:
    """Events of one sample, in the order of its log."""

    def __init__(self, run: str, task: str | None, sample: Object) -> None:
        """Name the run and the task that the sample belongs to."""
        self._sample = sample
        self._attachments = object_of(sample.get("attachments"))
        name = f"{run}/{sample.get('id')}.{sample.get('epoch')}"
        self._main = Conversation("inspect", SILENT)
        self._main.session, self._main.thread, self._main.agent = name, run, task
        self._agents: dict[str, Conversation] = {}
        """By span."""
        self._talks: dict[str, Conversation] = {}
        """Whose span it is, for every span."""
        self._tools: dict[str, tuple[Conversation, str]] = {}
        self._calls = 0
        self._scoring: Conversation | None = None
        """While an older log, which knows no spans, tells of a scorer."""

    def told(self) -> Iterator[Event]:
        """Yield all events."""
        events = objects_of(self._sample.get("events"))
        start = next((at for event in events if (at := any_moment_of(event.get("timestamp")))), None)
        yield from self._main.begin(start, self._text(self._sample.get("input")))
        for event in events:
            talk = self._talks.get(word_of(event.get("span_id")) or "", self._scoring or self._main)
            talk.seen(any_moment_of(event.get("completed")) or any_moment_of(event.get("timestamp")))
            yield from self._event(event, talk)
        if not events:
            yield from self._output()
        for agent in self._agents.values():
            yield from agent.end(agent.last_at)
        yield from self._main.end(self._main.last_at, self._claim())

    def _event(self, event: Object, talk: Conversation) -> Iterator[Event]:
        match event.get("event"):
            case "span_begin":
                self._span(event)
            case "step" if event.get("type") == "scorer":
                yield from self._step(event)
            case "span_end":
                if (agent := self._agents.get(word_of(event.get("id")) or "")) is not None:
                    yield from agent.end(any_moment_of(event.get("timestamp")))
            case "model":
                yield from self._model(event, talk)
            case "tool":
                yield from self._tool(event, talk)
            case "approval":
                yield from self._approval(event, talk)
            case "sample_limit":
                limit = event.get("limit")
                why = LIMITS.get(str(event.get("type")))
                at = any_moment_of(event.get("timestamp"))
                if why is not None:
                    yield RoundStopped(round=self._main.round, at=at, why=why, limit=duration_of(limit))
                elif event.get("type") == "operator":
                    yield from self._main.cancelled(at)
            case "error":
                message = word_of(object_of(event.get("error")).get("message"))
                at = any_moment_of(event.get("timestamp"))
                yield RoundStopped(
                    round=self._main.round, at=at, why=StoppedWhy.EXCEPTION, error=bounded(message or "", ERROR_CHARS)
                )
            case "interrupt":
                yield from talk.cancelled(any_moment_of(event.get("timestamp")), CancelledBy.USER)
            case _:
                pass

    def _span(self, event: Object) -> None:
        id_ = word_of(event.get("id")) or ""
        outer = self._talks.get(word_of(event.get("parent_id")) or "", self._main)
        self._talks[id_] = outer
        if word_of(event.get("type")) in OWN_ROUNDS and id_:
            self._talks[id_] = self._agents[id_] = self._below(id_, outer, event)

    def _below(self, name: str, outer: Conversation, event: Object) -> Conversation:
        agent = Conversation("inspect", SILENT)
        agent.session, agent.thread = f"{self._main.session}/{name}", self._main.thread
        agent.agent = agent.title = word_of(event.get("name"))
        agent.parent = Parent(round=outer.round)
        return agent

    def _step(self, event: Object) -> Iterator[Event]:
        at = any_moment_of(event.get("timestamp"))
        if event.get("action") == "begin":
            name = word_of(event.get("name")) or "scorer"
            self._scoring = self._agents[name] = self._below(name, self._main, event)
        elif self._scoring is not None:
            yield from self._scoring.end(at)
            self._scoring = None

    def _model(self, event: Object, talk: Conversation) -> Iterator[Event]:
        self._calls += 1
        call, output = f"c{self._calls}", object_of(event.get("output"))
        began, ended = any_moment_of(event.get("timestamp")), any_moment_of(event.get("completed"))
        provider, _, model = (word_of(event.get("model")) or "").rpartition("/")
        choice = next(iter(objects_of(output.get("choices"))), NOTHING)
        message = object_of(choice.get("message"))
        is_old = "completed" not in event  # these logs were written when a call ended
        yield from talk.ensure(began)  # of an agent or scorer that asks no model there is nothing to tell
        yield CallStarted(
            round=talk.round,
            call=call,
            at=None if is_old else began,
            model=model or word_of(output.get("model")),
            provider=provider or None,
            max_output_tokens=count_of(object_of(event.get("config")).get("max_tokens")),
        )
        yield from self._content(talk, call, message)
        error = word_of(event.get("error")) or word_of(output.get("error"))
        yield CallFinished(
            round=talk.round,
            call=call,
            at=ended or (began if is_old else None),
            outcome=CallOutcome.FAILED if error else CallOutcome.COMPLETED,
            finish_reason=word_of(choice.get("stop_reason")),
            error=CallError(kind="error", message=bounded(error, ERROR_CHARS)) if error else None,
            usage=_usage(object_of(output.get("usage"))),
            total_ms=_seconds(output.get("time")) or (None if is_old else between_ms(began, ended)),
        )

    def _content(self, talk: Conversation, call: str, message: Object) -> Iterator[Event]:
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else objects_of(content)
        for block in blocks:
            if block.get("type") == "reasoning":
                yield from talk.said(call, OutputKind.REASONING, self._text(block.get("reasoning")))
            elif block.get("type") == "text":
                yield from talk.said(call, OutputKind.TEXT, self._text(block.get("text")))
        for index, tool in enumerate(objects_of(message.get("tool_calls"))):
            given = word_of(tool.get("id"))
            id_ = given or f"{call}.{index + 1}"
            self._tools[id_] = talk, call
            arguments = tool.get("arguments")
            yield from talk.asked(call, id_, word_of(tool.get("function")) or "?", arguments, given=given is not None)

    def _tool(self, event: Object, talk: Conversation) -> Iterator[Event]:
        id_ = word_of(event.get("id"))
        if id_ is None:
            return
        owner, call = self._tools.get(id_, (talk, None))
        began, ended = any_moment_of(event.get("timestamp")), any_moment_of(event.get("completed"))
        error = object_of(event.get("error"))
        said = self._text(error.get("message") if error else event.get("result"))
        if (why := REFUSALS.get(str(error.get("type")))) is not None:
            yield from owner.refused(id_, why, said or str(error.get("type")), call=call, at=ended or began)
        else:
            ms = _seconds(event.get("working_time")) or between_ms(began, ended)
            yield from owner.answered(id_, ok=not error, call=call, at=ended or began, ms=ms, said=said)
        if event.get("failed") is True or error.get("type") == "cancelled":
            yield from owner.cancelled(ended or began)

    def _approval(self, event: Object, talk: Conversation) -> Iterator[Event]:
        tool = word_of(object_of(event.get("call")).get("id"))
        if word_of(event.get("decision")) in REJECTED and tool is not None:
            owner, call = self._tools.get(tool, (talk, None))
            said = word_of(event.get("explanation")) or str(event.get("decision"))
            at = any_moment_of(event.get("timestamp"))
            yield from owner.refused(tool, RefusedWhy.PERMISSION, said, call=call, at=at)

    def _output(self) -> Iterator[Event]:
        """Tell what is known of a sample that was logged without its events: its last answer."""
        output = object_of(self._sample.get("output"))
        if list_of(output.get("choices")):
            at: datetime | None = None
            yield from self._model({"output": output, "model": output.get("model"), "timestamp": at}, self._main)

    def _claim(self) -> Claim | None:
        limit = word_of(object_of(self._sample.get("limit")).get("type"))
        if object_of(self._sample.get("error")):
            return Claim(status="error")
        return Claim(status="limit", reason=limit) if limit else None

    def _text(self, value: object) -> str | None:
        """Return a text, looked up where the log keeps it apart."""
        said = texts_of(value)
        if said.startswith(ATTACHMENT):
            return word_of(self._attachments.get(said.removeprefix(ATTACHMENT)))
        return said or None


def _seconds(value: object) -> float | None:
    seconds = duration_of(value)
    return None if not seconds else seconds * 1000


def _usage(usage: Object) -> Usage | None:
    """Return the counts; inspect takes cached tokens out of the input."""
    taken, made = count_of(usage.get("input_tokens")), count_of(usage.get("output_tokens"))
    read, written = count_of(usage.get("input_tokens_cache_read")), count_of(usage.get("input_tokens_cache_write"))
    if taken is None and made is None:
        return None
    return Usage(
        input_tokens=None if taken is None else taken + (read or 0) + (written or 0),
        output_tokens=made,
        reasoning_tokens=count_of(usage.get("reasoning_tokens")),
        cache_read_tokens=read,
        cache_write_tokens=written,
    )
