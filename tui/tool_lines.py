"""The line of one tool call in a timeline: glyph and word for its state, then what is known about it."""

from __future__ import annotations

from datetime import datetime

from ..core.rounds import Outcome, Round, ToolCall, ToolState
from ..core.texts import Texts, clean, duration, mark, short_duration, tool_mark
from .call_lines import INDENT
from .safe_text import Line, Span, Tone, cut_line, fitted, joined, line_cells
from .tones import TOOL_TONES, outcome_tone

NAME_CELLS = 18
NARROW_NAME_CELLS = 12
NARROW_BELOW = 60
WORD_CELLS = 16
PREVIEW_CHARS = 240


def tool_line(tool: ToolCall, texts: Texts, width: int, now: datetime) -> Line:
    """Return a tool call's line."""
    state = tool.state
    shown, tone = tool_mark(state, tool.why), TOOL_TONES[state]
    narrow = width < NARROW_BELOW
    head: Line = (
        Span(" " * (3 if narrow else INDENT)),
        Span(f"{shown.sign()} ", tone),
        Span(fitted(tool.name or tool.id, NARROW_NAME_CELLS if narrow else NAME_CELLS) + " ", Tone.STRONG),
        Span((shown.word(texts) if narrow else fitted(shown.word(texts), WORD_CELLS)) + " ", tone),
    )
    rest = width - line_cells(head)
    return (*head, *cut_line(joined(_parts(tool, texts, now), "  "), rest)) if rest > 3 else cut_line(head, width)


def child_line(round_: Round, outcome: Outcome, texts: Texts, width: int, *, told_wrongly: bool) -> Line:
    """Return the line of the sub-round that a tool call ran.

    Args:
        told_wrongly: the tool call reports ok although the sub-round is no answer.
    """
    shown = mark(outcome)
    name = clean(round_.agent or round_.id, limit=30)
    line: Line = (
        Span(" " * INDENT + "└ ", Tone.FRAME),
        Span(f"{name}  "),
        Span(f"{shown.sign()} {shown.word(texts)}", outcome_tone(outcome)),
    )
    if told_wrongly:
        line = (*line, Span("  " + texts("tui.tool.told_wrongly"), Tone.BAD))
    return cut_line(line, width)


def _parts(tool: ToolCall, texts: Texts, now: datetime) -> list[Line]:
    parts: list[Line] = []
    if tool.elapsed_ms is not None:
        parts.append((Span(duration(tool.elapsed_ms, texts)),))
    elif tool.state is ToolState.RUNNING and tool.started_at is not None:
        running = max(0.0, (now - tool.started_at).total_seconds() * 1000)
        parts.append((Span(short_duration(running, texts), Tone.INFO),))
    for said, key in (
        (tool.server, "event.server_tool"),
        (not tool.id_given, "tui.tool.no_id"),
        (bool(tool.early) and tool.why is not None, "tui.tool.result_dropped"),
        (bool(tool.early) and tool.why is None, "tui.tool.early"),
        (not tool.arguments_whole and tool.why is None, "tui.tool.arguments_incomplete"),
    ):
        if said:
            parts.append((Span(texts(key), Tone.WARN),))
    if tool.error:
        parts.append((Span(texts("banner.quoted", value=clean(tool.error, limit=PREVIEW_CHARS)), Tone.BAD),))
    if tool.arguments:
        parts.append((Span(clean(tool.arguments, limit=PREVIEW_CHARS), Tone.DIM),))
    return parts
