"""The output items of a response: messages, reasoning and tool calls, each said in pieces, then whole, then again."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from ..rounds.base import OutputKind
from .json_text import well_formed
from .shapes import at_path, is_list, is_object, text_of
from .tool_reader import ToolReader
from .tools import Tool

MAX_PARTS = 10_000
"""Text parts of one response that are told apart."""

_CLIENT: Mapping[str, str] = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "computer_call": "action",
    "apply_patch_call": "operation",
}
"""Calls that the caller has to answer, with the field that holds their input."""
_SERVER: Mapping[str, str] = {
    "mcp_call": "arguments",
    "mcp_approval_request": "arguments",
    "code_interpreter_call": "code",
    "tool_search_call": "arguments",
    "file_search_call": "queries",
}
"""The same for what the provider does itself; other items of a ``…_call`` type have an ``action``."""
_FREE_TEXT = frozenset(("custom_tool_call", "code_interpreter_call"))
_PARTS: Mapping[str, tuple[OutputKind, str, str]] = {
    "output_text": (OutputKind.TEXT, "output_text", "text"),
    "text": (OutputKind.TEXT, "output_text", "text"),
    "refusal": (OutputKind.REFUSAL, "refusal", "refusal"),
    "reasoning_text": (OutputKind.REASONING, "reasoning_text", "text"),
    "summary_text": (OutputKind.REASONING, "reasoning_summary_text", "text"),
}
"""Parts of whole items by type: what they are, the name they stream under, the field with the text."""
_OPEN = frozenset(("incomplete", "in_progress"))
"""The status of an item that something is missing of."""

Place = tuple[str, Hashable, int]
"""A text part: the name it streams under, its item, its number in the item."""


def item_key(value: Mapping[str, Any]) -> Hashable:
    """Return which item an event speaks of; some dialects make up another ``item_id`` for every event."""
    index = value.get("output_index")
    return index if isinstance(index, int) else text_of(value.get("item_id"))


class ResponsesItems:
    """Takes in every part of every item once, however often it is said."""

    def __init__(self, asked: ToolReader) -> None:
        """Take tool calls in through ``asked``, text through its answer."""
        self._asked = asked
        self._heard: set[Place] = set()
        self._kinds: set[OutputKind] = set()
        """What has been said so far."""

    def say(self, kind: OutputKind, place: Place, text: str, offset: int) -> None:
        """Take in a piece of a text part."""
        if text and self._hears(kind, place, offset):
            self._asked.answer.output(kind, text)

    def say_whole(self, kind: OutputKind, place: Place, text: str, offset: int) -> None:
        """Take in a whole text part, unless it came in pieces."""
        if text and place not in self._heard and self._hears(kind, place, offset):
            self._asked.answer.output(kind, text)

    def arguments(self, event: Mapping[str, Any], piece: str, offset: int) -> None:
        """Take in a piece of a tool call's arguments."""
        tool = self._tool(event, offset)
        if tool is not None:
            self._asked.arguments(tool, piece, offset)

    def whole_arguments(self, event: Mapping[str, Any], given: Any, offset: int) -> None:
        """Take in that a call's arguments are over, and all of them unless they came in pieces."""
        tool = self._tool(event, offset)
        if tool is not None:
            self._fill(tool, given, offset)
            tool.ended = None if tool.ended is False else tool.ended

    def read(self, event: Mapping[str, Any], item: Any, offset: int, *, done: bool) -> None:
        """Take in an item that begins or, ``done``, is over."""
        if not is_object(item):
            self._asked.fault(offset, "an output item that is no object")
            return
        key = item_key(event)
        if field := _input_field(text_of(item.get("type"))):
            self._call(self._asked.answer.tools.get(key), key, item, field, offset, done=done)
        elif done:
            self._say_item(key, item, offset)

    def read_all(self, output: list[Any], offset: int) -> None:
        """Take in the items of a whole response; after a stream only what was not said before.

        Their order need not be that of the stream, so text counts as said as soon as any of its kind was.
        """
        said = frozenset(self._kinds)
        for number, item in enumerate(output):
            if not is_object(item):
                self._asked.fault(offset, "an output item that is no object")
            elif field := _input_field(text_of(item.get("type"))):
                self._call(self._known(item), ("whole", number), item, field, offset, done=True)
            else:
                self._say_item(("whole", number), item, offset, but=said)

    def end(self, *, whole: bool) -> None:
        """Take in the end of the response: of a whole one no call is unfinished, marked or not."""
        for tool in self._asked.answer.tools.all:
            if whole and tool.ended is False:
                tool.ended = None

    def _hears(self, kind: OutputKind, place: Place, offset: int) -> bool:
        if place in self._heard:
            return True
        if len(self._heard) >= MAX_PARTS:
            self._asked.fault(offset, "more text parts than are told apart")
            return False
        self._heard.add(place)
        self._kinds.add(kind)
        return True

    def _say_item(
        self, key: Hashable, item: dict[str, Any], offset: int, *, but: frozenset[OutputKind] = frozenset()
    ) -> None:
        for number, part in _numbered_parts(item):
            found = _PARTS.get(text_of(part.get("type")))
            if found is not None and found[0] not in but:
                kind, name, field = found
                self.say_whole(kind, (name, key, number), text_of(part.get(field)), offset)

    def _tool(self, event: Mapping[str, Any], offset: int) -> Tool | None:
        """Return the call that an event speaks of; a new one where its beginning was left out."""
        key = item_key(event)
        known = self._asked.answer.tools.get(key)
        if known is not None:
            return known
        return self._asked.open(key, id_="", name=text_of(event.get("name")), offset=offset)

    def _known(self, item: Mapping[str, Any]) -> Tool | None:
        """Return the call that an item of a whole response tells again."""
        id_ = _call_id(item)
        return next((tool for tool in self._asked.answer.tools.all if id_ and tool.wire_id == id_), None)

    def _call(
        self, tool: Tool | None, key: Hashable, item: dict[str, Any], field: str, offset: int, *, done: bool
    ) -> None:
        """Take in a tool call item; ``tool`` is the call that it tells of again, else it begins one under ``key``."""
        type_, id_ = text_of(item.get("type")), _call_id(item)
        name = text_of(item.get("name")) or type_
        if tool is None:
            tool = self._asked.open(key, id_=id_, name=name, offset=offset, server=_is_server(item))
            if tool is None:
                return
        if tool.name in ("", type_):
            tool.name = well_formed(name)
        tool.free_text, tool.server = type_ in _FREE_TEXT, _is_server(item)
        if id_:
            self._asked.answer.tools.identify(tool, id_)
        given = item.get(field)
        if done or isinstance(given, str):
            self._fill(tool, given, offset)
        if done:
            self._over(tool, item.get("status"))

    def _over(self, tool: Tool, status: Any) -> None:
        """Take in the end of a call; of free text nothing but the status tells whether it is whole."""
        if isinstance(status, str) and status in _OPEN:
            tool.ended = False
        elif tool.free_text and status is None:
            tool.ended = None
        else:
            tool.whole = status == "completed"
            self._asked.end(tool)

    def _fill(self, tool: Tool, given: Any, offset: int) -> None:
        if not tool.size:
            self._asked.arguments(tool, given, offset)


def _input_field(type_: str) -> str | None:
    """Return where a tool call item holds its input; None for an item that is no tool call."""
    known = _CLIENT.get(type_) or _SERVER.get(type_)
    return known or ("action" if type_.endswith("_call") else None)


def _is_server(item: Mapping[str, Any]) -> bool:
    """Say whether the provider carries the call out: it runs a shell in its own containers only."""
    type_ = text_of(item.get("type"))
    if type_ == "shell_call":
        return text_of(at_path(item.get("environment"), ("type",))).startswith("container")
    return type_ not in _CLIENT


def _call_id(item: Mapping[str, Any]) -> str:
    return text_of(item.get("call_id")) or text_of(item.get("id"))


def _numbered_parts(item: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the parts of a message or of reasoning, numbered within their list."""
    for name in ("summary", "content"):
        parts = item.get(name)
        if isinstance(parts, str):
            parts = [{"type": "output_text" if name == "content" else "summary_text", "text": parts}]
        for number, part in enumerate(parts if is_list(parts) else ()):
            if is_object(part):
                yield number, part
