"""The lines of one model call in a timeline: its row of figures, its bar, what is special about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..core.rounds import Call, CallOutcome, ContinuationKind, Round, StopReason
from ..core.texts import Texts, clean, duration, short_duration, wrap
from ..core.texts.numbers import UNKNOWN
from .safe_text import BLANK, Line, Span, Tone, cut, cut_line, fitted, joined, line_cells
from .time_axis import TimeAxis

INDENT = 5
WIDE_FROM, TABLE_FROM = 100, 56
"""Cells from which every figure has a column, and from which the first ones have."""
SILENT_AFTER_S = 5.0
"""A running call without output for longer than this says so; streams pause for a second or two."""
MOST_ERROR_LINES = 3
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
    finish: int = 15

    @classmethod
    def for_width(cls, width: int) -> CallColumns | None:
        """Return the columns that fit; None where a row has to be two lines."""
        if width < TABLE_FROM:
            return None
        extra = {"reasoning": 10, "cached": 8, "rate": 8, "cap": 8, "finish": 18} if width >= WIDE_FROM else {}
        own = cls(model=0, **extra)
        fixed = sum(cells + 1 for cells in own.widths().values() if cells)
        if width - fixed < 9:
            own = cls(model=0, first=7, total=7, output=6, finish=14)
            fixed = sum(cells + 1 for cells in own.widths().values() if cells)
        return cls(**{**own.widths(), "model": max(8, min(28, width - fixed))})

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
    words = [fitted(texts(_HEADINGS[name]), cells, right=name not in _LEFT) for name, cells in shown]
    return (Span(" ".join(words), Tone.DIM),)


def call_head(
    call: Call, number: int, round_: Round, columns: CallColumns | None, texts: Texts, width: int
) -> list[Line]:
    """Return the row of a call: one line in columns, two where it is narrow."""
    cells = _cells(call, number, texts)
    finish = finish_line(call, round_, texts)
    if columns is None:
        return _narrow_head(cells, finish, width)
    spans: list[Span] = []
    for name, wide in columns.widths().items():
        if name == "finish":
            spans.extend((Span(" "), *cut_line(finish, max(1, width - line_cells(tuple(spans)) - 1))))
        elif wide:
            gap = " " if spans else ""
            tone = Tone.STRONG if name in ("number", "model") else Tone.PLAIN
            spans.append(Span(gap + fitted(cells[name], wide, right=name not in _LEFT), tone))
    return [tuple(spans)]


def _narrow_head(cells: dict[str, str], finish: Line, width: int) -> list[Line]:
    times = f"{cells['first']} / {cells['total']}"
    room = max(4, width - len(times) - 7)
    first: Line = (
        Span(fitted(cells["number"], 3, right=True), Tone.STRONG),
        Span(" " + fitted(cells["model"], room), Tone.STRONG),
    )
    return [(*first, Span("  " + times)), cut_line((Span("    " + cells["tokens"] + "  "), *finish), width)]


def _cells(call: Call, number: int, texts: Texts) -> dict[str, str]:
    usage = call.usage
    output = texts.short(usage.output_tokens)
    return {
        "number": texts.number(number),
        "model": call.model or UNKNOWN,
        "first": _time(call, "first_output_ms", call.first_output_ms, texts),
        "total": _time(call, "total_ms", call.total_ms, texts),
        "input": _count(usage.input_tokens, texts, 8),
        "output": _count(usage.output_tokens, texts, 7),
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
        if call.stop_reason in (StopReason.UNKNOWN, StopReason.PAUSED):
            tone = Tone.WARN
        return (Span(texts("banner.quoted", value=clean(call.finish_reason, limit=80)), tone),)
    if call.outcome in _BARE_OUTCOMES:
        return (Span(texts(f"tui.call.{call.outcome}"), Tone.BAD),)
    if call.is_over:
        return (Span(texts("ui.none_reported"), Tone.BAD),)
    if round_.is_over:
        return (Span(texts("tui.call.never_ended"), Tone.BAD),)
    return (Span(texts("tui.call.streaming" if call.output_seen else "tui.call.waiting"), Tone.INFO),)


def pieces(call: Call, texts: Texts, *, in_columns: bool) -> list[Line]:
    """Return what is said beside or below the bar: the cut first, then the figures that have no column."""
    found: list[Line] = []
    if call.is_cut:
        found.append((Span(_cut_text(call, texts), Tone.WARN),))
    usage = call.usage
    if not in_columns:
        if call.max_output_tokens is not None:
            found.append((Span(texts("tui.call.limit", n=call.max_output_tokens), Tone.DIM),))
        for key, value in (("reasoning", usage.reasoning_tokens), ("cached", usage.cache_read_tokens)):
            if value is not None:
                found.append((Span(texts(f"ui.tokens_{key}", count=texts.count(value)), Tone.DIM),))
        if (rate := rate_text(call, texts)) != UNKNOWN:
            found.append((Span(rate, Tone.DIM),))
    if usage.cache_write_tokens:
        count = texts.count(usage.cache_write_tokens)
        found.append((Span(texts("tui.call.cache_written", count=count), Tone.DIM),))
    if call.attempt is not None and call.attempt > 1:
        found.append((Span(texts("event.retry", attempt=call.attempt), Tone.DIM),))
    return found + _reasons(call, texts)


def _reasons(call: Call, texts: Texts) -> list[Line]:
    """Return the words that differ from the finish reason: upstream's, repeated ones, those of other choices."""
    found: list[Line] = []
    native = (call.native_finish_reason or "").strip()
    if native and native != call.finish_reason:
        found.append((Span(texts("tui.call.native", reason=clean(native, limit=60)), Tone.WARN),))
    for word in call.finish_repeated[:3]:
        found.append((Span(texts("tui.call.repeated", reason=clean(word, limit=60)), Tone.WARN),))
    if len(call.choices) > 1:
        for choice in call.choices[:8]:
            word = clean(choice.finish_reason or "", limit=60) or texts("ui.none_reported")
            found.append((Span(texts("tui.call.choice", index=str(choice.index), reason=word), Tone.WARN),))
    return found


