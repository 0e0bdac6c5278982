"""Closed content blocks, read from the events of one round while it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..policies.arguments import parse_args
from ..rounds.base import OutputKind
from ..rounds.events import CallFinished, CallOutput, Event, ToolRequested

Block = Mapping[str, object]
"""As a recovery takes it: ``text`` and ``thinking`` (both under ``text``), ``tool_call`` (under ``input``)."""

_NAMES: Mapping[OutputKind, str] = {OutputKind.TEXT: "text", OutputKind.REASONING: "thinking"}


class BlockEnds:
    """Tells every content block of a round when it has ended.

    No wire says *this block is over* in an event of its own, so a block of text or reasoning ends with whatever
    follows it: another kind of output, a tool call, or the end of its call. What is still streaming is not told.
    """

    def __init__(self, ended: Callable[[Block], None]) -> None:
        self._ended = ended
        self._open: tuple[str, OutputKind] | None = None
        self._pieces: list[str] = []

    def see(self, event: Event) -> None:
        """Take in the round's next event."""
        match event:
            case CallOutput() if event.kind is not OutputKind.USAGE and event.choice in (None, 0):
                self._output(event)
            case ToolRequested():
                self._close()
                if event.name or event.arguments:
                    self._ended(_tool_call(event))
            case CallFinished():
                self._close()
            case _:
                pass

    def _output(self, event: CallOutput) -> None:
        key = (event.call, event.kind)
        if key != self._open:
            self._close()
            self._open = key
        if event.kind in _NAMES and event.text:
            self._pieces.append(event.text)

    def _close(self) -> None:
        if self._open is not None and self._pieces:
            self._ended({"type": _NAMES[self._open[1]], "text": "".join(self._pieces)})
        self._open, self._pieces = None, []


def _tool_call(event: ToolRequested) -> Block:
    """Arguments that are no JSON object are left out: half of one must not look like the whole."""
    arguments = parse_args((event.arguments or "",)).args
    return {"type": "tool_call", "id": event.tool_call, "name": event.name, "input": arguments}
