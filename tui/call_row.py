"""The row of one model call: its figures in columns, or in two lines where it is narrow."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..core.rounds import Call, CallOutcome, Round, StopReason
from ..core.texts import Texts, clean, duration, short_duration
from ..core.texts.numbers import UNKNOWN
from .model_name import short_model
from .safe_text import BLANK, Line, Span, Tone, cut_line, fitted, line_cells

WIDE_FROM, TABLE_FROM = 100, 60
"""Cells from which every figure has a column, and from which the first ones have."""
ROOMY_MODEL, WIDEST_MODEL = 18, 34
"""Cells in which most models' names stand whole; with fewer, the other columns shrink to what figures need."""
LEAST_FINISH = 17
"""A quoted ``content_filter`` stands whole, and so does the German for a reason that nobody reported."""
NATURAL = frozenset((StopReason.END, StopReason.STOP_SEQUENCE, StopReason.TOOL_USE))
_BARE_OUTCOMES = frozenset((CallOutcome.FAILED, CallOutcome.CANCELLED, CallOutcome.STALLED, CallOutcome.BODY_CUT))


@dataclass(frozen=True, slots=True)
class CallColumns:
    """The widths of the columns of a call's row; 0 = no such column."""

    model: int
    number: int = 3
    first: int = 8
    total: int = 8
    input: int = 8
    output: int = 7
    reasoning: int = 0
    cached: int = 0
    rate: int = 0
    cap: int = 0
    finish: int = 18

    @classmethod
    def for_width(cls, width: int) -> CallColumns | None:
        """Return the columns that fit; None where a row has to be two lines."""
        if width < TABLE_FROM:
            return None
        extra = {"reasoning": 10, "cached": 8, "rate": 8, "cap": 8, "finish": 19} if width >= WIDE_FROM else {}
        own = cls(model=0, **extra)
        fixed = sum(cells + 1 for cells in own.widths().values() if cells)
        if width - fixed < ROOMY_MODEL:
            extra["finish"] = LEAST_FINISH
            own = cls(model=0, first=7, total=7, input=7, output=6, **extra)
            fixed = sum(cells + 1 for cells in own.widths().values() if cells)
        return cls(**{**own.widths(), "model": max(7, min(WIDEST_MODEL, width - fixed))})

    def widths(self) -> dict[str, int]:
        """Return the columns in the order they stand."""
        return {
            "number": self.number,
            "model": self.model,
            "first": self.first,
            "total": self.total,
            "input": self.input,
            "output": self.output,
            "reasoning": self.reasoning,
            "cached": self.cached,
            "rate": self.rate,
            "cap": self.cap,
            "finish": self.finish,
        }


_HEADINGS = {
    "number": "ui.column_number",
    "model": "ui.column_model",
    "first": "ui.column_first",
    "total": "ui.column_total",
    "input": "ui.column_in",
    "output": "ui.column_out",
    "reasoning": "ui.column_reasoning",
    "cached": "ui.column_cached",
    "rate": "ui.column_rate",
    "cap": "ui.column_cap",
    "finish": "ui.column_finish",
}
_LEFT = frozenset(("model", "finish"))


def heading(columns: CallColumns | None, texts: Texts) -> Line:
    """Return the column headings of the call rows; nothing where there are no columns."""
    if columns is None:
        return BLANK
    shown = [(name, cells) for name, cells in columns.widths().items() if cells]
    words = [fitted(_heading(name, texts), cells, right=name not in _LEFT) for name, cells in shown]
    return (Span(" ".join(words), Tone.DIM),)


def _heading(name: str, texts: Texts) -> str:
    word = texts(_HEADINGS[name])
    return f" {word}" if name == "finish" else word  # a number at its left needs room


