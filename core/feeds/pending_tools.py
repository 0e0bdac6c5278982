"""The tool calls of one round that were asked for and have no result yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .asked import ToolResult

MOST = 4096
"""Tool calls remembered; no model asks for more, and their results would be told of no call."""


@dataclass(slots=True)
class Pending:
    """One of them."""

    call: str
    id: str
    name: str
    id_given: bool = True
    told_id: str = ""
    told_name: str = ""
    """Both as they were published, without secrets."""

    def __post_init__(self) -> None:
        """Take what was not told apart as it is."""
        self.told_id, self.told_name = self.told_id or self.id, self.told_name or self.name


class PendingTools:
    """Finds the call that a result belongs to; the work of one does not grow with how many there are."""

    def __init__(self) -> None:
        """Begin without any."""
        self._tools: dict[tuple[str, str], Pending] = {}
        self._by_id: dict[str, dict[str, Pending]] = {}
        """By their ids, then their calls: some servers count from 0 in every response."""

    def __iter__(self) -> Iterator[Pending]:
        """Iterate over them, the oldest first."""
        return iter(self._tools.values())

    def add(self, tool: Pending) -> bool:
        """Remember a tool call; False where there is no room, or it is known: a later word may correct its name."""
        known = self._tools.get((tool.call, tool.id))
        if known is not None:
            known.name, known.told_name = tool.name, tool.told_name
            return False
        if len(self._tools) >= MOST:
            return False
        self._tools[tool.call, tool.id] = tool
        self._by_id.setdefault(tool.id, {})[tool.call] = tool
        return True

    def remove(self, tool: Pending) -> None:
        """Forget one of them."""
        del self._tools[tool.call, tool.id]
        calls = self._by_id[tool.id]
        del calls[tool.call]
        if not calls:
            del self._by_id[tool.id]

    def answered(self, result: ToolResult) -> Pending | None:
        """Return the call that a result answers: by its id, or where none was given by its name, the oldest first."""
        if result.id is not None and (calls := self._by_id.get(result.id)) is not None:
            return next(iter(calls.values()))
        for tool in self:
            if (result.id is None or not tool.id_given) and (result.name is None or tool.name == result.name):
                return tool
        return None
