"""The table of ``rounds list``."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.rounds import RoundSummary
from ...core.texts.clean import clean
from ...core.texts.durations import short_duration
from ...core.texts.marks import mark
from ...core.texts.moments import date_and_time
from ...core.texts.numbers import UNKNOWN
from .context import Context

COLUMNS = ("started", "round", "agent", "thread", "calls", "total", "input", "output", "verdict")
NUMBERS = frozenset(("calls", "total", "input", "output"))
WIDE = 10_000  # columns when nobody looks: a file keeps every value whole


def print_table(summaries: Iterable[RoundSummary], context: Context) -> None:
    """Write one row per round."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    output, texts = context.output, context.texts
    table = Table(box=None if not output.is_terminal else box.SIMPLE_HEAD, pad_edge=False)
    for column in COLUMNS:
        header = Text(output.fitted(texts(f"cli.rounds.{column}")))
        table.add_column(header, justify="right" if column in NUMBERS else "left", no_wrap=column != "verdict")
    for summary in summaries:
        table.add_row(*(Text(output.fitted(cell)) for cell in _cells(summary, context)))
    output.console.print(table, width=None if output.is_terminal else WIDE)


def _cells(summary: RoundSummary, context: Context) -> tuple[str, ...]:
    texts = context.texts
    shown = mark(summary.outcome)
    sub_round = "  " if summary.parent is not None else ""
    return (
        date_and_time(summary.started_at, texts) if summary.started_at is not None else UNKNOWN,
        sub_round + clean(summary.id),
        clean(summary.agent) if summary.agent else UNKNOWN,
        clean(summary.thread) if summary.thread else UNKNOWN,
        texts.number(summary.calls),
        short_duration(summary.total_ms, texts),
        texts.count(summary.input_tokens),
        texts.count(summary.output_tokens),
        f"{shown.sign(unicode=context.output.is_unicode)} {shown.word(texts)}",
    )
