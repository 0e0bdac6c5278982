"""Text in blocks, one an entry: what a window shows of it, and which block a line belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate

from ..core.rounds import Call, Event, Outcome, ToolCall
from .safe_text import Line, cut_line

Entry = Call | ToolCall | Event


@dataclass(slots=True)
class Block:
    """The lines of one entry."""

    lines: list[Line]
    subject: Entry | None = None
    bar: int | None = None
    """Which line is the bar, drawn anew each time because the axis grows."""
    beside: list[Line] = field(default_factory=list[Line])


class BlockText:
    """What can be read of a round, from top to bottom; the last block is its banner."""

    def __init__(self, title: list[str], outcome: Outcome, width: int, hidden: int = 0) -> None:
        """Start without blocks; ``set_blocks`` gives them.

        Args:
            title: what names the round, its id first.
            width: cells that no line goes beyond.
            hidden: older entries that have no block.
        """
        self.title = title
        self.outcome = outcome
        self.hidden = hidden
        self._width = width
        self.blocks: Sequence[Block] = ()
        self._ends: list[int] = []

    def set_blocks(self, blocks: Sequence[Block]) -> None:
        """Take the blocks, at least one."""
        self.blocks = blocks
        self._ends = list(accumulate(len(block.lines) for block in blocks))

    @property
    def height(self) -> int:
        """All lines."""
        return self._ends[-1]

    def top_of(self, block: int) -> int:
        """Return the first line of a block."""
        return self._ends[block - 1] if block else 0

    def block_at(self, line: int) -> int:
        """Return the block that a line belongs to."""
        return min(bisect_right(self._ends, line), len(self.blocks) - 1)

    def window(self, top: int, height: int, now: datetime) -> list[tuple[Line, int]]:
        """Return the lines of a window, each with the number of its block."""
        found: list[tuple[Line, int]] = []
        for line in range(max(0, top), min(top + height, self.height)):
            number = self.block_at(line)
            finished = self.finished(self.blocks[number], line - self.top_of(number), now)
            found.append((cut_line(finished, self._width), number))
        return found

    def finished(self, block: Block, index: int, now: datetime) -> Line:
        """Return a line of a block as it is shown."""
        return block.lines[index]
