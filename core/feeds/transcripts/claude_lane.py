"""One conversation of Claude Code, the session's or a sub-agent's: its records in, rounds out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from ...rounds.base import CallOutcome, CancelledBy, OutputKind, Parent, RefusedWhy, Usage
from ...rounds.events import Event
from .claude_errors import OUTPUT_CAP, final_error, request_error
from .claude_texts import Said, asked, refused_why, said_by
from .fields import Object, count_of, duration_of, list_of, moment_of, object_of, texts_of, word_of
from .telling import Origin, Telling, ToldCall
from .told_text import title_of

GOES_ON = frozenset(("tool_use", "pause_turn"))
"""Reasons after which the agent sends another request by itself."""
REFUSAL = "refusal"
SYNTHETIC = "<synthetic>"
"""The model of messages that no model wrote."""
TASKS = frozenset(("Task", "Agent"))
_REQUESTS = {"tool_use": False, "server_tool_use": True, "mcp_tool_use": True}
"""Blocks that ask for a tool, and whether the provider runs it."""
WORD_CHARS = 200


@dataclass(slots=True)
class _Message:
    """One answer of the model, of which several records tell."""

    call: ToldCall
    usage: Object = field(default_factory=Object)
    """As the newest record that has one reports it."""
    reason: str | None = None
    detail: str | None = None
    uuids: list[str] = field(default_factory=list[str])


class Lane:
    """Reads the records of one conversation in file order; which record follows which is not asked."""

    def __init__(self, origin: Origin, put: Callable[[Event], None]) -> None:
        """Begin before the first record."""
        self.telling = Telling(origin, put)
        self._messages: dict[str, _Message] = {}
        """Of this round, by key."""
        self._current: _Message | None = None
        self._waiting: tuple[datetime | None, str | None, bool] | None = None
        """A prompt that begins a round when the model answers: moment, title, and whether it does so in any case."""
        self._is_unsure = False
        """That prompt may be a copy."""
        self._attempt: int | None = None
        self.tasks: dict[str, tuple[str, str]] = {}
        """Prompts of the sub-agents this round asked for: its id and the tool call's."""

    def knows(self, key: str) -> bool:
        """Return whether a message belongs to the newest round."""
        return key in self._messages

    def branch_off(self, branch: str) -> None:
        """Take in that a record is another file's, whose rounds have the names that ours would have."""
        telling = self.telling
        if self._is_unsure:
            self._waiting, self._is_unsure = None, False  # copied as well
        if branch and not telling.rounds and "~" not in telling.origin.first:
            telling.origin = replace(telling.origin, first=f"{telling.origin.first}~{branch}")

    def prompt(self, record: Object, text: str, *, is_sure: bool = True) -> None:
        """Take in what a user record says; one that is not sure to be of this file waits until the model answers."""
        at = moment_of(record.get("timestamp"))
        self._begin_unsure()
        match said_by(record, text):
            case Said.PROMPT if not is_sure:
                self._waiting, self._is_unsure = (at, title_of(asked(text)), True), True
            case Said.PROMPT:
                self._begin(at, title_of(asked(text)))
            case Said.COMMAND:
                self._waiting = (at, title_of(asked(text)), True)
            case Said.COMMAND_DONE:
                self._waiting = None
            case Said.NOTICE:
                self.wake(at, text, firm=self._seems_over())
            case Said.INTERRUPT:
                self._interrupt(at, text, CancelledBy.HOST if record.get("interruptedByShutdown") else CancelledBy.USER)
            case Said.NOTHING:
                pass

    def wake(self, at: datetime | None, text: str, *, firm: bool = False) -> None:
        """Take in what may begin a round: it does where the last one is over when the model answers."""
        if self._waiting is None:
            self._waiting = (at, title_of(asked(text)), firm)

    def results(self, record: Object, blocks: list[Object]) -> list[Parent]:
        """Take in the results of tools; return their calls, as those that a sub-agent may have worked for."""
        at = moment_of(record.get("timestamp"))
        detail = object_of(record.get("toolUseResult"))
        found: list[Parent] = []
        for block in blocks:
            id_ = self._tool_meant(record, block)
            round_ = self.telling.round_of(id_) if id_ is not None else None
            if id_ is None or round_ is None:
                continue
            found.append(Parent(round=round_, tool_call=id_))
            self._response_over(id_, at)
            text = texts_of(block.get("content"))
            why = refused_why(record, block, text)
            if why is not None:
                self.telling.refuse_tool(id_, at, why, text)
            else:
                ok = block.get("is_error") is not True and detail.get("interrupted") is not True
                self.telling.finish_tool(id_, at, ok=ok, text=text, duration_ms=_took(detail, len(blocks)))
        return found

    def answer(self, record: Object, key: str, name: str) -> None:
        """Take in a record of the model's answer; ``name`` is the call's."""
        message = object_of(record.get("message"))
        at = moment_of(record.get("timestamp"))
        if record.get("isApiErrorMessage") is True or word_of(record.get("error")) is not None:
            self._failed(record, texts_of(message.get("content")), name, at)
            return
        model = word_of(message.get("model"))
        if model == SYNTHETIC:
            return
        known = self._messages.get(key)
        if known is None:
            self._answer_begins()
            call = self.telling.start_call(name, model and model[:WORD_CHARS], self._attempt)
            self._attempt = None
            known = self._messages[key] = self._current = _Message(call)
        if (uuid := word_of(record.get("uuid"))) is not None:
            known.uuids.append(uuid)
        self._content(known, message, at)
        self._figures(known, message)
        if record.get("isAbortedMidStream") is True:
            self._close(known, at, CallOutcome.CANCELLED)
        elif known.reason is not None or known.call.is_over:
            self._close(known, at)
        if known.reason is not None and known.reason not in GOES_ON and not known.call.asks:
            self.telling.finish(at)

    def system(self, record: Object, name: str) -> None:
        """Take in a record of the harness; ``name`` is one for a call that only it tells of."""
        at = moment_of(record.get("timestamp"))
        match record.get("subtype"):
            case "api_error" | "error":
                self._attempt_failed(record, name, at)
            case "api_refusal":
                self._refused(record, name, at, is_last=True)
            case "model_refusal_fallback":
                self._refused(record, name, at, is_last=False)
            case "turn_duration":
                self.end(at)
            case "stop_hook_summary":
                if not list_of(record.get("hookErrors")) and self._seems_over():
                    self.end(at)
            case _:
                pass

    def end(self, at: datetime | None = None) -> None:
        """Take in that the round is over."""
        self._begin_unsure()
        self._close_open(at)
        self.telling.finish(at)

    def _begin_unsure(self) -> None:
        """Begin the round of a prompt that no answer showed to be copied."""
        if self._is_unsure and self._waiting is not None:
            self._begin(self._waiting[0], self._waiting[1])

    def _begin(self, at: datetime | None, title: str | None) -> None:
        self._close_open(None)
        self._waiting = self._attempt = self._current = None
        self._is_unsure = False
        self._messages.clear()
        self.tasks.clear()
        self.telling.begin(at, title)

    def _seems_over(self) -> bool:
        """Nothing is left to do for the agent: no tool waits, and its last answer asked for none."""
        if self.telling.is_over:
            return True
        current = self._current
        return current is not None and not current.call.asks and not self.telling.tools

    def _answer_begins(self) -> None:
        """See that a round is there for a new answer, and that the answer before it has ended."""
        if self._waiting is not None:
            at, title, firm = self._waiting
            self._waiting = None
            if firm or self.telling.is_over:
                self._begin(at, title)
                return
        if self.telling.was_cut or self.telling.round is None:
            self._begin(None, None)
        self._close_open(None)

    def _content(self, known: _Message, message: Object, at: datetime | None) -> None:
        content = message.get("content")
        if isinstance(content, str):
            self.telling.output(known.call, OutputKind.TEXT, content, at)
        for one in list_of(content):
            block = object_of(one)
            kind = block.get("type")
            if kind == "text" and isinstance(text := block.get("text"), str):
                self.telling.output(known.call, OutputKind.TEXT, text, at)
            elif kind == "thinking" and isinstance(text := block.get("thinking"), str):
                self.telling.output(known.call, OutputKind.REASONING, text, at)
            elif isinstance(kind, str):
                self._tool_block(known, kind, block, at)

    def _tool_block(self, known: _Message, kind: str, block: Object, at: datetime | None) -> None:
        if kind in _REQUESTS:
            given = word_of(block.get("id"))
            id_ = given or f"{known.call.id}.{len(self.telling.tools) + 1}"
            name = word_of(block.get("name")) or kind
            arguments = block.get("input")
            server = _REQUESTS[kind]
            self.telling.request_tool(known.call, id_, name, arguments, at, server=server, id_given=given is not None)
            prompt = object_of(arguments).get("prompt") if name in TASKS else None
            if isinstance(prompt, str) and self.telling.round is not None:
                self.tasks[prompt] = (self.telling.round, id_)
        elif kind.endswith("_tool_result") and (asked_by := word_of(block.get("tool_use_id"))) is not None:
            broken = object_of(block.get("content")).get("type", "")
            ok = block.get("is_error") is not True and not str(broken).endswith("_error")
            self.telling.finish_tool(asked_by, at, ok=ok)

    def _figures(self, known: _Message, message: Object) -> None:
        known.usage = object_of(message.get("usage")) or known.usage
        details = object_of(message.get("stop_details"))
        reason = word_of(message.get("stop_reason"))
        if reason is None and details.get("type") == REFUSAL:
            reason = REFUSAL
        if reason is not None:
            known.reason = reason[:WORD_CHARS]
        if known.reason == REFUSAL and (category := word_of(details.get("category"))) is not None:
            known.detail = category[:WORD_CHARS]

    def _close(self, known: _Message, at: datetime | None, outcome: CallOutcome = CallOutcome.COMPLETED) -> None:
        self.telling.finish_call(
            known.call, at, outcome, reason=known.reason, detail=known.detail, usage=_usage(known.usage)
        )

    def _close_open(self, at: datetime | None) -> None:
        if self._current is not None and not self._current.call.is_over:
            self._close(self._current, at or self.telling.last_at)

    def _response_over(self, tool: str, at: datetime | None) -> None:
        """A result shows that the answer which asked for it has come, as far as anybody knows."""
        current = self._current
        if current is not None and not current.call.is_over and self.telling.tools.get(tool) == current.call.id:
            self._close(current, self.telling.last_at)

    def _tool_meant(self, record: Object, block: Object) -> str | None:
        tools = self.telling.tools
        id_ = word_of(block.get("tool_use_id"))
        if id_ is not None:
            return id_ if self.telling.round_of(id_) is not None else None
        source = word_of(record.get("sourceToolUseID"))
        return source if source in tools else next(iter(tools), None)

    def _interrupt(self, at: datetime | None, text: str, by: CancelledBy) -> None:
        if self.telling.is_over:
            return
        current = self._current
        if current is not None and not current.call.is_over:
            asks = current.call.asks
            self._close(current, at, CallOutcome.COMPLETED if asks else CallOutcome.CANCELLED)
        for id_ in list(self.telling.tools):
            self.telling.refuse_tool(id_, at, RefusedWhy.INTERRUPTED, text)
        self.telling.cancel(at, by)
        self.telling.finish(at)

    def _failed(self, record: Object, text: str, name: str, at: datetime | None) -> None:
        """A message in place of an answer: the request failed for good, or the answer was cut at its cap."""
        self._answer_begins()
        if record.get("error") == OUTPUT_CAP:
            call = self._current.call if self._current is not None else self.telling.start_call(name, None)
            self.telling.finish_call(call, at, reason=OUTPUT_CAP)
        else:
            call = self.telling.start_call(name, None, self._attempt)
            self.telling.finish_call(call, at, CallOutcome.FAILED, error=final_error(record, text))
        self._attempt = self._current = None
        self.telling.finish(at)

    def _attempt_failed(self, record: Object, name: str, at: datetime | None) -> None:
        self._answer_begins()
        self._current = None
        attempt = count_of(record.get("retryAttempt")) or None
        call = self.telling.start_call(name, None, attempt)
        self.telling.finish_call(call, at, CallOutcome.FAILED, error=request_error(record))
        self._attempt = None if attempt is None else attempt + 1

    def _refused(self, record: Object, name: str, at: datetime | None, *, is_last: bool) -> None:
        """The provider refused to answer: in words of its own, or by an answer that was taken back."""
        retracted = {uuid for uuid in list_of(record.get("retractedMessageUuids")) if isinstance(uuid, str)}
        known = next((one for one in self._messages.values() if not retracted.isdisjoint(one.uuids)), None)
        if known is None:
            current = self._current
            if current is not None and current.reason == REFUSAL:
                known = current
            else:
                self._answer_begins()
                model = word_of(record.get("originalModel"))
                known = self._current = _Message(self.telling.start_call(name, model and model[:WORD_CHARS]))
        known.reason = REFUSAL
        category = word_of(record.get("apiRefusalCategory"))
        known.detail = category[:WORD_CHARS] if category else known.detail
        self._close(known, at)
        if is_last:
            self.telling.finish(at)


def _usage(usage: Object) -> Usage | None:
    """Return the counts of one answer: cached tokens stand beside the input, reasoning is part of the output."""
    counts = (
        count_of(usage.get("input_tokens")),
        count_of(usage.get("output_tokens")),
        count_of(object_of(usage.get("output_tokens_details")).get("thinking_tokens")),
        count_of(usage.get("cache_read_input_tokens")),
        count_of(usage.get("cache_creation_input_tokens")),
    )
    if all(count is None for count in counts):
        return None
    taken, made, reasoning, read, written = counts
    return Usage(
        input_tokens=taken,
        output_tokens=made,
        reasoning_tokens=reasoning,
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def _took(detail: Object, results: int) -> float | None:
    """Return how long a tool ran, in ms, where the record is about one tool and says it."""
    if results != 1:
        return None
    found = duration_of(detail.get("durationMs"))
    if found is None:
        found = duration_of(detail.get("totalDurationMs"))
    if found is None and (seconds := duration_of(detail.get("durationSeconds"))) is not None:
        found = seconds * 1000
    return found
