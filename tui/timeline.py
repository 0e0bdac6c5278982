"""One round told from top to bottom: facts, calls, tools and events in order, the banner at the end."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from itertools import accumulate

from ..core.rounds import Call, Event, Round, ToolCall, ToolState, Verdict, classify, token_sums
from ..core.texts import Texts, clean, clock_time, duration
from .banner_lines import banner_lines
from .call_lines import (
    INDENT,
    CallColumns,
    bar_line,
    beside_bar,
    call_head,
    error_lines,
    heading,
    link_line,
    pieces,
    silence,
)
from .event_lines import event_lines, gap_lines
from .safe_text import BLANK, Line, Span, Tone, cut, cut_line, cut_start, joined
from .time_axis import TimeAxis
from .tool_lines import child_line, tool_line
from .watched import FeedGap

Entry = Call | ToolCall | Event
SHOWN_AT_FIRST = 1000
"""Entries of a round that are laid out; older ones on request."""
WIDEST_BANNER = 100
"""Longer lines of prose are hard to read."""
TAIL_CHARS = 2000
"""Characters of a call's newest text that its last line is cut from."""


@dataclass(slots=True)
class Block:
    """The lines of one entry."""

    lines: list[Line]
    subject: Entry | None = None
    bar: int | None = None
    """Which line is the bar, drawn anew each time because the axis grows."""
    beside: list[Line] = field(default_factory=list[Line])
    tail: int | None = None
    """Which line is the end of the streaming text."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What a timeline depends on besides the round itself."""

    width: int
    texts: Texts
    zone: tzinfo | None = None
    shown: int = SHOWN_AT_FIRST


