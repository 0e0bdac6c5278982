"""AG-UI: a run is a round. The protocol has no finish reason, so a run that "succeeded" is never called an answer.

An outcome that is absent or unknown means success to the protocol's own libraries; here it means that the end was not
reported in more detail than that the run is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from ..hub.foreign import Heard, UnreadableFrame
from ..rounds import CallOutcome, Event, Parent, RefusedWhy, Silence, StoppedWhy
from ..rounds.events import RoundStarted, RoundStopped
from .ag_ui_fields import asked, error_of, named, round_of, said_no, usage_of, why_of
from .ag_ui_run import MOST, Run
from .foreign_frames import Fields, moment_ms, name_of, object_in, objects_of, said_in
from .turn import Turn

SUBPROTOCOL = "ag-ui"
SILENT = (Silence.CALLS, Silence.FINISH_REASON, Silence.REFUSALS)
MOST_RUNS = 100
"""Of one connection, kept in mind."""
IGNORED = frozenset(
    (
        "TEXT_MESSAGE_END", "STATE_SNAPSHOT", "STATE_DELTA", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA",
        "RAW", "STEP_STARTED", "STEP_FINISHED", "REASONING_START", "REASONING_END", "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_END", "REASONING_ENCRYPTED_VALUE", "THINKING_START", "THINKING_END",
        "THINKING_TEXT_MESSAGE_START", "THINKING_TEXT_MESSAGE_END",
    )
)  # fmt: skip
"""They hold nothing of how a run goes, or repeat what was told."""
Handler = Callable[[Fields, datetime], Iterator[Event]]


class AgUi:
    """Translates one connection's events. Sans-I/O."""

    def __init__(self, connection: str) -> None:
        """Begin; ``connection`` names what belongs to no run."""
        self._connection = connection
        self._unnamed = 0
        self._runs: dict[str, Run] = {}
        """By their round; those that began last stand last."""
        self._run: Run | None = None
        """The one that what names none belongs to."""
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
            "MESSAGES_SNAPSHOT": self._snapshot,
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
        events = list(self._handlers[kind](fields, at))
        run = self._run
        if run is None or not events:
            return []
        begins, run.is_told = not run.is_told, True
        self._run = self._open_run()
        others = {name: other.producer for name, other in self._runs.items()} if kind == "RUN_STARTED" else {}
        return [
            Heard(others.get(getattr(event, "round", ""), run.producer), event, begins and index == 0)
            for index, event in enumerate(events)
        ]

    # what the handlers share

    def _turn(self, at: datetime) -> tuple[Run, list[Event]]:
        """Return whose event it is, and what has to be told first where nobody told of a run."""
        if self._run is not None:
            return self._run, []
        self._unnamed += 1
        run = self._begin(f"{SUBPROTOCOL}.{self._connection}.{self._unnamed}", is_named=False)
        return run, run.turn.begin(at, source=SUBPROTOCOL, silent=SILENT)

    def _begin(self, round_: str, *, is_named: bool = True) -> Run:
        self._runs.pop(round_, None)
        producer = f"{SUBPROTOCOL}.{round_}" if is_named else round_
        self._run = self._runs[round_] = Run(Turn(round_), producer, is_named)
        if len(self._runs) > MOST_RUNS:
            over = (name for name, run in self._runs.items() if run.turn.is_over)
            del self._runs[next(over, next(iter(self._runs)))]
        return self._run

    def _open_run(self) -> Run | None:
        """Return the run that began last of those that are not over; else the one at hand, for what comes late."""
        return next((run for run in reversed(self._runs.values()) if not run.turn.is_over), self._run)

    # runs

    def _run_started(self, fields: Fields, at: datetime) -> Iterator[Event]:
        thread, parent = name_of(fields, "threadId"), name_of(fields, "parentRunId")
        round_ = round_of(fields)
        if round_ is None:
            self._unnamed += 1
            round_ = named(thread, f"{self._connection}.{self._unnamed}")
        run = self._begin(round_)
        above = Parent(round=named(thread, parent)) if parent is not None and named(thread, parent) != round_ else None
        yield from run.turn.begin(
            at, source=SUBPROTOCOL, silent=SILENT, thread=thread, parent=above, title=asked(object_in(fields, "input"))
        )
        for answered in said_no(object_in(fields, "input")):
            for other in self._runs.values():
                if (tool := other.interrupts.pop(answered, None)) is not None:
                    yield other.turn.refuse(tool, at, why=RefusedWhy.PERMISSION, message=answered)

    def _run_finished(self, fields: Fields, at: datetime) -> Iterator[Event]:
        run, first = self._ending(fields, at)
        yield from first
        turn = run.turn
        if turn.is_over:
            return  # said twice, or after an error
        yield from run.rest(at)
        usage = usage_of(fields)
        outcome = object_in(fields, "outcome")
        pending = outcome.get("pendingToolCallIds")
        kind = outcome.get("type")
        match kind:
            case "interrupt":
                run.keep_interrupts(outcome)
                yield from turn.suspend(at, why_of(outcome), usage)
            case "cancelled":
                yield from turn.finish(at, outcome=CallOutcome.CANCELLED, usage=usage)
            case "success" if isinstance(pending, list) and pending:
                yield from turn.suspend(at, "pendingToolCallIds", usage)
            case _:  # success, absent or unknown: over, and nothing more is known
                yield from turn.finish(at, usage=usage)
        yield from run.end_sub_agents(at, kind if isinstance(kind, str) else "")

    def _run_error(self, fields: Fields, at: datetime) -> Iterator[Event]:
        run, first = self._ending(fields, at)
        yield from first
        error = error_of(fields)
        if run.turn.is_over:  # the error came behind the end
            yield RoundStopped(round=run.turn.round, why=StoppedWhy.EXCEPTION, error=error.message, at=at)
            return
        yield from run.rest(at)
        usage = usage_of(fields)
        yield from run.turn.finish(
            at, outcome=CallOutcome.FAILED, error=error, usage=usage, stopped=StoppedWhy.EXCEPTION
        )
        yield from run.end_sub_agents(at, "")

    def _ending(self, fields: Fields, at: datetime) -> tuple[Run, list[Event]]:
        """Return the run that ends: the one that is named, though another one began meanwhile, here or elsewhere."""
        round_ = round_of(fields)
        known = self._runs.get(round_ or "")
        if known is not None:
            self._run = known
            return known, []
        thread = name_of(fields, "threadId")
        is_another = self._run is None or self._run.turn.is_over or self._run.is_named
        if round_ is not None and thread is not None and is_another:
            run = self._begin(round_)
            run.is_told = True  # numbered after what another connection told
            silent = tuple(str(each) for each in SILENT)
            return run, [RoundStarted(round=round_, thread=thread, source=SUBPROTOCOL, silent=silent)]
        return self._turn(at)

    # texts

    def _message_started(self, fields: Fields, at: datetime) -> Iterator[Event]:
        run, first = self._turn(at)
        yield from first
        run.message = name_of(fields, "messageId")
        if fields.get("role", "assistant") != "assistant" and run.message and len(run.users) < MOST:
            run.users.add(run.message)

    def _text(self, fields: Fields, at: datetime) -> Iterator[Event]:
        if fields.get("type") == "TEXT_MESSAGE_CHUNK" and name_of(fields, "messageId") is not None:
            yield from self._message_started(fields, at)
        run, first = self._turn(at)
        yield from first
        message = name_of(fields, "messageId") or run.message
        if message not in run.users:
            yield from run.speak(at)
            yield from run.say(run.whose(fields), message, said_in(fields, "delta"), at)

    def _reasoning(self, fields: Fields, at: datetime) -> Iterator[Event]:
        run, first = self._turn(at)
        yield from [*first, *run.speak(at)]
        yield from run.whose(fields).say(said_in(fields, "delta"), at, is_reasoning=True)

    def _snapshot(self, fields: Fields, at: datetime) -> Iterator[Event]:
        if self._run is not None:
            self._run.keep_snapshot(fields)
        yield from ()

    # tools

    def _tool_started(self, fields: Fields, at: datetime) -> Iterator[Event]:
        run, first = self._turn(at)
        yield from [*first, *run.speak(at)]
        yield from run.ask(run.whose(fields), fields, at)

    def _tool_arguments(self, fields: Fields, at: datetime) -> Iterator[Event]:
        if fields.get("type") == "TOOL_CALL_CHUNK":
            yield from self._tool_started(fields, at)
        if self._run is not None:
            self._run.add_arguments(name_of(fields, "toolCallId") or self._run.tool, fields.get("delta"))

    def _tool_ended(self, fields: Fields, at: datetime) -> Iterator[Event]:
        run, first = self._turn(at)
        yield from [*first, *run.speak(at)]
        yield from run.end_arguments(run.whose(fields), name_of(fields, "toolCallId"), at)

    def _tool_result(self, fields: Fields, at: datetime) -> Iterator[Event]:
        run, first = self._turn(at)
        yield from [*first, *run.speak(at)]
        yield from run.answer(run.whose(fields), fields, at)

    def _custom(self, fields: Fields, at: datetime) -> Iterator[Event]:
        value = object_in(fields, "value")
        if fields.get("name") != "tool.refused" or name_of(value, "toolCallId") is name_of(value, "tool_call") is None:
            return
        run, first = self._turn(at)
        yield from [*first, *run.speak(at)]
        why = value.get("why")
        known = RefusedWhy(why) if isinstance(why, str) and why in set(RefusedWhy) else RefusedWhy.PERMISSION
        yield from run.refuse(value, at, known)

    # sub-agents

    def _sub_agent_started(self, fields: Fields, at: datetime) -> Iterator[Event]:
        run, first = self._turn(at)
        yield from [*first, *run.speak(at)]
        yield from run.begin_sub_agent(fields, at, source=SUBPROTOCOL, silent=SILENT)

    def _sub_agent_finished(self, fields: Fields, at: datetime) -> Iterator[Event]:
        if self._run is not None:
            yield from self._run.finish_sub_agent(fields, at)

    def _sub_agent_error(self, fields: Fields, at: datetime) -> Iterator[Event]:
        if self._run is not None:
            yield from self._run.finish_sub_agent(fields, at, error=error_of(fields))
