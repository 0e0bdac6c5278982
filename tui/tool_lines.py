"""The line of one tool call in a timeline: glyph and word for its state, then what is known about it."""

from __future__ import annotations

from datetime import datetime

from ..core.rounds import Outcome, Round, ToolCall, ToolState
from ..core.texts.clean import clean
from ..core.texts.durations import duration, short_duration
from ..core.texts.marks import mark, tool_mark
from ..core.texts.texts import Texts
from .call_lines import INDENT
from .safe_text import Line, Span, Tone, cut_line, fitted, joined, line_cells
from .tones import TOOL_TONES, outcome_tone

NAME_CELLS = 18
WORD_CELLS = 16
PREVIEW_CHARS = 240


def tool_line(
    tool: ToolCall, child: tuple[Round, Outcome] | None, texts: Texts, width: int, now: datetime, *, told_wrongly: bool
) -> Line:
    """Return a tool call's line.

    Args:
        child: the sub-round that it ran, with how that one stands.
        told_wrongly: the tool call reports ok although its sub-round is no answer.
    """
    state = tool.state
    shown, tone = tool_mark(state, tool.why), TOOL_TONES[state]
    narrow = width < 60
    name = tool.name or tool.id
    head: Line = (
        Span(" " * (3 if narrow else INDENT)),
        Span(f"{shown.sign()} ", tone),
        Span(fitted(name, max(NAME_CELLS, 0) if not narrow else 12) + " ", Tone.STRONG),
        Span(fitted(shown.word(texts), min(WORD_CELLS, max(0, width - 18))) + " ", tone),
    )
    parts = _parts(tool, child, texts, now, told_wrongly=told_wrongly)
    rest = width - line_cells(head)
    return (*head, *cut_line(joined(parts, "  "), rest)) if rest > 3 else cut_line(head, width)


def _parts(
    tool: ToolCall, child: tuple[Round, Outcome] | None, texts: Texts, now: datetime, *, told_wrongly: bool
) -> list[Line]:
    parts: list[Line] = []
    if tool.elapsed_ms is not None:
        parts.append((Span(duration(tool.elapsed_ms, texts)),))
    elif tool.state is ToolState.RUNNING and tool.started_at is not None:
        running = max(0.0, (now - tool.started_at).total_seconds() * 1000)
        parts.append((Span(short_duration(running, texts), Tone.INFO),))
    if child is not None:
        parts.append(_child(*child, texts))
    if told_wrongly:
        parts.append((Span(texts("tui.tool.told_wrongly"), Tone.BAD),))
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


def _child(round_: Round, outcome: Outcome, texts: Texts) -> Line:
    shown = mark(outcome)
    name = clean(round_.agent or round_.id, limit=30)
    return (Span("→ "), Span(f"{name} "), Span(f"{shown.sign()} {shown.word(texts)}", outcome_tone(outcome)))
