"""The rows of a comparison: one figure of both rounds, whether it differs, and the difference where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from itertools import zip_longest

from ..core.rounds import Call, ToolCall
from ..core.texts import Texts, banner, clean, date_and_time, duration, mark, tool_mark
from ..core.texts.numbers import UNKNOWN
from .call_row import finish_line
from .compared import Compared
from .inspector_lines import capitalised, marked_time
from .safe_text import BLANK, Line, Span, Tone
from .tones import TOOL_TONES, outcome_tone


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the comparison; a heading has no sides."""

    label: str
    left: Line = BLANK
    right: Line = BLANK
    differs: bool = False
    delta: str = ""
    """Right minus left, computed here; empty where a side is not reported, still grows, or both are equal."""
    is_heading: bool = False


def fact_rows(left: Compared, right: Compared, zone: tzinfo | None, texts: Texts) -> Iterator[Row]:
    """Yield what is told of the rounds as a whole, the verdict first."""
    judged = [(side.outcome.verdict, side.outcome.is_answer) for side in (left, right)]
    yield Row(
        capitalised("ui.column_verdict", texts), _verdict(left, texts), _verdict(right, texts), judged[0] != judged[1]
    )
    yield _text_row(texts("ui.fact_status"), left.outcome.status, right.outcome.status, texts)
    if left.outcome.claim is not None or right.outcome.claim is not None:
        yield _text_row(texts("ui.fact_claim"), _claim(left, texts), _claim(right, texts), texts)
    yield _text_row(texts("ui.fact_agent"), left.agent, right.agent, texts)
    for key, names in (("title", (left.title, right.title)), ("thread", (left.thread, right.thread))):
        if names != (None, None):
            yield _text_row(texts(f"ui.fact_{key}"), *names, texts)
    yield Row(
        texts("ui.fact_model"), _models(left, texts), _models(right, texts), left.models != right.models
        and None not in (left.models, right.models),
    )  # fmt: skip
    begun = [date_and_time(each.started, texts, zone) if each.started else None for each in (left, right)]
    yield _text_row(texts("ui.fact_started"), begun[0], begun[1], texts, counts=False)
    yield _time_row(left, right, texts)
    yield _count_row(
        capitalised("ui.column_calls", texts), left.calls, right.calls, texts, final=left.is_over and right.is_over
    )
    for number, key in enumerate(("ui.column_in", "ui.column_out")):
        whole = left.tokens_whole[number] and right.tokens_whole[number]
        label = texts("tui.compare.tokens", which=texts(key))
        yield _count_row(label, left.tokens[number], right.tokens[number], texts, final=whole)


def call_rows(left: Compared, right: Compared, texts: Texts) -> Iterator[Row]:
    """Yield the calls of both rounds, lined up by number, each under a heading."""
    for number, (one, other) in enumerate(zip_longest(left.ledger, right.ledger), start=1):
        told = texts("tui.compare.call", n=number)
        if one is None or other is None:
            told += "  " + texts("tui.compare.only", side="A" if other is None else "B")
        yield Row(told, differs=one is None or other is None, is_heading=True)
        yield from _figures(one, other, left, right, texts)
        yield from _tools(one, other, texts)


def _figures(one: Call | None, other: Call | None, left: Compared, right: Compared, texts: Texts) -> Iterator[Row]:
    both = one is not None and other is not None
    yield _own_row(capitalised("ui.column_model", texts), one, other, lambda call: call.model, texts)
    yield Row(
        capitalised("ui.column_finish", texts),
        _finish(one, left, texts),
        _finish(other, right, texts),
        one is not None
        and other is not None
        and (one.finish_reason, one.outcome) != (other.finish_reason, other.outcome),
    )
    for name, key in (("first_output_ms", "ui.stat_first"), ("total_ms", "ui.stat_total")):
        yield _call_time(capitalised(key, texts), name, one, other, texts)
    for field, key, always in (
        ("input_tokens", "ui.column_in", True),
        ("output_tokens", "ui.column_out", True),
        ("reasoning_tokens", "ui.column_reasoning", False),
        ("cache_read_tokens", "ui.column_cached", False),
    ):
        first, second = (_usage_count(call, field) for call in (one, other))
        if always or first is not None or second is not None:
            plausible = not any(call is not None and call.usage_implausible for call in (one, other))
            label = texts("tui.compare.tokens", which=texts(key))
            row = _count_row(label, first, second, texts, final=both and plausible)
            yield _one_sided(row, one, other)


def _usage_count(call: Call | None, name: str) -> int | None:
    count: int | None = getattr(call.usage, name) if call is not None else None
    return count


