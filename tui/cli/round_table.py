"""The table of ``rounds list``."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from ...core.texts.cells import cell_width
from ...core.texts.clean import clean
from ...core.texts.costs import short_cost_text
from ...core.texts.durations import short_duration
from ...core.texts.marks import mark
from ...core.texts.moments import date_and_time, zone_name
from ...core.texts.numbers import UNKNOWN
from ...core.texts.texts import Texts
from .context import Context
from .stored_rounds import StoredRound

COLUMNS = ("started", "round", "agent", "thread", "calls", "total", "input", "output", "cost", "verdict")
NUMBERS = frozenset(("calls", "total", "input", "output", "cost"))
SPARED = frozenset(("thread", "input", "output", "cost"))
"""What a narrow screen goes without."""
NARROW = 110
SHORTENED = frozenset(("round", "agent", "thread"))
"""What ends in an ellipsis where room is short; numbers and verdicts never do."""
SHORTEST = 6  # below this a name says nothing
GAP = 2


def print_table(rounds: Iterable[StoredRound], context: Context) -> None:
    """Write one row per round; a file gets every column in full, a narrow screen the important ones."""
    from rich.table import Table
    from rich.text import Text

    output = context.output
    names = [name for name in COLUMNS if output.console.width >= NARROW or name not in SPARED]
    rounds = list(rounds)
    head = {name: output.fitted(context.texts(f"cli.rounds.{name}")) for name in names}
    zones = {zone_name(at) for each in rounds if (at := each.summary.started_at) is not None}
    if len(zones) == 1:  # in summer and winter it differs: then each row says its own
        head["started"] += f" ({output.fitted(zones.pop())})"
    each_zone = len(zones) > 1
    rows = [
        {name: output.fitted(cell) for name, cell in _cells(each, context, each_zone=each_zone).items()}
        for each in rounds
    ]
    widths = {name: max(cell_width(row[name]) for row in (head, *rows)) for name in names}
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for name, width in _fitted(widths, output.console.width).items():
        side: Literal["left", "right"] = "right" if name in NUMBERS else "left"
        table.add_column(Text(head[name], style="bold"), justify=side, no_wrap=True, width=width)
    for row in rows:
        table.add_row(*(Text(row[name]) for name in names))
    output.console.print(table)


def _fitted(widths: dict[str, int], room: int) -> dict[str, int]:
    """Return the columns' widths such that they fit into ``room`` cells, as far as shortening goes."""
    fitted = dict(widths)
    over = sum(fitted.values()) + GAP * len(fitted) - room
    while over > 0:
        longest = max(SHORTENED & fitted.keys(), key=lambda name: fitted[name])
        if fitted[longest] <= SHORTEST:
            break
        fitted[longest] -= 1
        over -= 1
    return fitted


def _moment(moment: datetime | None, texts: Texts, *, zone: bool) -> str:
    if moment is None:
        return UNKNOWN
    return f"{date_and_time(moment, texts)} {zone_name(moment)}" if zone else date_and_time(moment, texts)


def _cells(stored: StoredRound, context: Context, *, each_zone: bool) -> dict[str, str]:
    texts, summary = context.texts, stored.summary
    shown = mark(summary.outcome)
    sub_round = "  " if summary.parent is not None else ""
    return {
        "started": _moment(summary.started_at, texts, zone=each_zone),
        "round": sub_round + clean(summary.id),
        "agent": clean(summary.agent) if summary.agent else UNKNOWN,
        "thread": clean(summary.thread) if summary.thread else UNKNOWN,
        "calls": texts.number(summary.calls),
        "total": short_duration(summary.total_ms, texts),
        "input": texts.count(summary.input_tokens),
        "output": texts.count(summary.output_tokens),
        "cost": short_cost_text(stored.spent, texts),
        "verdict": f"{shown.sign(unicode=context.output.is_unicode)} {shown.word(texts)}",
    }
