"""Tool calls of Chat Completions: whose piece is this, when nobody agrees on index, id and name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .answer import Answer
from .json_text import compact, well_formed
from .shapes import is_list, is_object, text_of
from .tools import Tool


class ChatTools:
    """Reads the tool calls of deltas and messages into an answer."""

    def __init__(self, answer: Answer, fault: Callable[[int, str], None]) -> None:
        """Report what cannot be read, with its byte offset, to ``fault``."""
        self._answer = answer
        self._fault = fault

    def read(self, choice: int, delta: dict[str, Any], offset: int) -> None:
        """Take in the tool calls, or pieces of them, of one delta."""
        for entry in self._entries(delta, offset):
            self._piece(choice, entry.get("index"), entry, offset)
        function = delta.get("function_call")
        if is_object(function) and (function.get("name") or function.get("arguments")):
            self._piece(choice, "function_call", {"function": function}, offset)

    def read_whole(self, choice: int, message: dict[str, Any], offset: int) -> None:
        """Take in the tool calls of a whole message: every entry is a call of its own, a nameless one too."""
        for position, entry in enumerate(self._entries(message, offset)):
            self._piece(choice, position, entry, offset)
        function = message.get("function_call")
        if is_object(function):
            self._piece(choice, "function_call", {"function": function}, offset)

    def _entries(self, fields: dict[str, Any], offset: int) -> list[dict[str, Any]]:
        calls = fields.get("tool_calls")
        entries = calls if is_list(calls) else []
        found = [entry for entry in entries if is_object(entry)]
        for _ in range(len(entries) - len(found)):
            self._fault(offset, "a tool call that is no object")
        return found

    def _piece(self, choice: int, index: Any, entry: dict[str, Any], offset: int) -> None:
        fields, free_text = _called(entry)
        name = text_of(fields.get("name"))
        tool = self._tool(choice, index, text_of(entry.get("id")) or None, name)
        if tool is None:
            self._fault(offset, "more tool calls than are followed")
            return
        tool.free_text = tool.free_text or free_text
        if name:
            self._answer.begin()
        piece = fields.get("input" if free_text else "arguments")
        text = piece if isinstance(piece, str) else "" if piece is None else compact(piece)
        if not self._answer.arguments(tool, text):
            self._fault(offset, "tool arguments longer than are kept")

    def _tool(self, choice: int, index: Any, id_: str | None, name: str) -> Tool | None:
        """Return the call that a piece belongs to, a new one where it begins one.

        The index decides. Without one: a known id, else an id or a name begins a call, else the newest goes on.
        """
        tools = self._answer.tools
        if isinstance(index, int | str):
            key: tuple[int, Any, str | None] = (choice, index, None)
            known = tools.get(key)
            if known is not None and _begins_another(known, id_, name):
                known = None
        else:
            key = (choice, None, id_)
            known = tools.get(key) if id_ else None if name else tools.last(choice)
        if known is None:
            if choice == 0:
                tools.tell_whole(choice)
            return tools.open(key, id_=id_, name=name, choice=choice)
        if id_:
            tools.identify(known, id_)
        if name and name != known.name:
            known.name += well_formed(name)
        return known


def _begins_another(known: Tool, id_: str | None, name: str) -> bool:
    """Say whether a piece under a known index begins a new call: some dialects give every call the index 0.

    Others repeat the name, or make up another id, on every piece of one call.
    """
    if not name or (id_ and id_ == known.wire_id):
        return False
    other_id = bool(id_ and known.wire_id)
    if name == known.name:
        return other_id and (not known.size or known.is_complete(cut=True))
    return other_id or known.size > 0


def _called(entry: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the name and arguments of a tool call entry, and whether its input is free text."""
    function, custom = entry.get("function"), entry.get("custom")
    if is_object(custom) and (custom.get("name") or not is_object(function)):
        return custom, True
    return function if is_object(function) else {}, False
