"""What stands above a round's timeline: when, how long, how much, and whose round it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo

from ..core.prices import CostSum
from ..core.rounds import Round
from ..core.texts import Texts, clean, clock_time, head_duration
from ..core.texts.costs import short_cost_text
from .safe_text import Line, Span, Tone, cut_line, joined, line_cells

Tokens = tuple[int | None, int | None]
"""Input and output tokens of a round; None = no call reported any."""


def round_facts(
    round_: Round, tokens: Tokens, texts: Texts, zone: tzinfo | None, width: int, spent: CostSum | None = None
) -> list[Line]:
    """Return one line of figures, and one of what else names the round where there is anything.

    Args:
        spent: what its ended calls cost; shown where an amount is known and there is room.
    """
    cost: list[Line] = [(Span(short_cost_text(spent, texts)),)] if spent is not None and spent.amounts else []
    figures: Line = ()
    for count, gap, more in (
        (texts.count, "   ", cost),
        (texts.count, "  ", cost),
        (texts.short, "  ", cost),
        (texts.short, "  ", []),
    ):
        figures = joined([*_figures(round_, tokens, texts, zone, count), *more], gap)
        if line_cells(figures) <= width:
            break
    return [cut_line(line, width) for line in (figures, _about(round_, texts)) if line]


def _figures(
    round_: Round, tokens: Tokens, texts: Texts, zone: tzinfo | None, count: Callable[[int | None], str]
) -> list[Line]:
    """Return when, how long, how many calls and tokens, these written by ``count``."""
    into, out = tokens
    told = [
        _when(round_, zone),
        head_duration(round_.total_ms, texts) if round_.is_over and round_.total_ms is not None else "",
        texts("ui.calls", n=len(round_.calls)) if round_.calls else texts("tui.round.no_calls"),
        texts("ui.tokens_in", count=count(into)) if into is not None else "",
        texts("ui.tokens_out", count=count(out)) if out is not None else "",
    ]
    return [(Span(part),) for part in told if part]


def _when(round_: Round, zone: tzinfo | None) -> str:
    start, end = round_.started_at or round_.first_at, round_.ended_at if round_.is_over else None
    if start is None:
        return ""
    return f"{clock_time(start, zone)} → {clock_time(end, zone) if end is not None else '…'}"


def _about(round_: Round, texts: Texts) -> Line:
    parts: list[Line] = []
    if round_.title:
        parts.append((Span(clean(round_.title, limit=200), Tone.STRONG),))
    if round_.parent is not None:
        key = "tui.round.orphan_of" if round_.is_orphan else "tui.round.part_of"
        parts.append((Span(texts(key, parent=clean(round_.parent.round, limit=40)), Tone.DIM),))
    if not round_.start_seen:
        parts.append((Span(texts("tui.round.start_not_seen"), Tone.WARN),))
    return joined(parts)


def round_title(round_: Round) -> list[str]:
    """Return what names a round: id, agent, thread, as far as they are known."""
    return [clean(part, limit=60) for part in (round_.id, round_.agent, round_.thread) if part]
