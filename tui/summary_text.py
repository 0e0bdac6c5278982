"""A round whose details are no longer in memory: what is left of it, and its banner."""

from __future__ import annotations

from ..core.rounds import RoundSummary
from ..core.texts import clean, clock_time, head_duration, wrap
from .banner_lines import banner_lines
from .blocks import Block, BlockText
from .correction import Correction, correction_lines
from .history_needs import HistoryState
from .safe_text import BLANK, Line, Span, Tone, cut_line, joined
from .timeline import WIDEST_BANNER, Layout


class SummaryText(BlockText):
    """The summary of a retired round, laid out like a round that is still there."""

    def __init__(
        self,
        summary: RoundSummary,
        late_events: int,
        history: HistoryState | None,
        correction: Correction | None,
        layout: Layout,
    ) -> None:
        """Lay ``summary`` out.

        Args:
            late_events: events that came after the details were let go; the verdict does not know them.
            history: what becomes of the details; None = nobody has asked for them yet.
            correction: its verdict was another one before late news came.
        """
        named = [clean(part, limit=60) for part in (summary.id, summary.agent, summary.thread) if part]
        super().__init__(named, summary.outcome, layout.width)
        texts = layout.texts
        lines: list[Line] = [cut_line(_facts(summary, layout), layout.width)]
        if summary.title:
            lines.append(cut_line((Span(clean(summary.title, limit=200), Tone.STRONG),), layout.width))
        lines.append(BLANK)
        said = [texts(f"tui.history.{history}" if history is not None else "tui.round.details_gone")]
        if late_events:
            said.append(texts("tui.round.late_events", n=late_events))
        lines += [(Span(line, Tone.WARN),) for each in said for line in wrap(each, layout.width)]
        banner = correction_lines(correction, texts, layout.width)
        banner += banner_lines(summary.outcome, texts, min(layout.width, WIDEST_BANNER))
        self.set_blocks([Block(lines), Block([BLANK, *banner])])


def _facts(summary: RoundSummary, layout: Layout) -> Line:
    texts, start, end = layout.texts, summary.started_at, summary.ended_at
    told = [
        f"{clock_time(start, layout.zone)} → {clock_time(end, layout.zone)}" if start and end else "",
        head_duration(summary.total_ms, texts) if summary.total_ms is not None else "",
        texts("ui.calls", n=summary.calls) if summary.calls else texts("tui.round.no_calls"),
        texts("ui.tokens_in", count=texts.count(summary.input_tokens)) if summary.input_tokens is not None else "",
        texts("ui.tokens_out", count=texts.count(summary.output_tokens)) if summary.output_tokens is not None else "",
    ]
    return joined((Span(part),) for part in told if part)
