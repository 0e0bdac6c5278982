"""Tool calls while they stream: their arguments pile up until the wire says, or lets us see, that they end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

from ..rounds.events import ToolRequested
from .json_text import Unread, load, well_formed

MAX_TOOLS = 512
"""Tool calls of one response that are followed; no model asks for as many."""
MAX_ARGUMENTS = 8 * 1024 * 1024
"""Characters of one call's arguments that are kept."""


@dataclass(slots=True)
class Tool:
    """One tool call of a response, as far as it came."""

    id: str
    id_given: bool
    """``id`` is the provider's; else ours."""
    wire_id: str | None
    """What the provider sent, even where another call has it too."""
    choice: int
    name: str = ""
    server: bool = False
    free_text: bool = False
    """Its input is text of any form, not JSON."""
    ended: bool | None = None
    """Whether the wire marked its end; None on a wire that never does."""
    whole: bool = False
    """The wire says that nothing of it is missing, however the response ends."""
    size: int = 0
    overflown: bool = False
    pieces: list[str] = field(default_factory=list[str])
    announced: tuple[str, bool] | None = None
    """Arguments and completeness as last told."""

    @property
    def arguments(self) -> str:
        """What arrived, as received."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def is_complete(self, *, cut: bool) -> bool:
        """Say whether nothing of the call is missing, as far as the wire tells.

        Args:
            cut: the response was cut, failed or ended without a finish.
        """
        arguments = self.arguments
        if self.overflown or self.ended is False:
            return False
        if self.free_text or not arguments.strip():
            return self.whole or not cut
        if cut and arguments.rstrip()[-1] not in '}]"':  # a number may have lost digits
            return False
        return not isinstance(load(arguments), Unread)


class ToolBook:
    """The tool calls of one response, by whatever key its wire tells them apart."""

    def __init__(self, *, round_: str, call: str, emit: Callable[[ToolRequested], None]) -> None:
        """Tell of complete calls through ``emit``."""
        self._round = round_
        self._call = call
        self._emit = emit
        self._open: dict[Hashable, Tool] = {}
        self.all: list[Tool] = []
        """Every call, oldest first."""
        self._ids: set[tuple[int, str]] = set()

    def get(self, key: Hashable) -> Tool | None:
        """Return the call that ``key`` means at present."""
        return self._open.get(key)

    def last(self, choice: int) -> Tool | None:
        """Return the newest call of a choice."""
        return next((tool for tool in reversed(self.all) if tool.choice == choice), None)

    def of(self, choice: int) -> Iterator[Tool]:
        """Yield the calls of a choice, oldest first."""
        return (tool for tool in self.all if tool.choice == choice)

    def open(self, key: Hashable, *, id_: str | None, name: str, choice: int = 0, server: bool = False) -> Tool | None:
        """Return a new call; None when there are too many already."""
        if len(self.all) >= MAX_TOOLS:
            return None
        known, given = self._unique(id_, choice)
        tool = Tool(known, given, id_, choice, well_formed(name), server)
        self._open[key] = tool
        self.all.append(tool)
        return tool

    def identify(self, tool: Tool, id_: str) -> None:
        """Take in an id that came later than the call's first piece."""
        if tool.wire_id is None:
            tool.wire_id = id_
            tool.id, tool.id_given = self._unique(id_, tool.choice)

    def add(self, tool: Tool, piece: str) -> bool:
        """Take in a piece of a call's arguments; False when they outgrew what is kept."""
        if tool.size + len(piece) > MAX_ARGUMENTS:
            tool.overflown = True
            return False
        tool.size += len(piece)
        tool.pieces.append(piece)
        return True

    def tell_whole(self, choice: int) -> None:
        """Tell of the calls whose arguments can be seen to be whole; the others wait for more."""
        for tool in self.of(choice):
            if tool.announced is None and tool.arguments.rstrip().endswith("}") and tool.is_complete(cut=True):
                self.tell(tool, cut=True)

    def tell(self, tool: Tool, *, cut: bool) -> None:
        """Tell of a call, and again only if it came to be another one."""
        now = (tool.arguments, tool.is_complete(cut=cut))
        if tool.announced == now:
            return
        tool.announced = now
        self._emit(
            ToolRequested(
                round=self._round,
                call=self._call,
                tool_call=tool.id,
                name=tool.name,
                arguments=now[0],
                complete=now[1],
                server=True if tool.server else None,
                id_given=tool.id_given,
            )
        )

    def _unique(self, id_: str | None, choice: int) -> tuple[str, bool]:
        """Return an id that no other call of the choice has, and whether it is the provider's."""
        wanted = well_formed(id_) if id_ else f"{self._call}:{len(self.all) + 1}"
        found, given = wanted, bool(id_)
        turn = 2
        while (choice, found) in self._ids:
            found, given = f"{wanted}#{turn}", False
            turn += 1
        self._ids.add((choice, found))
        return found, given