def _tools(one: Call | None, other: Call | None, texts: Texts) -> Iterator[Row]:
    asked = [call.tool_calls if call is not None else [] for call in (one, other)]
    for number, (first, second) in enumerate(zip_longest(*asked)):
        label = texts("tui.compare.tools") if number == 0 else ""
        differs = _tool_key(first) != _tool_key(second) and one is not None and other is not None
        yield Row(label, _tool(first, texts), _tool(second, texts), differs)


def _tool_key(tool: ToolCall | None) -> tuple[object, ...]:
    return (tool.name, tool.state, tool.why) if tool is not None else ()


def _tool(tool: ToolCall | None, texts: Texts) -> Line:
    if tool is None:
        return BLANK
    shown, tone = tool_mark(tool.state, tool.why), TOOL_TONES[tool.state]
    name = clean(tool.name or tool.id, limit=60)
    return (Span(f"{shown.sign()} ", tone), Span(name, Tone.STRONG), Span(f"  {shown.word(texts)}", tone))


def _verdict(side: Compared, texts: Texts) -> Line:
    shown = mark(side.outcome)
    return (Span(f"{shown.sign()} {banner(side.outcome, texts).title}", outcome_tone(side.outcome)),)


def _claim(side: Compared, texts: Texts) -> str | None:
    claim = side.outcome.claim
    parts = [part for part in (claim.status, claim.reason) if part] if claim is not None else []
    return ", ".join(texts("banner.quoted", value=clean(part, limit=80)) for part in parts) or None


def _models(side: Compared, texts: Texts) -> Line:
    if side.models is None:
        return (Span(texts("tui.compare.gone"), Tone.DIM),)
    return _cell(", ".join(side.models) or None, texts)


def _finish(call: Call | None, side: Compared, texts: Texts) -> Line:
    return finish_line(call, side.round, texts) if call is not None and side.round is not None else BLANK


def _cell(value: str | None, texts: Texts) -> Line:
    return (Span(clean(value, limit=400)),) if value is not None else (Span(texts("ui.not_reported"), Tone.DIM),)


def _text_row(label: str, left: str | None, right: str | None, texts: Texts, *, counts: bool = True) -> Row:
    """Return a row of words; ``counts`` False = two rounds always differ in it."""
    return Row(label, _cell(left, texts), _cell(right, texts), counts and left != right)


def _own_row(label: str, one: Call | None, other: Call | None, read: Callable[[Call], str | None], texts: Texts) -> Row:
    first, second = (read(call) if call is not None else None for call in (one, other))
    return _one_sided(_text_row(label, first, second, texts), one, other)


def _one_sided(row: Row, one: Call | None, other: Call | None) -> Row:
    """Return ``row`` with nothing where there is no call; the heading says already that there is none."""
    if one is not None and other is not None:
        return row
    return Row(row.label, row.left if one is not None else BLANK, row.right if other is not None else BLANK)


def _count_row(label: str, left: int | None, right: int | None, texts: Texts, *, final: bool) -> Row:
    """Return a row of numbers; ``final`` False = they may still grow or are not whole, so nothing is subtracted."""
    delta = ""
    if final and left is not None and right is not None and left != right:
        delta = _signed(right - left, texts.number(abs(right - left)))
    cells = [_cell(texts.count(value) if value is not None else None, texts) for value in (left, right)]
    return Row(label, cells[0], cells[1], left != right, delta)


def _time_row(left: Compared, right: Compared, texts: Texts) -> Row:
    cells: list[Line] = []
    for side in (left, right):
        written = duration(side.total_ms, texts) if side.total_ms is not None else None
        cells.append(_cell(f"{written} …" if written is not None and not side.is_over else written, texts))
    final = left.is_over and right.is_over
    delta = _ms_delta(left.total_ms, right.total_ms, texts) if final else ""
    return Row(texts("ui.fact_duration"), cells[0], cells[1], left.total_ms != right.total_ms, delta)


def _call_time(label: str, name: str, one: Call | None, other: Call | None, texts: Texts) -> Row:
    cells: list[Line] = []
    values: list[float | None] = []
    derived = False
    for call in (one, other):
        value: float | None = getattr(call, name) if call is not None else None
        derived = derived or (call is not None and name in call.derived)
        cells.append(_cell(marked_time(call, name, texts) if call is not None and value is not None else None, texts))
        values.append(value)
    delta = _ms_delta(values[0], values[1], texts)
    delta = texts("number.approximate", value=delta) if delta and derived else delta
    return _one_sided(Row(label, cells[0], cells[1], values[0] != values[1], delta), one, other)


def _ms_delta(left: float | None, right: float | None, texts: Texts) -> str:
    """Return the signed difference of two times; empty where one is not known, or where they look the same."""
    if left is None or right is None or duration(left, texts) == duration(right, texts):
        return ""
    return _signed(right - left, duration(abs(right - left), texts))


def _signed(difference: float, written: str) -> str:
    return f"{'+' if difference > 0 else '−'}{written}" if written != UNKNOWN else ""