def call_head(
    call: Call, number: int, round_: Round, columns: CallColumns | None, texts: Texts, width: int
) -> list[Line]:
    """Return the row of a call: one line in columns, two where it is narrow."""
    cells = _cells(call, number, columns, texts)
    finish = finish_line(call, round_, texts)
    if columns is None:
        return _narrow_head(cells, finish, width)
    spans: list[Span] = []
    longer = max(0, len(cells["number"]) - columns.number)  # from the thousandth call on the model gives way
    columns = replace(columns, number=columns.number + longer, model=columns.model - longer)
    for name, wide in columns.widths().items():
        if name == "finish":
            spans.extend((Span("  "), *cut_line(finish, max(1, width - line_cells(tuple(spans)) - 2))))
        elif wide:
            gap = " " if spans else ""
            tone = Tone.STRONG if name in ("number", "model") else Tone.PLAIN
            shown = short_model(cells[name], wide) if name == "model" else cells[name]
            spans.append(Span(gap + fitted(shown, wide, right=name not in _LEFT), tone))
    return [tuple(spans)]


def _narrow_head(cells: dict[str, str], finish: Line, width: int) -> list[Line]:
    times = f"{cells['first']} / {cells['total']}"
    number = max(3, len(cells["number"]))
    room = max(4, width - len(times) - 4 - number)
    first: Line = (
        Span(fitted(cells["number"], number, right=True), Tone.STRONG),
        Span(" " + fitted(short_model(cells["model"], room), room), Tone.STRONG),
    )
    return [(*first, Span("  " + times)), cut_line((Span("    " + cells["tokens"] + "  "), *finish), width)]


def _cells(call: Call, number: int, columns: CallColumns | None, texts: Texts) -> dict[str, str]:
    usage = call.usage
    output = texts.short(usage.output_tokens)
    return {
        "number": texts.number(number),
        "model": call.model or UNKNOWN,
        "first": _time(call, "first_output_ms", call.first_output_ms, texts),
        "total": _time(call, "total_ms", call.total_ms, texts),
        "input": _count(usage.input_tokens, texts, columns.input if columns is not None else 8),
        "output": _count(usage.output_tokens, texts, columns.output if columns is not None else 7),
        "reasoning": _count(usage.reasoning_tokens, texts, 8),
        "cached": _count(usage.cache_read_tokens, texts, 8),
        "rate": rate_text(call, texts),
        "cap": _count(call.max_output_tokens, texts, 8),
        "tokens": texts("ui.tokens_out", count=output),
    }


def _count(value: int | None, texts: Texts, cells: int) -> str:
    written = texts.count(value)
    return written if len(written) <= cells else texts.short(value)


def _time(call: Call, name: str, ms: float | None, texts: Texts) -> str:
    """Return a time short enough for its column; one that we derived is marked."""
    written = duration(ms, texts) if ms is None or ms < 99_950 else short_duration(ms, texts)
    return f"≈{written}" if name in call.derived else written


def rate_text(call: Call, texts: Texts) -> str:
    """Return output tokens a second of streaming; ``–`` where one of the three figures is not reported."""
    tokens, first, total = call.usage.output_tokens, call.first_output_ms, call.total_ms
    if tokens is None or tokens <= 0 or first is None or total is None or total <= first or call.usage_implausible:
        return UNKNOWN
    rate = tokens / ((total - first) / 1000)
    written = texts("tui.call.per_second", value=texts.number(rate, places=0 if rate >= 10 else 1))
    return f"≈{written}" if call.derived else written


def finish_line(call: Call, round_: Round, texts: Texts) -> Line:
    """Return the wire finish reason in quotes, or what stands in its place."""
    if call.finish_reason is not None and call.finish_reason.strip():
        tone = Tone.GOOD if call.judged_reason in NATURAL else Tone.WARN if call.is_cut else Tone.BAD
        if call.outcome in _BARE_OUTCOMES:
            tone = Tone.BAD
        elif call.stop_reason in (StopReason.UNKNOWN, StopReason.PAUSED):
            tone = Tone.WARN
        return (Span(texts("banner.quoted", value=clean(call.finish_reason, limit=80)), tone),)
    if call.outcome in _BARE_OUTCOMES:
        return (Span(texts(f"tui.call.{call.outcome}"), Tone.BAD),)
    if call.is_over:
        return (Span(texts("ui.none_reported"), Tone.BAD),)
    if round_.is_over:
        return (Span(texts("tui.call.never_ended"), Tone.BAD),)
    return (Span(texts("tui.call.streaming" if call.output_seen else "tui.call.waiting"), Tone.INFO),)
