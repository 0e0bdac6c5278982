"""Where the operator reads in a timeline: which line is on top, which entry the cursor is on."""

from __future__ import annotations

from .blocks import BlockText


class ReadingPlace:
    """At the end it stays there; elsewhere the entry on top stays on top.

    The end is where the banner is whole, or, when it is taller than the window, where its headline is on top.

    The place is kept by entry and line of that entry, so a resize or another language changes nothing.
    """

    def __init__(self) -> None:
        """Start at the end."""
        self.at_end = True
        self._anchor: tuple[int, int] = (0, 0)
        self._cursor: int | None = None

    def start(self) -> None:
        """Begin anew, for another round."""
        self.at_end, self._anchor, self._cursor = True, (0, 0), None

    def top(self, timeline: BlockText, height: int) -> int:
        """Return the line on top of a window."""
        if self.at_end:
            return rest(timeline, height)
        entry, line = self._anchor
        block = self._block(timeline, entry)
        wanted = timeline.top_of(block) + min(line, max(0, len(timeline.blocks[block].lines) - 1))
        return min(wanted, lowest(timeline, height))

    def cursor(self, timeline: BlockText) -> int | None:
        """Return the block that the cursor is on: the one it was put on, else the last entry."""
        stops = _stops(timeline)
        if not stops:
            return None
        if self._cursor is None:
            return stops[-1]
        wanted = self._block(timeline, self._cursor)
        return min(stops, key=lambda block: abs(block - wanted))

    def sees_cursor(self, timeline: BlockText, height: int) -> bool:
        """Return whether the beginning of the entry under the cursor is in the window."""
        cursor, top = self.cursor(timeline), self.top(timeline, height)
        return cursor is not None and top <= timeline.top_of(cursor) < top + height

    def reveal(self, timeline: BlockText, height: int) -> None:
        """Bring the entry under the cursor into the window; where it is there, nothing moves."""
        cursor = self.cursor(timeline)
        if cursor is not None and not self.sees_cursor(timeline, height):
            self._show(timeline, height, cursor)

    def scroll(self, timeline: BlockText, height: int, lines: int) -> None:
        """Move the window; a cursor that would be left behind comes along to the nearest entry in it."""
        had = self.sees_cursor(timeline, height)
        self._set_top(timeline, height, self.top(timeline, height) + lines)
        if not had or self.sees_cursor(timeline, height):
            return
        top = self.top(timeline, height)
        seen = [stop for stop in _stops(timeline) if top <= timeline.top_of(stop) < top + height]
        if seen:
            self._cursor = self._entry(timeline, seen[0] if lines > 0 else seen[-1])

    def go(self, timeline: BlockText, height: int, end: str) -> None:
        """Go to the top or to the end."""
        stops = _stops(timeline)
        if end == "last":
            if self.at_end:
                self._set_top(timeline, height, lowest(timeline, height))
            else:
                self.at_end = True
            self._cursor = None
        else:
            self._set_top(timeline, height, 0)
            self._cursor = self._entry(timeline, stops[0]) if stops else None

    def step(self, timeline: BlockText, height: int, steps: int) -> None:
        """Move the cursor to a neighbouring entry and show it whole; past the last one, show the end, then scroll."""
        stops, cursor = _stops(timeline), self.cursor(timeline)
        if cursor is None:
            self.scroll(timeline, height, steps)
            return
        index = stops.index(cursor) + steps
        if index >= len(stops) and self.top(timeline, height) < rest(timeline, height):
            self.go(timeline, height, "last")
        elif index >= len(stops):
            self.scroll(timeline, height, steps)
        elif index < 0:
            self._set_top(timeline, height, 0)
        else:
            self._show(timeline, height, stops[index])

    def point(self, timeline: BlockText, height: int, line: int) -> None:
        """Put the cursor on the entry that stands in a line of the window."""
        block = timeline.block_at(self.top(timeline, height) + line)
        if timeline.blocks[block].subject is not None:
            self._show(timeline, height, block)

    def show_entry(self, timeline: BlockText, height: int, number: int) -> None:
        """Put the cursor on an entry of the round, counted from 0, and show it whole."""
        block = number + 1 - timeline.hidden
        if 0 < block < len(timeline.blocks):
            self._show(timeline, height, block)

    def _show(self, timeline: BlockText, height: int, block: int) -> None:
        top = self.top(timeline, height)
        first, last = timeline.top_of(block), timeline.top_of(block) + len(timeline.blocks[block].lines)
        self._cursor = self._entry(timeline, block)
        self._set_top(timeline, height, min(max(top, last - height), first))

    def _set_top(self, timeline: BlockText, height: int, line: int) -> None:
        line = max(0, min(line, lowest(timeline, height)))
        self.at_end = line == rest(timeline, height)
        block = timeline.block_at(line)
        self._anchor = self._entry(timeline, block), line - timeline.top_of(block)

    def _entry(self, timeline: BlockText, block: int) -> int:
        """Return the entry of a block, counted from the round's first: older entries may be laid out later."""
        return block + timeline.hidden if block else 0

    def _block(self, timeline: BlockText, entry: int) -> int:
        return max(0, min(entry - timeline.hidden, len(timeline.blocks) - 1)) if entry else 0


def lowest(timeline: BlockText, height: int) -> int:
    """Return the last line that can be on top of a window."""
    return max(0, timeline.height - height)


def rest(timeline: BlockText, height: int) -> int:
    """Return the line on top of a window that is at the end."""
    headline = timeline.top_of(len(timeline.blocks) - 1) + 1
    return min(lowest(timeline, height), headline)


def _stops(timeline: BlockText) -> list[int]:
    return [number for number, block in enumerate(timeline.blocks) if block.subject is not None]
