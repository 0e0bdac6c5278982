"""What one ``session/update`` of ACP tells of its turn."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ..rounds import Event, RefusedWhy
from .foreign_frames import Fields, as_json, list_in, name_of, object_in, said_in
from .turn import Turn

CHUNKS = {"agent_message_chunk": False, "agent_thought_chunk": True}
"""Pieces of what the agent says; whether they are its thoughts."""
WHOLE = {"agent_message": False, "agent_thought": True}
"""Version 2 may send a message as a whole, also after its pieces."""
TOOLS = frozenset(("tool_call", "tool_call_update"))


class AcpUpdates:
    """Translates the updates of one turn."""

    def __init__(self, turn: Turn) -> None:
        """Begin with the turn."""
        self._turn = turn
        self._in_pieces: set[str | None] = set()
        """Messages whose pieces were told."""
        self._running: set[str] = set()
        self._names: dict[str, str] = {}

    @staticmethod
    def tells(update: Fields) -> bool:
        """Return whether an update can only belong to a turn; plans, modes and commands need none."""
        return update.get("sessionUpdate") in CHUNKS.keys() | WHOLE.keys() | TOOLS

    def update(self, update: Fields, at: datetime) -> Iterator[Event]:
        """Yield what it tells; nothing for plans, modes, commands and whatever a later version adds."""
        kind = update.get("sessionUpdate")
        message = name_of(update, "messageId")
        if kind in CHUNKS:
            self._in_pieces.add(message)
            text = said_in(object_in(update, "content"), "text")
            yield from self._turn.say(text, at, is_reasoning=CHUNKS[kind])
        elif kind in WHOLE and message not in self._in_pieces:
            self._in_pieces.add(message)
            for part in list_in(update, "content") or [object_in(update, "content")]:
                yield from self._turn.say(said_in(part, "text"), at, is_reasoning=WHOLE[kind])
        elif kind in TOOLS:
            yield from self._tool(update, at)

    def _tool(self, update: Fields, at: datetime) -> Iterator[Event]:
        tool = name_of(update, "toolCallId")
        if tool is None:
            return
        name = said_in(update, "title") or said_in(update, "kind")
        arguments = as_json(update.get("rawInput"))
        if tool not in self._turn.tools or arguments is not None:
            self._names[tool] = (name or self._names.get(tool, "?"))[:200]
            yield self._turn.ask(tool, self._names[tool], at, arguments=arguments, complete=arguments is not None)
        yield from self._status(tool, update, at)

    def _status(self, tool: str, update: Fields, at: datetime) -> Iterator[Event]:
        status = update.get("status")
        if tool in self._turn.answered:
            return
        if status == "in_progress" and tool not in self._running:
            self._running.add(tool)
            yield self._turn.start_tool(tool, at)
        elif status in ("completed", "failed"):
            yield self._turn.answer(tool, at, ok=status == "completed", text=_result(update))
        elif status == "cancelled":
            yield self._turn.refuse(tool, at, why=RefusedWhy.INTERRUPTED, message="cancelled")


def _result(update: Fields) -> str | None:
    for part in list_in(update, "content"):
        text = said_in(object_in(part, "content"), "text")
        if text:
            return text
    return as_json(update.get("rawOutput"))