class Timeline:
    """A round laid out for one width and language; lines are finished when a window asks for them."""

    def __init__(self, round_: Round, gaps: Sequence[FeedGap], layout: Layout, now: datetime) -> None:
        """Lay ``round_`` out as it stands at ``now``."""
        self.round = round_
        self._layout = layout
        self._gaps = gaps
        self._columns = CallColumns.for_width(layout.width)
        self._numbers = {call.id: number for number, call in enumerate(round_.calls, start=1)}
        self._children = {
            child.parent.tool_call: child
            for child in round_.children.values()
            if child.parent and child.parent.tool_call
        }
        self._axis = TimeAxis.of(round_, now)
        self.outcome = classify(round_, now=now)
        self.hidden = max(0, len(round_.entries) - layout.shown)
        """Older entries that are not laid out."""
        self.blocks: list[Block] = [Block(self._facts()), *self._entries(now), self._end()]
        self._ends = list(accumulate(len(block.lines) for block in self.blocks))

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
        if not self.round.is_over:
            self._axis = TimeAxis.of(self.round, now)
        found: list[tuple[Line, int]] = []
        for line in range(max(0, top), min(top + height, self.height)):
            number = self.block_at(line)
            block = self.blocks[number]
            found.append((self._finished(block, line - self.top_of(number), now), number))
        return found

    def _finished(self, block: Block, index: int, now: datetime) -> Line:
        call = block.subject
        if isinstance(call, Call) and index == block.bar:
            quiet = silence(call, self.round, self._layout.texts, now)
            return cut_line(
                bar_line(call, self._axis, [quiet] if quiet else block.beside, self._layout.width), self._layout.width
            )
        if isinstance(call, ToolCall) and call.state is ToolState.RUNNING:
            return self._tool_lines(call, now)[index - len(block.lines)]
        return block.lines[index]

    def _facts(self) -> list[Line]:
        round_, texts, zone = self.round, self._layout.texts, self._layout.zone
        start, end = round_.started_at or round_.first_at, round_.ended_at if round_.is_over else None
        span = ""
        if start is not None:
            closing = clock_time(end, zone) if end is not None else "…"
            span = f"{clock_time(start, zone)} → {closing}"
        into, out = token_sums(round_)
        told = [
            span,
            duration(round_.total_ms, texts) if round_.is_over and round_.total_ms is not None else "",
            texts("ui.calls", n=len(round_.calls)) if round_.calls else texts("tui.round.no_calls"),
            texts("ui.tokens_in", count=texts.count(into)) if into is not None else "",
            texts("ui.tokens_out", count=texts.count(out)) if out is not None else "",
        ]
        lines = [cut_line(joined((Span(part),) for part in told if part), self._layout.width)]
        if about := self._about():
            lines.append(cut_line(about, self._layout.width))
        if self._columns is not None:
            lines += [BLANK, heading(self._columns, texts)] if round_.calls else [BLANK]
        if self.hidden:
            lines.append((Span(texts("tui.round.hidden", n=self.hidden, shown=self._layout.shown), Tone.WARN),))
        return lines

    def _about(self) -> Line:
        """Return whose round it is, where that is not in the title already."""
        round_, texts = self.round, self._layout.texts
        parts: list[Line] = []
        if round_.title:
            parts.append((Span(clean(round_.title, limit=200), Tone.STRONG),))
        if round_.parent is not None:
            key = "tui.round.orphan_of" if round_.is_orphan else "tui.round.part_of"
            parts.append((Span(texts(key, parent=clean(round_.parent.round, limit=40)), Tone.DIM),))
        if not round_.start_seen:
            parts.append((Span(texts("tui.round.start_not_seen"), Tone.WARN),))
        return joined(parts)

    def _entries(self, now: datetime) -> list[Block]:
        gaps = {gap.place: [other for other in self._gaps if other.place == gap.place] for gap in self._gaps}
        entries, first = self.round.entries, self.hidden
        blocks = [
            self._entry(entry, gaps.get(number, ()), now) for number, entry in enumerate(entries[first:], start=first)
        ]
        tail = [
            line
            for gap in gaps.get(len(entries), ())
            for line in gap_lines(gap, self._layout.texts, self._layout.width)
        ]
        return [*blocks, Block(tail)]

    def _entry(self, entry: Entry, gaps: Sequence[FeedGap], now: datetime) -> Block:
        match entry:
            case Call():
                block = self._call(entry)
            case ToolCall():
                block = Block(self._tool_lines(entry, now), entry)
            case _:
                block = Block(event_lines(entry, self._layout.texts, self._layout.width, self._layout.zone), entry)
        before = [line for gap in gaps for line in gap_lines(gap, self._layout.texts, self._layout.width)]
        if before:
            block.lines[:0] = before
            block.bar = block.bar + len(before) if block.bar is not None else None
        return block

    def _call(self, call: Call) -> Block:
        texts, width = self._layout.texts, self._layout.width
        link = link_line(call, self._numbers, texts)
        lines = [link] if link else []
        lines += call_head(call, self._numbers[call.id], self.round, self._columns, texts, width)
        beside, below = beside_bar(
            pieces(call, texts, in_columns=self._columns is not None and self._columns.cap > 0), width
        )
        bar = None
        if call.id in self._axis.stretches:
            bar = len(lines)
            lines.append(BLANK)
        else:
            beside, below = [], [*beside, *below]
        lines += _flowing(below, width)
        lines += error_lines(call, texts, width)
        if call is self.round.last_call and (tail := self._tail(call)):
            lines.append(tail)
        return Block(lines, call, bar, beside)

    def _tail(self, call: Call) -> Line:
        """Return the first words of what a call wrote, or the newest ones while it writes."""
        room = self._layout.width - INDENT - 2
        buffer = call.output if call.output.visible else call.reasoning
        writes = not call.is_over and not self.round.is_over
        text = buffer.text[-TAIL_CHARS:] if writes else buffer.text[:TAIL_CHARS]
        shown = clean(" ".join(text.split()))
        if not shown or room < 8:
            return BLANK
        tone = Tone.PLAIN if buffer is call.output else Tone.DIM
        said = cut_start(shown, room) if writes else cut(shown, room)
        return (Span(" " * INDENT + "» ", Tone.FRAME), Span(said, tone))

    def _tool_lines(self, tool: ToolCall, now: datetime) -> list[Line]:
        layout, child = self._layout, self._children.get(tool.id)
        lines = [tool_line(tool, layout.texts, layout.width, now)]
        if child is not None:
            judged = classify(child, now=now)
            wrongly = tool.state is ToolState.OK and child.is_over and judged.verdict is not Verdict.COMPLETED
            lines.append(child_line(child, judged, layout.texts, layout.width, told_wrongly=wrongly))
        return lines

    def _end(self) -> Block:
        width = min(self._layout.width, WIDEST_BANNER)
        return Block([BLANK, *banner_lines(self.outcome, self._layout.texts, width)] if width >= 12 else [])


def _flowing(parts: Sequence[Line], width: int) -> list[Line]:
    """Return short pieces in as few lines as they take, each piece whole."""
    lines: list[Line] = []
    current: Line = BLANK
    for part in parts:
        longer = joined((current, part), "  ")
        if current and sum(span.cells for span in longer) > width - INDENT:
            lines.append(current)
            longer = part
        current = longer
    if current:
        lines.append(current)
    return [cut_line((Span(" " * INDENT), *line), width) for line in lines]


def round_title(round_: Round) -> list[str]:
    """Return what names a round: id, agent, thread, as far as they are known."""
    return [clean(part, limit=60) for part in (round_.id, round_.agent, round_.thread) if part]