def _cut_text(call: Call, texts: Texts) -> str:
    if call.stop_reason is StopReason.CONTEXT_WINDOW:
        return f"▣ {texts('tui.call.cut_window')}"
    n = call.usage.output_tokens
    return f"✂ {texts('tui.call.cut') if n is None else texts('tui.call.cut_at', n=n)}"


def link_line(call: Call, numbers: dict[str, int], texts: Texts) -> Line:
    """Return what a continuation carries on; nothing for an ordinary call."""
    if call.continuation is None:
        return BLANK
    number = numbers.get(call.continuation.of)
    kind = "cap" if call.continuation.kind is ContinuationKind.OUTPUT_CAP else "stream"
    of = texts.number(number) if number is not None else clean(call.continuation.of, limit=20)
    return (Span("  " + texts(f"event.continued_{kind}", call=of), Tone.INFO),)


def error_lines(call: Call, texts: Texts, width: int) -> list[Line]:
    """Return what went wrong with a call, in the words of whoever reported it."""
    error = call.error
    if error is None:
        return []
    status = [texts("mark.provider_error_status", status=str(error.http_status))] if error.http_status else []
    quoted = [texts("banner.quoted", value=clean(error.message, limit=400))] if error.message else []
    said = "  ".join([*status, clean(error.code or error.kind, limit=60), *quoted])
    lines = wrap(said, max(8, width - INDENT - 2))
    shown = lines[:MOST_ERROR_LINES]
    if len(lines) > MOST_ERROR_LINES:
        shown[-1] = cut(shown[-1] + " …", width - INDENT - 2)
    return [(Span(" " * INDENT + ("↯ " if index == 0 else "  ") + text, Tone.BAD),) for index, text in enumerate(shown)]


def bar_cells(width: int) -> int:
    """Return the cells of every bar of a round, so that all stand on one axis."""
    return max(10, min(64, (width - INDENT) * 9 // 20)) if width >= TABLE_FROM else max(6, width - INDENT)


def beside_bar(found: Sequence[Line], width: int) -> tuple[list[Line], list[Line]]:
    """Split pieces into those that fit beside the bar and the rest."""
    room = width - INDENT - bar_cells(width) - 1
    for count in range(len(found), 0, -1):
        if line_cells(joined(found[:count], "  ")) <= room:
            return list(found[:count]), list(found[count:])
    return [], list(found)


def bar_line(call: Call, axis: TimeAxis, beside: Sequence[Line], width: int) -> Line:
    """Return the bar with what stands beside it."""
    bar = axis.bar(call, bar_cells(width)) or (Span(" " * bar_cells(width)),)
    line = (Span(" " * INDENT), *bar)
    return (*line, Span(" "), *joined(beside, "  ")) if beside else line


def silence(call: Call, round_: Round, texts: Texts, now: datetime) -> Line:
    """Return how long a running call has sent no output, once that is worth a word.

    A running tool or a pending approval is no silence (outcomes.md 2.6.10).
    """
    since = call.last_output_at or call.started_at
    if call.is_over or round_.is_over or since is None or round_.suspended is not None:
        return BLANK
    if any(tool.started for tool in round_.open_tools.values()):
        return BLANK
    silent = (now - since).total_seconds()
    if silent < SILENT_AFTER_S:
        return BLANK
    key = "ui.silent" if call.output_seen else "tui.call.waiting_for"
    return (Span(texts(key, span=short_duration(silent * 1000, texts)), Tone.WARN),)
