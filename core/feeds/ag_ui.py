"""AG-UI: a run is a round. The protocol has no finish reason, so a run that "succeeded" is never called an answer.

An outcome that is absent or unknown means success to the protocol's own libraries; here it means that the end was not
reported in more detail than that the run is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from ..hub.foreign import Heard, UnreadableFrame
from ..rounds import CallError, CallOutcome, Event, Parent, RefusedWhy, Silence, StoppedWhy, Usage
from .foreign_frames import Fields, as_json, list_in, moment_ms, name_of, object_in, objects_of, said_in
from .turn import Turn

SUBPROTOCOL = "ag-ui"
SILENT = (Silence.CALLS, Silence.FINISH_REASON, Silence.REFUSALS)
ARGUMENT_CHARS = 64_000
MOST_RUNS = 1000
"""Sub-agents and tools of one run that are kept in mind."""
IGNORED = frozenset(
    (
        "TEXT_MESSAGE_END", "STATE_SNAPSHOT", "STATE_DELTA", "MESSAGES_SNAPSHOT", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA",
        "RAW", "STEP_STARTED", "STEP_FINISHED", "REASONING_START", "REASONING_END", "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_END", "REASONING_ENCRYPTED_VALUE", "THINKING_START", "THINKING_END",
        "THINKING_TEXT_MESSAGE_START", "THINKING_TEXT_MESSAGE_END",
    )
)  # fmt: skip
"""They hold nothing of how a run goes, or repeat what was told."""
Handler = Callable[[Fields, datetime], Iterator[Event]]
COUNTS = {
    "inputTokens": "input_tokens",
    "outputTokens": "output_tokens",
    "reasoningTokens": "reasoning_tokens",
    "cachedInputTokens": "cache_read_tokens",
    "cacheWriteInputTokens": "cache_write_tokens",
}
"""All but the two totals are parts of them, as in our own usage."""


class AgUi:
    """Translates one connection's events. Sans-I/O."""

    def __init__(self, connection: str) -> None:
        """Begin; ``connection`` names what belongs to no run."""
        self._connection = connection
        self._runs = 0
        self._run: Turn | None = None
        self._producer = ""
        self._sub_agents: dict[str, Turn] = {}
        self._users: set[str] = set()
        """Messages that no agent wrote."""
        self._message: str | None = None
        self._tool: str | None = None
        self._arguments: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._handlers: Mapping[str, Handler] = {
            "RUN_STARTED": self._run_started,
            "RUN_FINISHED": self._run_finished,
            "RUN_ERROR": self._run_error,
            "TEXT_MESSAGE_START": self._message_started,
            "TEXT_MESSAGE_CONTENT": self._text,
            "TEXT_MESSAGE_CHUNK": self._text,
            "REASONING_MESSAGE_CONTENT": self._reasoning,
            "REASONING_MESSAGE_CHUNK": self._reasoning,
            "THINKING_TEXT_MESSAGE_CONTENT": self._reasoning,
            "TOOL_CALL_START": self._tool_started,
            "TOOL_CALL_ARGS": self._tool_arguments,
            "TOOL_CALL_CHUNK": self._tool_arguments,
            "TOOL_CALL_END": self._tool_ended,
            "TOOL_CALL_RESULT": self._tool_result,
            "CUSTOM": self._custom,
            "SUBAGENT_STARTED": self._sub_agent_started,
            "SUBAGENT_FINISHED": self._sub_agent_finished,
            "SUBAGENT_ERROR": self._sub_agent_error,
        }

    def feed(self, frame: str, at: datetime) -> list[Heard]:
        """Return what a frame of one event, or of an array of them, tells.

        Raises:
            UnreadableFrame: it is none.
        """
        heard: list[Heard] = []
        unknown = 0
        for fields in objects_of(frame):
            kind = fields.get("type")
            if isinstance(kind, str) and kind in self._handlers:
                heard += self._heard(kind, fields, moment_ms(fields.get("timestamp")) or at)
            elif not (isinstance(kind, str) and kind in IGNORED):
                unknown += 1
        if unknown and not heard:
            raise UnreadableFrame("no event of AG-UI: its type is missing or unknown")
        return heard

    def close(self, at: datetime) -> list[Heard]:
        """Return nothing: that a connection is gone does not say that a run is."""
        return []

    def _heard(self, kind: str, fields: Fields, at: datetime) -> list[Heard]:
        before = self._producer
        events = list(self._handlers[kind](fields, at))
        begins = kind == "RUN_STARTED" or self._producer != before
        return [Heard(self._producer, event, begins and index == 0) for index, event in enumerate(events)]

    # what the handlers share

    def _turn(self, fields: Fields, at: datetime) -> tuple[Turn, list[Event]]:
        """Return whose event it is, and what has to be told first where nobody told of a run."""
        sub_agent = self._sub_agents.get(name_of(fields, "subagentRunId") or "")
        if sub_agent is not None:
            return sub_agent, []
        if self._run is not None:
            return self._run, []
        self._runs += 1
        self._producer = f"{SUBPROTOCOL}.{self._connection}.{self._runs}"
        self._run = Turn(self._producer)
        return self._run, self._run.begin(at, source=SUBPROTOCOL, silent=SILENT)

    def _run_started(self, fields: Fields, at: datetime) -> Iterator[Event]:
        thread, run, parent = (name_of(fields, key) for key in ("threadId", "runId", "parentRunId"))
        if run is None:
            self._runs += 1
            run = f"{self._connection}.{self._runs}"
        prefix = f"{thread}." if thread else ""
        self._run = Turn(prefix + run)
        self._producer = f"{SUBPROTOCOL}.{self._run.round}"
        for kept in (self._sub_agents, self._arguments, self._names, self._users):
            kept.clear()
        above = Parent(round=prefix + parent) if parent is not None and parent != run else None
        yield from self._run.begin(at, source=SUBPROTOCOL, silent=SILENT, thread=thread, parent=above)

    def _run_finished(self, fields: Fields, at: datetime) -> Iterator[Event]:
        turn, first = self._turn(fields, at)
        yield from first
        yield from self._arguments_left(turn, at)
        usage = _usage(fields)
        outcome = object_in(fields, "outcome")
        pending = outcome.get("pendingToolCallIds")
        match outcome.get("type"):
            case "interrupt":
                yield from turn.suspend(at, _why(outcome), usage)
            case "cancelled":
                yield from turn.finish(at, outcome=CallOutcome.CANCELLED, usage=usage)
            case "success" if isinstance(pending, list) and pending:
                yield from turn.suspend(at, "pendingToolCallIds", usage)
            case _:  # success, absent or unknown: over, and nothing more is known
                yield from turn.finish(at, usage=usage)

    def _run_error(self, fields: Fields, at: datetime) -> Iterator[Event]:
        turn, first = self._turn(fields, at)
        yield from first
        yield from turn.finish(
            at,
            outcome=CallOutcome.FAILED,
            error=_error(fields),
            usage=_usage(fields),
            stopped=StoppedWhy.EXCEPTION,
        )

    def _message_started(self, fields: Fields, at: datetime) -> Iterator[Event]:
        self._message = name_of(fields, "messageId")
        if fields.get("role", "assistant") != "assistant" and self._message and len(self._users) < MOST_RUNS:
            self._users.add(self._message)
        yield from ()

    def _text(self, fields: Fields, at: datetime) -> Iterator[Event]:
        if fields.get("type") == "TEXT_MESSAGE_CHUNK" and name_of(fields, "messageId") is not None:
            yield from self._message_started(fields, at)
        if (name_of(fields, "messageId") or self._message) not in self._users:
            turn, first = self._turn(fields, at)
            yield from first
            yield from turn.say(said_in(fields, "delta"), at)

    def _reasoning(self, fields: Fields, at: datetime) -> Iterator[Event]:
        turn, first = self._turn(fields, at)
        yield from first
        yield from turn.say(said_in(fields, "delta"), at, is_reasoning=True)

    def _tool_started(self, fields: Fields, at: datetime) -> Iterator[Event]:
        tool = name_of(fields, "toolCallId")
        if tool is None or tool in self._names or len(self._names) >= MOST_RUNS:
            return
        turn, first = self._turn(fields, at)
        yield from first
        self._tool = tool
        self._names[tool] = said_in(fields, "toolCallName") or "?"
        yield turn.ask(tool, self._names[tool], at)

    def _tool_arguments(self, fields: Fields, at: datetime) -> Iterator[Event]:
        if fields.get("type") == "TOOL_CALL_CHUNK":
            yield from self._tool_started(fields, at)
        tool = name_of(fields, "toolCallId") or self._tool
        piece = fields.get("delta")
        if tool in self._names and isinstance(piece, str):
            held = self._arguments.get(tool, "")
            self._arguments[tool] = held + piece[: ARGUMENT_CHARS + 1 - len(held)]

    def _tool_ended(self, fields: Fields, at: datetime) -> Iterator[Event]:
        tool = name_of(fields, "toolCallId")
        turn, first = self._turn(fields, at)
        yield from first
        if tool is not None and tool in self._names:
            arguments = self._arguments.pop(tool, "")
            whole = as_json(arguments) if len(arguments) <= ARGUMENT_CHARS else None
            yield turn.ask(tool, self._names[tool], at, arguments=whole, complete=whole is not None)

    def _arguments_left(self, turn: Turn, at: datetime) -> Iterator[Event]:
        """Arguments that came in chunks have no end of their own."""
        for tool, arguments in self._arguments.items():
            if tool in turn.tools and arguments and len(arguments) <= ARGUMENT_CHARS:
                yield turn.ask(tool, self._names[tool], at, arguments=as_json(arguments))
        self._arguments.clear()

    def _tool_result(self, fields: Fields, at: datetime) -> Iterator[Event]:
        tool = name_of(fields, "toolCallId")
        if tool is None:
            return
        turn, first = self._turn(fields, at)
        yield from first
        if tool in self._arguments:
            yield from self._tool_ended(fields, at)
        yield turn.answer(tool, at, ok=True, text=as_json(fields.get("content")))

    def _custom(self, fields: Fields, at: datetime) -> Iterator[Event]:
        value = object_in(fields, "value")
        tool = name_of(value, "toolCallId") or name_of(value, "tool_call")
        if fields.get("name") != "tool.refused" or tool is None:
            return
        turn, first = self._turn(fields, at)
        yield from first
        why = value.get("why")
        known = RefusedWhy(why) if isinstance(why, str) and why in set(RefusedWhy) else RefusedWhy.PERMISSION
        yield turn.refuse(tool, at, why=known, message=said_in(value, "message") or "tool.refused")

    def _sub_agent_started(self, fields: Fields, at: datetime) -> Iterator[Event]:
        own = name_of(fields, "subagentRunId")
        turn, first = self._turn({"subagentRunId": fields.get("parentSubagentRunId")}, at)
        yield from first
        if own is None or own in self._sub_agents or len(self._sub_agents) >= MOST_RUNS or self._run is None:
            return
        child = self._sub_agents[own] = Turn(f"{self._run.round}.{own}")
        yield from child.begin(
            at,
            source=SUBPROTOCOL,
            silent=SILENT,
            agent=said_in(fields, "name"),
            title=(said_in(fields, "description") or "")[:120] or None,
            parent=Parent(round=turn.round, tool_call=name_of(fields, "parentToolCallId")),
        )

    def _sub_agent_finished(self, fields: Fields, at: datetime) -> Iterator[Event]:
        child = self._sub_agents.get(name_of(fields, "subagentRunId") or "")
        if child is None or child.is_over:
            return
        if object_in(fields, "outcome").get("type") == "suspended":
            yield from child.suspend(at, None)
        else:
            yield from child.finish(at)

    def _sub_agent_error(self, fields: Fields, at: datetime) -> Iterator[Event]:
        child = self._sub_agents.get(name_of(fields, "subagentRunId") or "")
        if child is not None and not child.is_over:
            error = _error(fields)
            yield from child.finish(at, outcome=CallOutcome.FAILED, error=error, stopped=StoppedWhy.EXCEPTION)


def _usage(fields: Fields) -> Usage | None:
    """Return the sum over models; a count that one of them leaves out is not known of the run."""
    entries = list_in(fields, "usage")
    if not entries:
        return None
    sums: dict[str, int | None] = {}
    for theirs, ours in COUNTS.items():
        counts = [entry.get(theirs) for entry in entries]
        known = [count for count in counts if isinstance(count, int) and not isinstance(count, bool) and count >= 0]
        sums[ours] = sum(known) if len(known) == len(counts) else None
    return None if all(count is None for count in sums.values()) else Usage(**sums)


def _error(fields: Fields) -> CallError:
    message = said_in(fields, "message")
    return CallError(kind="run_error", code=name_of(fields, "code"), message=message[:2000] if message else None)


def _why(outcome: Fields) -> str | None:
    said = [said_in(each, "message") or said_in(each, "reason") for each in list_in(outcome, "interrupts")]
    return "; ".join(text for text in said if text) or None
