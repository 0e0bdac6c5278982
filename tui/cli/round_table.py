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
SPARED = frozenset(("thread", "input", "output"))
"""What a narrow screen goes without."""
NARROW = 110


def print_table(summaries: Iterable[RoundSummary], context: Context) -> None:
    """Write one row per round; a file gets every column in full, a narrow screen the important ones."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    output, texts = context.output, context.texts
    shown = [name for name in COLUMNS if output.console.width >= NARROW or name not in SPARED]
    table = Table(box=box.SIMPLE_HEAD if output.is_terminal and output.is_unicode else None, pad_edge=False)
    for column in shown:
        header = Text(output.fitted(texts(f"cli.rounds.{column}")))
        table.add_column(header, justify="right" if column in NUMBERS else "left", no_wrap=True)
    for summary in summaries:
        cells: dict[str, str] = dict(zip(COLUMNS, _cells(summary, context), strict=True))
        table.add_row(*(Text(output.fitted(cells[name])) for name in shown))
    output.console.print(table)


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
