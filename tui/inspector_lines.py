"""What the inspector shows of one entry: text, reasoning, arguments as received, usage and events raw."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.prices import Pricing
from ..core.rounds import Call, Event, ToolCall, Unrecognised, Usage
from ..core.rounds.base import USAGE_FIELDS
from ..core.rounds.text_buffer import TextBuffer
from ..core.texts import Texts, clean, duration, refusal_text, tool_mark, wrap
from ..core.texts.numbers import UNKNOWN
from .call_row import rate_text
from .cost_lines import call_cost_lines
from .raw_lines import SHOWN_BESIDE, raw_lines
from .raw_log import RawLines
from .safe_text import BLANK, Line, Span, Tone, fitted

MOST_CHARS = 20_000
"""Characters of one text that are laid out; the size of the whole is said."""
LABEL_CELLS = 26
COUNT_CELLS, LEAST_COUNT = 18, 12
_USAGE_WORDS = ("usage_input", "usage_output", "usage_reasoning", "usage_cache_read", "usage_cache_write")
"""In the order of ``USAGE_FIELDS``."""


def inspector_lines(
    entry: Call | ToolCall | Event,
    texts: Texts,
    width: int,
    raw: RawLines | None = None,
    pricing: Pricing | None = None,
) -> list[Line]:
    """Return everything that is known of an entry, in lines of at most ``width`` cells.

    Args:
        raw: the event lines of a call or a tool call as they came; None = they are not in memory.
        pricing: what a call is reckoned with; None leaves its cost out.
    """
    match entry:
        case Call():
            return [*_call(entry, texts, width, pricing), BLANK, *raw_lines(raw, texts, width, SHOWN_BESIDE)]
        case ToolCall():
            return [*_tool(entry, texts, width), BLANK, *raw_lines(raw, texts, width, SHOWN_BESIDE)]
        case Unrecognised():
            return list(_text("tab_events", entry.raw, texts, width))
        case _:
            return list(_text("tab_events", entry.model_dump_json(indent=2, exclude_none=True), texts, width))


def _call(call: Call, texts: Texts, width: int, pricing: Pricing | None) -> Iterator[Line]:
    for key, value in (
        ("ui.column_model", call.model),
        ("tui.inspect.provider", call.provider),
        ("tui.inspect.wire", call.wire),
        ("ui.column_finish", _finish(call, texts)),
        (
            "tui.inspect.native",
            texts("banner.quoted", value=call.native_finish_reason) if call.native_finish_reason else None,
        ),
        ("tui.inspect.detail", call.finish_detail),
        ("ui.stat_first", marked_time(call, "first_output_ms", texts)),
        ("ui.stat_total", marked_time(call, "total_ms", texts)),
        ("ui.column_rate", rate_text(call, texts)),
        ("ui.column_cap", texts.count(call.max_output_tokens)),
    ):
        if value is not None:
            yield _fact(capitalised(key, texts), value, width)
    if pricing is not None:
        for label, words in call_cost_lines(pricing.call(call), texts):
            yield _fact(label, words, width)
    yield BLANK
    yield from _usage(call.usage_as_reported, call.usage, texts, width)
    if call.error is not None:
        yield from _text("tui.inspect.error", call.error.model_dump_json(exclude_none=True), texts, width)
    for tool in call.tool_calls:
        yield BLANK
        yield from _tool(tool, texts, width)
    for key, buffer in (
        ("tab_text", call.output),
        ("tab_reasoning", call.reasoning),
        ("tui.inspect.refusal", call.refusal),
    ):
        if buffer.chars or key == "tab_text":
            yield from _buffer(key, buffer, texts, width)


def capitalised(key: str, texts: Texts) -> str:
    """Return a text that begins small, as a column's heading does, as the label of a line."""
    word = texts(key)
    return word[:1].upper() + word[1:]


def _finish(call: Call, texts: Texts) -> str | None:
    if call.finish_reason:
        return texts("banner.quoted", value=call.finish_reason)
    return texts("ui.none_reported") if call.is_over else None


def marked_time(call: Call, name: str, texts: Texts) -> str:
    """Return ``first_output_ms`` or ``total_ms`` of a call; a derived one is marked."""
    ms = call.first_output_ms if name == "first_output_ms" else call.total_ms
    shown = duration(ms, texts)
    return texts("number.approximate", value=shown) if name in call.derived else shown


def _usage(raw: Usage, normalised: Usage, texts: Texts, width: int) -> Iterator[Line]:
    yield _heading("tab_usage", texts)
    count = min(COUNT_CELLS, max(LEAST_COUNT, width // 3))
    label = max(1, min(LABEL_CELLS, width - 2 * count))
    told = "".join(fitted(texts(f"ui.usage_{each}"), count, right=True) for each in ("raw", "normalised"))
    yield (Span(" " * label + told, Tone.DIM),)
    for name, word in zip(USAGE_FIELDS, _USAGE_WORDS, strict=True):
        numbers = [texts.count(getattr(each, name)) for each in (raw, normalised)]
        shown = "".join(fitted(number, count, right=True) for number in numbers)
        yield (Span(fitted(capitalised(f"ui.{word}", texts), label)), Span(shown))


def _tool(tool: ToolCall, texts: Texts, width: int) -> Iterator[Line]:
    shown = tool_mark(tool.state, tool.why)
    yield (Span(f"{shown.sign()} "), Span(tool.name or tool.id, Tone.STRONG), Span(f"  {shown.word(texts)}"))
    yield _fact(capitalised("tui.inspect.id", texts), tool.id if tool.id_given else texts("event.id_made_up"), width)
    if tool.why is not None:
        yield from ((Span(line, Tone.WARN),) for line in wrap(refusal_text(tool.why, tool.early, texts), width))
    for key, text in (
        ("tui.inspect.told_model", tool.message),
        ("tui.inspect.error", tool.error),
        ("tui.inspect.result", tool.preview),
    ):
        if text:
            yield from _text(key, text, texts, width)
    yield from _text("tab_arguments", tool.arguments, texts, width)


def _fact(label: str, value: str | None, width: int) -> Line:
    return (
        Span(fitted(label, LABEL_CELLS), Tone.DIM),
        Span(fitted(value or UNKNOWN, max(1, width - LABEL_CELLS)).rstrip()),
    )


def _heading(key: str, texts: Texts) -> Line:
    return (Span(texts(key if "." in key else f"ui.{key}"), Tone.KEY),)


def _buffer(key: str, buffer: TextBuffer, texts: Texts, width: int) -> Iterator[Line]:
    yield from _text(key, buffer.text, texts, width)
    if buffer.withheld:
        yield (Span(texts("ui.withheld", n=buffer.withheld), Tone.WARN),)


def _text(key: str, text: str | None, texts: Texts, width: int) -> Iterator[Line]:
    yield BLANK
    yield _heading(key, texts)
    if text is None:
        yield (Span(texts("ui.not_reported"), Tone.DIM),)
        return
    if not text:
        yield (Span(texts("ui.empty"), Tone.DIM),)
        return
    for line in wrap(clean(text[:MOST_CHARS], multi_line=True), width):
        yield (Span(line),)
    if len(text) > MOST_CHARS:
        yield (Span(texts("tui.inspect.shown_first", n=len(text), kept=MOST_CHARS), Tone.WARN),)
