"""Taking tool calls into an answer, with a fault where there is too much to keep."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from .answer import Answer
from .json_text import compact
from .tools import Tool


class ToolReader:
    """Opens tool calls of one response and takes in their arguments."""

    def __init__(self, answer: Answer, fault: Callable[[int, str], None]) -> None:
        """Report what cannot be kept, with its byte offset, to ``fault``."""
        self.answer = answer
        self.fault = fault

    def open(
        self, key: Hashable, *, id_: str, name: str, offset: int, choice: int = 0, server: bool = False
    ) -> Tool | None:
        """Return a new call that ``key`` means from now on; None when there are too many already."""
        tool = self.answer.tools.open(key, id_=id_ or None, name=name, choice=choice, server=server)
        if tool is None:
            self.fault(offset, "more tool calls than are followed")
            return None
        if name:
            self.answer.begin()
        tool.ended = False
        return tool

    def arguments(self, tool: Tool, given: Any, offset: int) -> None:
        """Take in arguments, or a piece of them: text as it came, anything else as JSON."""
        piece = given if isinstance(given, str) else "" if given is None else compact(given)
        if not self.answer.arguments(tool, piece):
            self.fault(offset, "tool arguments longer than are kept")

    def end(self, tool: Tool | None) -> None:
        """Take in that the wire says the call is over."""
        if tool is not None and not tool.ended:
            tool.ended = True
            self.answer.tools.tell(tool, cut=False)

    def whole(
        self,
        given: Any,
        *,
        id_: str,
        name: str,
        offset: int,
        choice: int = 0,
        server: bool = False,
        free_text: bool = False,
    ) -> None:
        """Take in a call that came in one piece."""
        tool = self.open(object(), id_=id_, name=name, offset=offset, choice=choice, server=server)
        if tool is not None:
            tool.free_text, tool.whole = free_text, True
            self.arguments(tool, given, offset)
            self.end(tool)
