"""The newest event lines as they came, bounded in memory: what the inspector shows raw, copies and saves."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import merge
from typing import NamedTuple

from ..core.rounds import Call, Event, ToolCall

MOST_CHARS = 8_000_000
"""What the lines may take together; the oldest go first. A call rarely has more than some hundred kilobytes."""
LINE_OVERHEAD = 300
"""Bytes that keeping a line costs besides its characters."""


class _Kept(NamedTuple):
    order: int
    tool: str | None
    line: str


@dataclass(slots=True)
class _Shelf:
    """The lines of one call, or of one tool call that names no call."""

    lines: deque[_Kept] = field(default_factory=deque[_Kept])
    dropped: int = 0
    """Older lines that had to go."""
    is_whole: bool = True
    """False: more may have gone than were counted."""


BEGINNINGS = frozenset(("call.started", "tool.requested"))
"""Nothing of an entry comes before these."""
MOST_EMPTIED = 5_000
"""Entries all of whose lines had to go and whose number is remembered, in case there is more of them."""

_Key = tuple[str, str | None, str | None]
"""Round, call, and the tool call where there is no call."""


def _key_of(event: Event) -> _Key | None:
    """Return where the line of an event is kept; None for one that belongs to no call and no tool call."""
    round_, call, tool = (getattr(event, name, None) for name in ("round", "call", "tool_call"))
    if round_ is None or (call is None and tool is None):
        return None
    return round_, call, None if call is not None else tool


@dataclass(frozen=True, slots=True)
class RawLines:
    """Event lines of one entry, oldest first, exactly as they came."""

    lines: tuple[str, ...]
    dropped: int
    """Older ones that are no longer in memory."""
    is_whole: bool = True
    """False: more may be missing than ``dropped`` says."""

    @property
    def text(self) -> str:
        """The lines as a file of events has them."""
        return "".join(f"{line}\n" for line in self.lines)


class RawLog:
    """Keeping a line costs O(1), whatever is kept already."""

    def __init__(self, most_chars: int = MOST_CHARS) -> None:
        """Keep lines of at most ``most_chars`` in all."""
        self._most = most_chars
        self._shelves: dict[_Key, _Shelf] = {}
        self._oldest: deque[_Key] = deque()
        self._emptied: dict[_Key, _Shelf] = {}
        self._forgot = False
        self._chars = 0
        self._taken = 0

    def take(self, event: Event, raw: str) -> None:
        """Keep the line of an event that belongs to a call or a tool call; ``raw`` is empty where nobody has it."""
        key, tool = _key_of(event), getattr(event, "tool_call", None)
        if not raw or key is None:
            return
        self._put(key, tool, raw, is_beginning=event.type in BEGINNINGS)

    def _put(self, key: _Key, tool: str | None, line: str, *, is_beginning: bool) -> None:
        self._taken += 1
        shelf = self._shelves.get(key)
        if shelf is None:
            shelf = self._emptied.pop(key) if key in self._emptied else _Shelf()
            shelf.is_whole = shelf.is_whole and (shelf.dropped > 0 or not self._forgot or is_beginning)
            self._shelves[key] = shelf
        shelf.lines.append(_Kept(self._taken, tool, line))
        self._oldest.append(key)
        self._chars += len(line) + LINE_OVERHEAD
        while self._chars > self._most:
            self._drop()

    def put_back(self, lines: Iterable[tuple[Event, str]]) -> None:
        """Keep whole histories of some entries, in place of what is left of them; lines that came since stay."""
        known, before = set[str](), dict[_Key, _Shelf]()
        for event, raw in lines:
            key = _key_of(event)
            if key is not None and key not in before:
                before[key] = self._take_away(key)
            known.add(raw)
            self.take(event, raw)
        for key, shelf in before.items():
            for each in shelf.lines:
                if each.line not in known:
                    self._put(key, each.tool, each.line, is_beginning=False)

    def _take_away(self, key: _Key) -> _Shelf:
        self._emptied.pop(key, None)
        shelf = self._shelves.pop(key, _Shelf())
        self._chars -= sum(len(each.line) + LINE_OVERHEAD for each in shelf.lines)
        return shelf

    def _drop(self) -> None:
        key = self._oldest.popleft()
        shelf = self._shelves.get(key)
        if shelf is None:
            return  # its place was taken by a whole history, which went since
        self._chars -= len(shelf.lines.popleft().line) + LINE_OVERHEAD
        shelf.dropped += 1
        if not shelf.lines:
            self._emptied[key] = self._shelves.pop(key)
            if len(self._emptied) > MOST_EMPTIED:
                del self._emptied[next(iter(self._emptied))]
                self._forgot = True

    def of_call(self, round_: str, call: Call) -> RawLines | None:
        """Return the lines of a call and of its tool calls; None when none of them is in memory."""
        keys: list[_Key] = [(round_, call.id, None), *((round_, None, tool.id) for tool in call.tool_calls)]
        return self._read(keys, None)

    def of_tool(self, round_: str, tool: ToolCall) -> RawLines | None:
        """Return the lines of one tool call; None when none of them is in memory."""
        keys: list[_Key] = [(round_, None, tool.id)]
        if tool.call is not None:
            keys.insert(0, (round_, tool.call, None))
        return self._read(keys, tool.id)

    def _read(self, keys: list[_Key], tool: str | None) -> RawLines | None:
        shelves = [shelf for key in keys if (shelf := self._shelves.get(key)) is not None]
        kept = [each.line for each in merge(*(shelf.lines for shelf in shelves)) if tool in (None, each.tool)]
        if not kept:
            return None
        return RawLines(tuple(kept), sum(shelf.dropped for shelf in shelves), all(shelf.is_whole for shelf in shelves))


@dataclass(frozen=True, slots=True)
class RawOf:
    """The raw lines of an entry, asked for when they are needed: more may come while they are read."""

    log: RawLog
    round: str
    entry: Call | ToolCall

    @property
    def name(self) -> str:
        """What the entry is called."""
        return self.entry.id

    def read(self) -> RawLines | None:
        """Return the lines that are in memory now; None when there are none."""
        if isinstance(self.entry, Call):
            return self.log.of_call(self.round, self.entry)
        return self.log.of_tool(self.round, self.entry)
