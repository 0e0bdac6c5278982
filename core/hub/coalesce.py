"""Streamed output, made into at most ten events a second a call; the clock comes in as an argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..rounds.base import OutputKind
from ..rounds.events import CallOutput, CallUsage, Event

EVENT_S = 0.1  # one output event a call in this time: protocol.md, "call.output"
MERGED_CHARS = 32_768  # a merged text stays far below what a frame may hold (256 KiB)

_Key = tuple[str, str, OutputKind, str | None, int | None, bool]


@dataclass
class _Merged:
    """Output events of one kind in a row, kept in pieces until they are published."""

    first: CallOutput
    key: _Key
    pieces: list[str] = field(default_factory=list[str])
    chars: int = 0

    def add(self, event: CallOutput) -> None:
        self.pieces.append(event.text or "")
        self.chars += max(len(event.text or ""), event.chars or 0)

    def event(self) -> CallOutput:
        if len(self.pieces) == 1:
            return self.first
        text = "".join(self.pieces)
        chars = self.chars if self.chars != len(text) else None
        return self.first.model_copy(update={"text": text or None, "chars": chars})


class Coalescer:
    """Holds back the streamed output of ONE call; every other event passes, behind what was held back.

    The first output goes out at once: it is what a time to first output is read from. Nothing is reordered
    and no character is lost. A switch between kinds (text, reasoning, arguments of another tool call) makes a
    further event, and the next one then waits accordingly longer. Running usage reports are held back too:
    the newest is all that counts, so it replaces the one before.
    """

    def __init__(self) -> None:
        self._held: list[_Merged] = []
        self._usage: CallUsage | None = None
        self._free_at = float("-inf")

    def add(self, event: Event, now_s: float) -> list[Event]:
        """Take in one event; return what is to be published now, in order.

        Args:
            now_s: a monotonic clock, seconds.
        """
        return self.add_all((event,), now_s)

    def add_all(self, events: Sequence[Event], now_s: float) -> list[Event]:
        """Take in events that came together, output of one kind as one event; return what is to be published now."""
        out: list[Event] = []
        for event in events:
            if isinstance(event, CallOutput):
                self._hold(event)
            elif isinstance(event, CallUsage):
                self._usage = event
            else:
                out += self.flush(now_s)
                out.append(event)
        if now_s >= self._free_at:
            out += self.flush(now_s)
        return out

    def due_s(self) -> float | None:
        """Return when ``flush`` should be called at the latest; None while nothing is held back."""
        return self._free_at if self._held or self._usage else None

    def flush(self, now_s: float) -> list[Event]:
        """Return everything that was held back, in order."""
        events: list[Event] = list(self._release())
        if events:
            self._free_at = max(self._free_at, now_s) + EVENT_S * len(events)
        return events

    def _hold(self, event: CallOutput) -> None:
        key = (event.round, event.call, event.kind, event.tool_call, event.choice, event.text is None)
        last = self._held[-1] if self._held else None
        if last is None or last.key != key or last.chars >= MERGED_CHARS:
            last = _Merged(event, key)
            self._held.append(last)
        last.add(event)

    def _release(self) -> Iterator[Event]:
        for merged in self._held:
            yield merged.event()
        self._held = []
        if self._usage is not None:
            yield self._usage
            self._usage = None
