"""One round told from top to bottom: facts, calls, tools and events in order, the banner at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from ..core.prices import CostSum
from ..core.rounds import Call, Round, ToolCall, ToolState, Verdict, classify
from ..core.texts import Texts, wrap
from .banner_lines import banner_lines
from .blocks import Block, BlockText, Entry
from .call_lines import INDENT, bar_line, beside_bar, error_lines, link_line, pieces, silence
from .call_row import CallColumns, call_head, heading
from .correction import Correction, correction_lines
from .event_lines import event_lines, gap_lines
from .feed import FeedGap
from .round_facts import Tokens, round_facts, round_title
from .safe_text import BLANK, Line, Span, Tone, cut, cut_line, cut_start, joined, one_line
from .time_axis import EarlierCalls, TimeAxis
from .tool_lines import child_line, tool_line

SHOWN_AT_FIRST = 300
"""Entries of a round that are laid out, and looked at for each frame; older ones on request."""
WIDEST_BANNER = 100
"""Longer lines of prose are hard to read."""
TAIL_CHARS = 2000
"""Characters of a call's newest text that its last line is cut from."""


class BlockCache(dict[int, tuple[tuple[object, ...], Block]]):
    """By identity of the entry, which its round keeps alive: what the block was made from, and the block."""

    def __init__(self) -> None:
        """Hold nothing of any round."""
        super().__init__()
        self.earlier = EarlierCalls()
        self._numbers: dict[str, int] = {}

    def numbers_of(self, calls: Sequence[Call]) -> dict[str, int]:
        """Return the number of each call, counted from 1; those known already are not counted again."""
        known = self._numbers
        if len(known) > len(calls) or (known and known.get(calls[len(known) - 1].id) != len(known)):
            known.clear()  # one that was told late stands before them
        for call in calls[len(known) :]:
            known[call.id] = len(known) + 1
        return known


@dataclass(frozen=True, slots=True)
class Layout:
    """What a timeline depends on besides the round itself."""

    width: int
    texts: Texts
    zone: tzinfo | None = None
    shown: int = SHOWN_AT_FIRST
    older_key: str = "o"
    """What stands on the key that shows older entries."""


class Timeline(BlockText):
    """A round laid out for one width and language; lines are finished when a window asks for them."""

    def __init__(
        self,
        round_: Round,
        gaps: Sequence[FeedGap],
        layout: Layout,
        now: datetime,
        tokens: Tokens,
        cache: BlockCache,
        correction: Correction | None = None,
        spent: CostSum | None = None,
    ) -> None:
        """Lay ``round_`` out as it stands at ``now``.

        Args:
            gaps: where our own view misses events of it.
            tokens: its input and output tokens; None = not reported.
            cache: blocks of an earlier layout of the same round for the same ``layout``; kept up to date.
            correction: its verdict was another one before late news came.
            spent: what its ended calls cost.
        """
        self._cache = cache
        self.round = round_
        self._layout = layout
        self._gaps = gaps
        self._correction = correction
        self._spent = spent
        self._columns = CallColumns.for_width(layout.width)
        self._numbers = cache.numbers_of(round_.calls)
        self._children = {
            child.parent.tool_call: child
            for child in round_.children.values()
            if child.parent and child.parent.tool_call
        }
        hidden = max(0, len(round_.entries) - layout.shown)
        shown = (entry for entry in round_.entries[hidden:] if isinstance(entry, Call))
        first = min((self._numbers[call.id] for call in shown), default=len(round_.calls) + 1)
        cache.earlier.pass_to(round_, first - 1)
        self._axis = TimeAxis.of(round_, now, cache.earlier)
        super().__init__(round_title(round_), classify(round_, now=now), layout.width, hidden)
        self.set_blocks([Block(self._beginning(tokens)), *self._entries(now), self._end()])

    def window(self, top: int, height: int, now: datetime) -> list[tuple[Line, int]]:
        """Return the lines of a window, each with the number of its block."""
        if not self.round.is_over:
            self._axis = TimeAxis.of(self.round, now, self._cache.earlier)
        return super().window(top, height, now)

    def finished(self, block: Block, index: int, now: datetime) -> Line:
        """Return a line of a block; bars and running tools are drawn as of ``now``."""
        call = block.subject
        if isinstance(call, Call) and index == block.bar:
            quiet = silence(call, self.round, self._layout.texts, now)
            return bar_line(call, self._axis, [quiet] if quiet else block.beside, self._layout.width)
        if isinstance(call, ToolCall) and call.state is ToolState.RUNNING:
            return self._tool_lines(call, now)[index - len(block.lines)]
        return block.lines[index]

    def _beginning(self, tokens: Tokens) -> list[Line]:
        layout = self._layout
        lines = round_facts(self.round, tokens, layout.texts, layout.zone, layout.width, self._spent)
        if self._columns is not None:
            lines += [BLANK, heading(self._columns, layout.texts)] if self.round.calls else [BLANK]
        if self.hidden:
            said = layout.texts("tui.round.hidden", n=self.hidden, shown=layout.shown, key=layout.older_key)
            lines += [(Span(line, Tone.WARN),) for line in wrap(said, layout.width)]
        return lines

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
        state = self._state(entry)
        known = self._cache.get(id(entry))
        if known is None or known[0] != state:
            known = self._cache[id(entry)] = state, self._made(entry, now)
        block = known[1]
        if not gaps:
            return block
        before = [line for gap in gaps for line in gap_lines(gap, self._layout.texts, self._layout.width)]
        bar = block.bar + len(before) if block.bar is not None else None
        return Block([*before, *block.lines], block.subject, bar, block.beside)

    def _state(self, entry: Entry) -> tuple[object, ...]:
        """Return all that an entry's lines depend on, besides the layout: cheap to make and to compare."""
        match entry:
            case Call():
                is_last = entry is self.round.last_call
                written = (entry.output.chars, entry.reasoning.chars) if is_last else ()
                error = entry.error
                return (
                    id(entry.usage_as_reported), entry.finish_reason, entry.native_finish_reason, entry.outcome,
                    entry.finish_repeated, error, entry.choices, entry.total_ms, entry.first_output_ms, entry.model,
                    entry.max_output_tokens, entry.continuation, entry.attempt, len(entry.tool_calls), is_last, written,
                    entry.output_seen, entry.refusal.visible, self.round.is_over, entry.id in self._axis.stretches,
                )  # fmt: skip
            case ToolCall():
                child = self._children.get(entry.id)
                return (
                    entry.state, entry.why, entry.name, entry.elapsed_ms, entry.error, entry.early, entry.server,
                    id(entry.arguments), entry.complete, child.revision if child is not None else None,
                )  # fmt: skip
            case _:
                return ()

    def _made(self, entry: Entry, now: datetime) -> Block:
        match entry:
            case Call():
                return self._call(entry)
            case ToolCall():
                return Block(self._tool_lines(entry, now), entry)
            case _:
                return Block(event_lines(entry, self._layout.texts, self._layout.width, self._layout.zone), entry)

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
        shown = one_line(text)
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
        if width < 12:
            return Block([])
        told = correction_lines(self._correction, self._layout.texts, width)
        return Block([BLANK, *told, *banner_lines(self.outcome, self._layout.texts, width)])


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
