"""Gemini's function calls: whole in one part, or with arguments that stream as paths and values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..rounds.base import OutputKind
from .json_text import compact, load, well_formed
from .shapes import is_list, is_object, text_of
from .tool_reader import ToolReader
from .tools import MAX_ARGUMENTS, Tool

MAX_DEPTH = 40
"""Steps of one path that are followed."""
MAX_LEAVES = 10_000
"""Values of one call's arguments that are followed."""

_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]]+)
    |\[(?P<index>\d{1,6})\]
    |\['(?P<single>(?:[^'\\]|\\.)*)'\]
    |\[(?P<double>"(?:[^"\\]|\\.)*")\]""",
    re.VERBOSE,
)
_VALUES = ("stringValue", "numberValue", "boolValue", "nullValue")

Steps = tuple[str | int, ...]


class _Text(list[str]):
    """A text value in the pieces it came in."""


class _Node(dict[str | int, Any]):
    """An object or array that paths lead through, as against a value that is one."""


@dataclass(slots=True)
class _Streaming:
    tool: Tool
    leaves: dict[Steps, Any] = field(default_factory=dict[Steps, Any])
    """The values by their path."""
    size: int = 0
    lossy: bool = False
    """A part of the arguments could not be read."""


class GeminiCalls:
    """Reads the function calls of parts into an answer."""

    def __init__(self, asked: ToolReader) -> None:
        """Take the calls in through ``asked``."""
        self._asked = asked
        self._streaming: dict[int, _Streaming] = {}
        """The call of each candidate whose arguments are still coming."""

    def read(self, choice: int, call: Mapping[str, Any], offset: int) -> None:
        """Take in the function call of one part, or a piece of one."""
        name, partial = text_of(call.get("name")), call.get("partialArgs")
        more = call.get("willContinue") is True
        if name:
            self.seal(choice, whole=True)
            if not more and not is_list(partial):
                id_ = text_of(call.get("id"))
                self._asked.whole(call.get("args"), id_=id_, name=name, offset=offset, choice=choice)
                return
            self._open(choice, call, name, offset)
        found = self._streaming.get(choice)
        if found is None:
            if call:
                self._asked.fault(offset, "a piece of a function call that never began")
            return
        for argument in partial if is_list(partial) else ():
            self._argument(found, argument, offset)
        if not more:
            self._end(choice, ended=True)

    def seal(self, choice: int, *, whole: bool) -> None:
        """End the call that still streams: some servers leave out its last, empty piece.

        Args:
            choice: the candidate.
            whole: what came after it shows that the arguments were over.
        """
        if choice in self._streaming:
            self._end(choice, ended=None if whole else False)

    def seal_all(self) -> None:
        """End what still streams at the end of the body."""
        for choice in list(self._streaming):
            self._end(choice, ended=False)

    def _open(self, choice: int, call: Mapping[str, Any], name: str, offset: int) -> None:
        tool = self._asked.open(object(), id_=text_of(call.get("id")), name=name, offset=offset, choice=choice)
        if tool is not None:
            self._streaming[choice] = _Streaming(tool)
            given = call.get("args")
            for key, value in given.items() if is_object(given) else ():
                self._streaming[choice].leaves[(key,)] = value

    def _argument(self, call: _Streaming, argument: Any, offset: int) -> None:
        fields = argument if is_object(argument) else {}
        steps = _steps(text_of(fields.get("jsonPath")))
        kind = next((name for name in _VALUES if name in fields), None)
        if steps is None or (kind is None and "willContinue" not in fields):
            call.lossy = True
            self._asked.fault(offset, "a partial argument without a path or value")
            return
        value = None if kind in (None, "nullValue") else fields[kind or ""]
        piece = value if isinstance(value, str) else "" if kind is None else compact(value)
        call.size += len(piece)
        if call.size > MAX_ARGUMENTS or (len(call.leaves) >= MAX_LEAVES and steps not in call.leaves):
            call.tool.overflown = True
            self._asked.fault(offset, "tool arguments longer than are kept")
            return
        self._asked.answer.output(OutputKind.TOOL_ARGUMENTS, piece, choice=call.tool.choice, tool=call.tool)
        _put(call.leaves, steps, value)

    def _end(self, choice: int, *, ended: bool | None) -> None:
        call = self._streaming.pop(choice)
        call.tool.ended = False if call.lossy else ended
        call.tool.whole = call.tool.ended is True
        self._asked.answer.tools.add(call.tool, well_formed(compact(_tree(call.leaves))) if call.leaves else "")
        if call.tool.whole:
            self._asked.answer.tools.tell(call.tool, cut=False)


def _steps(path: str) -> Steps | None:
    """Return the keys and indexes of a JSON path; None for what is no path to a value."""
    if not path.startswith("$"):
        return None
    found: list[str | int] = []
    at = 1
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None or len(found) >= MAX_DEPTH:
            return None
        at = step.end()
        found.append(_key(step))
    return tuple(found) or None


def _key(step: re.Match[str]) -> str | int:
    match step.lastgroup:
        case "name":
            return step["name"]
        case "index":
            return int(step["index"])
        case "single":
            return re.sub(r"\\(.)", r"\1", step["single"])
        case _:
            key = load(step["double"])
            return key if isinstance(key, str) else step["double"]


def _put(leaves: dict[Steps, Any], steps: Steps, value: Any) -> None:
    known = leaves.get(steps)
    if isinstance(value, str):
        if isinstance(known, _Text):
            known.append(value)
        else:
            leaves[steps] = _Text([value])
    elif value is not None or steps not in leaves:
        leaves[steps] = value


def _tree(leaves: Mapping[Steps, Any]) -> Any:
    """Return the object that the paths and values describe; of two that contradict each other the later counts."""
    root = _Node()
    for steps, value in leaves.items():
        node = root
        for step in steps[:-1]:
            inner = node.get(step)
            if not isinstance(inner, _Node):
                inner = node[step] = _Node()
            node = inner
        node[steps[-1]] = "".join(value) if isinstance(value, _Text) else value
    return _plain(root)


def _plain(node: _Node) -> Any:
    """Return nodes as objects, or as arrays where every key is an index."""
    values = {key: _plain(value) if isinstance(value, _Node) else value for key, value in node.items()}
    indexes = sorted(key for key in values if isinstance(key, int))
    if indexes and len(indexes) == len(values):
        return [values[index] for index in indexes]
    return {str(key): value for key, value in values.items()}
