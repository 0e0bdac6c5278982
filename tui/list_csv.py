"""The list as CSV: one row a round, values for machines; no cell can be a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from ..core.prices import CostSum
from .listed_round import ListedRound

COLUMNS = (
    "started", "round", "agent", "thread", "title", "calls", "first_output_ms", "total_ms", "input_tokens",
    "output_tokens", "verdict", "is_answer", "finish_reason", "hub", "cost", "currency", "cost_bound",
    "calls_without_cost",
)  # fmt: skip
FORMULA_SIGNS = "=+-@\t\r\n＝＋－＠"
"""What a spreadsheet takes a cell for a formula by, the wide forms of the signs too."""
AT_ONCE = 200
"""Rows a piece."""


def csv_pieces(rows: Iterable[ListedRound]) -> Iterator[bytes]:
    """Yield the table in pieces, UTF-8 with a mark that spreadsheets know it by; an unknown value is an empty cell."""
    yield "\ufeff".encode()
    file = io.StringIO(newline="")
    written = csv.writer(file, quoting=csv.QUOTE_MINIMAL)
    written.writerow(COLUMNS)
    for number, row in enumerate(rows, start=1):
        written.writerow(_cells(row))
        if number % AT_ONCE == 0:
            yield file.getvalue().encode("utf-8", "replace")
            file.seek(0)
            file.truncate()
    yield file.getvalue().encode("utf-8", "replace")


def _cells(row: ListedRound) -> list[str | int | float | None]:
    figures = row.outcome.figures
    return [
        row.started.isoformat() if row.started is not None else None,
        escaped(row.id),
        escaped(row.agent),
        escaped(row.thread),
        escaped(row.title),
        row.calls,
        figures.first_output_ms if figures is not None else None,
        row.total_ms,
        row.tokens[0],
        row.tokens[1],
        str(row.outcome.verdict),
        "yes" if row.outcome.is_answer else "no",
        escaped(figures.finish_reason if figures is not None else None),
        escaped(row.hub or None),
        *_cost(row.spent),
    ]


def _cost(spent: CostSum | None) -> list[str | int | None]:
    """Return amount, currency, bound and the number of calls without a known cost; sums in several are none."""
    if spent is None:
        return [None, None, None, None]
    if len(spent.amounts) != 1:
        return [None, "+".join(sorted(spent.amounts)) or None, None, spent.missing]
    ((currency, amount),) = spent.amounts.items()
    return [f"{amount:f}", currency, spent.bound or "either_side", spent.missing]


def escaped(text: str | None) -> str | None:
    """Return a text that a spreadsheet shows and never computes: an apostrophe before what begins like a formula."""
    if text is None:
        return None
    text = text.replace("\x00", "\u2400")
    return f"'{text}" if text.lstrip(" ")[:1] in tuple(FORMULA_SIGNS) else text
