"""Cost as lines: by model and by day under the statistics, and of one call in the inspector."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.prices import Bound, Cost, CostSum, NoCost
from ..core.texts import Texts, clean, wrap
from ..core.texts.costs import cost_text, short_cost_text
from ..core.texts.moments import day_text
from .cost_statistics import CostStatistics
from .model_name import short_model
from .safe_text import BLANK, Line, Span, Tone, cut_line, fitted
from .statistics import OTHERS

NAME_CELLS, COUNT_CELLS, AMOUNT_CELLS = 24, 8, 16
NARROW_NAME = 14
WIDE_FROM = 60
SHOWN_DAYS = 14


def cost_lines(costs: CostStatistics, texts: Texts, width: int) -> Iterator[Line]:
    """Yield what calls cost by model, the dearest first, and by day, the newest first; nothing without a call.

    No line is wider than ``width`` cells.
    """
    if costs.models:
        yield BLANK
        yield from (cut_line(line, width) for line in _tables(costs, texts, width))


def _tables(costs: CostStatistics, texts: Texts, width: int) -> Iterator[Line]:
    models = sorted(costs.models.items(), key=lambda each: (-_size(each[1]), each[0] or ""))
    names = {None: texts("ui.not_reported"), OTHERS: texts("tui.stat.others")}
    yield from _table("cost.by_model", ((names.get(name, name or ""), total) for name, total in models), texts, width)
    yield BLANK
    days = sorted(costs.days.items(), key=lambda each: (each[0] is not None, each[0]), reverse=True)[:SHOWN_DAYS]
    rows = ((texts("cost.day_unknown") if day is None else day_text(day, texts), total) for day, total in days)
    yield from _table("cost.by_day", rows, texts, width)
    yield BLANK
    yield from ((Span(line, Tone.DIM),) for line in wrap(texts("cost.how"), width))


def call_cost_lines(cost: Cost | NoCost, texts: Texts) -> Iterator[tuple[str, str]]:
    """Yield label and words of what one call cost, and what it was reckoned with."""
    yield texts("cost.title"), cost_text(cost, texts)
    if isinstance(cost, NoCost):
        return
    if cost.bound is not Bound.EXACT:
        yield "", texts(f"cost.{cost.bound}")
    source = clean(cost.price.source, limit=200)
    yield "", texts("cost.price", checked=day_text(cost.price.checked, texts), source=source)


def _size(total: CostSum) -> float:
    return float(sum(total.amounts.values()))


def _table(title: str, rows: Iterator[tuple[str, CostSum]], texts: Texts, width: int) -> Iterator[Line]:
    name = NAME_CELLS if width >= WIDE_FROM else NARROW_NAME
    count = COUNT_CELLS if width >= name + COUNT_CELLS + AMOUNT_CELLS else 0
    head = fitted(texts("ui.column_calls"), count, right=True) + fitted(texts("cost.title"), AMOUNT_CELLS, right=True)
    yield (Span(texts(title), Tone.KEY),)
    yield (Span(" " * name + head, Tone.DIM),)
    for label, total in rows:
        missing = texts("cost.without", n=total.missing) if total.missing else ""
        yield (
            Span(fitted(short_model(label, name - 1), name), Tone.STRONG),
            Span(fitted(texts.number(total.known + total.missing), count, right=True)),
            Span(fitted(short_cost_text(total, texts), AMOUNT_CELLS, right=True)),
            Span(f"   {missing}" if missing else "", Tone.DIM),
        )
