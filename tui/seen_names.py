"""Names that have occurred, for completing what the operator types; bounded, the longest unseen go first."""

from __future__ import annotations

from ..core.rounds import Event
from ..core.rounds.events import CallFinished, CallStarted, RoundStarted, ToolRequested

MOST_NAMES = 200
MOST_CHARS = 80
"""A longer name is nothing that anybody completes."""


class SeenNames:
    """By field of the filter language: the names seen, the newest last. Taking in an event costs O(1)."""

    def __init__(self) -> None:
        """Know no name yet."""
        self._names: dict[str, dict[str, None]] = {}

    def take(self, event: Event) -> None:
        """Note the names that an event holds."""
        match event:
            case RoundStarted():
                self.note("agent", event.agent)
                self.note("thread", event.thread)
                self.note("model", event.model)
            case CallStarted():
                self.note("model", event.model)
            case CallFinished():
                self.note("finish", event.finish_reason)
            case ToolRequested():
                self.note("tool", event.name)
            case _:
                pass

    def of(self, field: str) -> list[str]:
        """Return the names of a field, the newest first."""
        return list(reversed(self._names.get(field, {})))

    def note(self, field: str, name: str | None) -> None:
        """Note that a name occurred; none and one that nobody would type are left out."""
        if not name or len(name) > MOST_CHARS:
            return
        names = self._names.setdefault(field, {})
        names.pop(name, None)
        names[name] = None
        if len(names) > MOST_NAMES:
            del names[next(iter(names))]
