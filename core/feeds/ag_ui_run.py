"""One run of AG-UI: its turn, its sub-agents, its tools, and what of its messages was told already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..rounds import CallError, CallOutcome, Event, Parent, RefusedWhy, Silence, StoppedWhy
from ..rounds.events import RoundFinished
from .ag_ui_fields import text_of, title_of
from .foreign_frames import Fields, as_json, list_in, name_of, object_in, said_in
from .turn import Turn

ARGUMENT_CHARS = 64_000
MOST = 1000
"""Sub-agents, tools and messages of one run that are kept in mind."""


@dataclass(slots=True)
class Run:
    """What is known of it on this connection."""

    turn: Turn
    producer: str
    is_named: bool = True
    """Somebody told of its beginning or its end."""
    is_told: bool = False
    """Its first event was handed on."""
    has_spoken: bool = False
    """Something of its own came."""
    has_text: bool = False
    is_history: bool = False
    """The snapshot came before anything else, so it may hold what earlier runs said."""
    sub_agents: dict[str, Turn] = field(default_factory=dict[str, Turn])
    users: set[str] = field(default_factory=set[str])
    """Messages that no agent wrote."""
    messages: set[str | None] = field(default_factory=set[str | None])
    """Messages of agents that were told."""
    history: set[str | None] = field(default_factory=set[str | None])
    """Messages that were there before it began."""
    message: str | None = None
    """The one that chunks without a name go on with."""
    tool: str | None = None
    """Likewise."""
    names: dict[str, str] = field(default_factory=dict[str, str])
    arguments: dict[str, str] = field(default_factory=dict[str, str])
    interrupts: dict[str, str] = field(default_factory=dict[str, str])
    """Tools that it waits to be allowed, by the interrupt's id."""
    snapshot: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Messages of the last one, from the last one of a user on."""

    def whose(self, fields: Fields) -> Turn:
        """Return whose event it is: a sub-agent's where it says so."""
        return self.sub_agents.get(name_of(fields, "subagentRunId") or "") or self.turn

    # tools

    def ask(self, turn: Turn, fields: Fields, at: datetime) -> Iterator[Event]:
        """Yield that a tool is asked for, once."""
        tool = name_of(fields, "toolCallId")
        if tool is None:
            return
        self.tool = tool
        if tool not in self.names and len(self.names) < MOST:
            self.names[tool] = said_in(fields, "toolCallName") or "?"
            yield turn.ask(tool, self.names[tool], at)

    def add_arguments(self, tool: str | None, piece: Any) -> None:
        """Keep a piece of a tool's arguments until they are whole."""
        if tool is not None and tool in self.names and isinstance(piece, str):
            held = self.arguments.get(tool, "")
            self.arguments[tool] = held + piece[: max(0, ARGUMENT_CHARS + 1 - len(held))]

    def end_arguments(self, turn: Turn, tool: str | None, at: datetime) -> Iterator[Event]:
        """Yield a tool's arguments; how much of them was too long to keep is not guessed."""
        if tool is None or tool not in self.names:
            return
        arguments = self.arguments.pop(tool, "")
        whole = as_json(arguments) if len(arguments) <= ARGUMENT_CHARS else None
        yield turn.ask(tool, self.names[tool], at, arguments=whole, complete=whole is not None)

    def answer(self, turn: Turn, fields: Fields, at: datetime) -> Iterator[Event]:
        """Yield a tool's result; the protocol has no status, but a message of a tool may hold an error."""
        tool = name_of(fields, "toolCallId")
        if tool is None:
            return
        if tool in self.arguments:
            yield from self.end_arguments(turn, tool, at)
        error = said_in(fields, "error")
        text = error or text_of(fields) or as_json(fields.get("content"))
        yield turn.answer(tool, at, ok=error is None, text=text)

    def keep_interrupts(self, outcome: Fields) -> None:
        """Keep in mind which tools a person was asked about."""
        for each in list_in(outcome, "interrupts")[:MOST]:
            interrupt, tool = name_of(each, "id"), name_of(each, "toolCallId")
            if interrupt is not None and tool is not None:
                self.interrupts[interrupt] = tool

    # sub-agents

    def begin_sub_agent(
        self, fields: Fields, at: datetime, *, source: str, silent: tuple[Silence, ...]
    ) -> Iterator[Event]:
        """Yield the beginning of a sub-agent, once."""
        own = name_of(fields, "subagentRunId")
        if own is None or own in self.sub_agents or len(self.sub_agents) >= MOST:
            return
        above = self.whose({"subagentRunId": fields.get("parentSubagentRunId")})
        child = self.sub_agents[own] = Turn(f"{self.turn.round}.{own}")
        yield from child.begin(
            at,
            source=source,
            silent=silent,
            agent=said_in(fields, "name"),
            title=title_of(said_in(fields, "description")),
            parent=Parent(round=above.round, tool_call=name_of(fields, "parentToolCallId")),
        )

    def finish_sub_agent(self, fields: Fields, at: datetime, *, error: CallError | None = None) -> Iterator[Event]:
        """Yield its end, once; nothing of one that nobody knows."""
        child = self.sub_agents.get(name_of(fields, "subagentRunId") or "")
        if child is None or child.is_over:
            return
        if error is not None:
            yield from child.finish(at, outcome=CallOutcome.FAILED, error=error, stopped=StoppedWhy.EXCEPTION)
        elif object_in(fields, "outcome").get("type") == "suspended":
            yield from child.suspend(at, None)
        else:
            yield from child.finish(at)

    # its end

    def rest(self, at: datetime) -> Iterator[Event]:
        """Yield what only its end makes sure of: arguments that came in chunks, and what a snapshot alone told."""
        for tool, arguments in self.arguments.items():
            owner = next((child for child in self.sub_agents.values() if tool in child.tools), self.turn)
            if arguments and len(arguments) <= ARGUMENT_CHARS:
                yield owner.ask(tool, self.names[tool], at, arguments=as_json(arguments))
        self.arguments.clear()
        yield from self.from_snapshot(at)

    def end_sub_agents(self, at: datetime, outcome: str) -> Iterator[Event]:
        """Yield what becomes of sub-agents whose end nobody told: they can do nothing once their run is over."""
        for child in self.sub_agents.values():
            if child.is_over:
                continue
            if outcome == "interrupt":
                yield from child.suspend(at, None)
            elif outcome == "cancelled":
                yield from child.finish(at, outcome=CallOutcome.CANCELLED)
            else:
                child.is_over = True
                yield RoundFinished(round=child.round, at=at)  # its call stays without an end

    # snapshots

    def keep_snapshot(self, fields: Fields) -> None:
        """Keep what a snapshot holds since the last message of a user; it may stand alone."""
        messages = list_in(fields, "messages")
        since = max((at for at, each in enumerate(messages) if each.get("role") == "user"), default=-1)
        self.snapshot = messages[since + 1 :][-MOST:]
        self.is_history = not self.has_spoken

    def speak(self, at: datetime) -> Iterator[Event]:
        """Yield what a snapshot told before the run goes on; one that came before anything else was history."""
        if self.is_history:
            self.history.update(name for each in self.snapshot if (name := name_of(each, "id")) is not None)
            self.snapshot = []
        self.is_history, self.has_spoken = False, True
        yield from self.from_snapshot(at)

    def from_snapshot(self, at: datetime) -> Iterator[Event]:
        """Yield what the messages of a snapshot say that was not streamed."""
        messages, self.snapshot = self.snapshot, []
        are_named_alike = not self.has_text or any(name_of(each, "id") in self.messages for each in messages)
        for message in messages:
            turn = self.whose(message)
            match message.get("role"):
                case "assistant":
                    yield from self._assistant(turn, message, at, are_named_alike)
                case "tool" if (name_of(message, "toolCallId") or "") in self.names.keys() - turn.answered:
                    yield from self.answer(turn, message, at)
                case _:
                    pass

    def say(self, turn: Turn, message: str | None, text: str | None, at: datetime) -> Iterator[Event]:
        """Yield a piece of a message."""
        if message is not None and len(self.messages) < MOST:
            self.messages.add(message)
        self.has_text = self.has_text or bool(text)
        yield from turn.say(text, at)

    def _assistant(self, turn: Turn, message: Fields, at: datetime, are_named_alike: bool) -> Iterator[Event]:
        name = name_of(message, "id")
        if (
            are_named_alike and name not in self.messages and name not in self.history
        ):  # else the same may stand under two names
            yield from self.say(turn, name, text_of(message), at)
        for each in list_in(message, "toolCalls"):
            tool, function = name_of(each, "id"), object_in(each, "function")
            if tool is None or tool in self.names or len(self.names) >= MOST:
                continue
            self.names[tool] = said_in(function, "name") or "?"
            arguments = as_json(function.get("arguments"))
            yield turn.ask(tool, self.names[tool], at, arguments=arguments, complete=arguments is not None)

    def refuse(self, value: Fields, at: datetime, why: RefusedWhy) -> Iterator[Event]:
        """Yield that a tool was not allowed."""
        tool = name_of(value, "toolCallId") or name_of(value, "tool_call")
        if tool is not None:
            owner = next((child for child in self.sub_agents.values() if tool in child.tools), self.turn)
            yield owner.refuse(tool, at, why=why, message=said_in(value, "message") or "tool.refused")
