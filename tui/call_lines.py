"""The lines around a call's row: its bar, what is special about it, what it carries on, what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..core.rounds import Call, ContinuationKind, Round, StopReason
from ..core.texts import Texts, clean, short_duration, wrap
from ..core.texts.numbers import UNKNOWN
from .call_row import TABLE_FROM, rate_text
from .safe_text import BLANK, Line, Span, Tone, cut, joined, line_cells
from .time_axis import TimeAxis

INDENT = 5
SILENT_AFTER_S = 5.0
"""A running call without output for longer than this says so; streams pause for a second or two."""
MOST_ERROR_LINES = 3


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
