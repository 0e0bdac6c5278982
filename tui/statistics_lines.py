"""The statistics as lines: verdicts as bars, then for each measure one row a model with its distribution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..core.texts import VERDICT_MARKS, Texts, duration, wrap
from ..core.texts.numbers import UNKNOWN
from .model_name import short_model
from .safe_text import BLANK, Line, Span, Tone, cut_line, fitted
from .sparks import bar, sparkline
from .statistics import OTHERS, Measure, Measured, Statistics
from .tones import state_tone

NAME_CELLS, COUNT_CELLS, VALUE_CELLS, SHARE_CELLS = 24, 8, 10, 9
NARROW_NAME = 14
LEAST_SPARK, MOST_SPARK, LEAST_BAR = 8, 36, 4
WIDE_FROM = 72
"""Cells from which a distribution has room beside the figures."""
_TITLES = {Measure.FIRST: "ui.stat_first", Measure.TOTAL: "ui.stat_total", Measure.RATE: "ui.stat_rate"}


def statistics_lines(statistics: Statistics, running: int, texts: Texts, width: int) -> list[Line]:
    """Return the statistics in lines of at most ``width`` cells.

    Args:
        running: rounds that are not over, which no verdict counts.
    """
    lines: list[Line] = [*_verdicts(statistics, running, texts, width), BLANK]
    if statistics.models:
        for measure in Measure:
            lines += [*_measure(statistics, measure, texts, width), BLANK]
        lines += [(Span(line, Tone.DIM),) for line in wrap(texts("tui.stat.how"), width)]
    return [cut_line(line, width) for line in lines]


def _verdicts(statistics: Statistics, running: int, texts: Texts, width: int) -> Iterator[Line]:
    ended = statistics.verdicts.total()
    told = texts("ui.rounds", n=ended + running)
    if running:
        told += f"   {texts('ui.count_running', n=running)}"
    yield (Span(texts("ui.stat_verdicts"), Tone.KEY), Span(f"   {told}", Tone.DIM))
    if not ended:
        yield (Span(texts("ui.stat_none"), Tone.DIM),)
        return
    name = max(NARROW_NAME, min(NAME_CELLS, width - COUNT_CELLS - SHARE_CELLS))
    room = max(0, width - name - COUNT_CELLS - SHARE_CELLS - 2)
    most = max(statistics.verdicts.values())
    for state, count in sorted(statistics.verdicts.items(), key=lambda each: (-each[1], each[0])):
        if count <= 0:
            continue
        mark, tone = VERDICT_MARKS[state], state_tone(state)
        yield (
            Span(fitted(f"{mark.sign()} {mark.word(texts)}", name), tone),
            Span(fitted(texts.number(count), COUNT_CELLS, right=True), Tone.STRONG),
            Span(fitted(texts.percent(count / ended), SHARE_CELLS, right=True)),
            Span("  " + bar(count, most, room) if room >= LEAST_BAR else "", tone),
        )


@dataclass(frozen=True, slots=True)
class _Table:
    """The columns of one measure, and the scale of its distributions."""

    measure: Measure
    name: int
    count: int
    values: int
    """How many of median, 95 % and largest there is room for."""
    spark: int
    low: int
    high: int

    @classmethod
    def of(cls, statistics: Statistics, measure: Measure, width: int) -> _Table:
        name = NAME_CELLS if width >= WIDE_FROM else NARROW_NAME
        count = COUNT_CELLS if width >= name + COUNT_CELLS + VALUE_CELLS else 0
        values = max(1, min(3, (width - name - count) // VALUE_CELLS))
        spark = width - name - count - values * VALUE_CELLS - 2
        buckets = [bucket for each in statistics.models.values() for bucket in each[measure].values.buckets]
        return cls(
            measure,
            name,
            count,
            values,
            min(MOST_SPARK, spark) if spark >= LEAST_SPARK else 0,
            min(buckets, default=0),
            max(buckets, default=0),
        )


def _measure(statistics: Statistics, measure: Measure, texts: Texts, width: int) -> Iterator[Line]:
    table = _Table.of(statistics, measure, width)
    heads = fitted(texts("ui.column_calls"), table.count, right=True)
    largest = "tui.stat.highest" if measure is Measure.RATE else "ui.stat_max"
    for key in ("ui.stat_median", "ui.stat_p95", largest)[: table.values]:
        heads += fitted(texts(key), VALUE_CELLS, right=True)
    head = (Span(heads, Tone.DIM), Span(_scale(statistics, table, texts), Tone.DIM))
    title = texts(_TITLES[measure])
    if len(title) < table.name:
        yield (Span(fitted(title, table.name), Tone.KEY), *head)
    else:
        yield (Span(title, Tone.KEY),)
        yield (Span(" " * table.name), *head)
    rows = sorted(statistics.models.items(), key=lambda each: (-each[1][measure].values.count, each[0] or ""))
    for model, measured in rows:
        yield from _row(model, measured[measure], table, texts)


def _scale(statistics: Statistics, table: _Table, texts: Texts) -> str:
    """Return the smallest and the largest value of all models, which the distributions reach to."""
    every = [each[table.measure].values for each in statistics.models.values()]
    least = min((values.least for values in every if values.least is not None), default=None)
    most = max((values.most for values in every if values.most is not None), default=None)
    if least is None or most is None:
        return ""
    first, last = _value(least, table.measure, texts), _value(most, table.measure, texts)
    gap = table.spark - len(first) - len(last)
    return f"  {first}{' ' * gap}{last}" if gap > 0 else ""


def _row(model: str | None, found: Measured, table: _Table, texts: Texts) -> Iterator[Line]:
    values = found.values
    shown = texts("ui.not_reported") if model is None else texts("tui.stat.others") if model == OTHERS else model
    figures = (values.percentile(0.5), values.percentile(0.95), values.most)
    line: Line = (
        Span(fitted(short_model(shown, table.name - 1), table.name), Tone.STRONG),
        Span(fitted(texts.number(values.count), table.count, right=True)),
        *(
            Span(fitted(_marked(value, found, table.measure, texts), VALUE_CELLS, right=True))
            for value in figures[: table.values]
        ),
    )
    spark = sparkline(values.spread(table.low, table.high, table.spark)) if table.spark else ""
    yield (*line, Span("  " + spark, Tone.STREAMING)) if spark else line
    missing = "tui.stat.no_rate" if table.measure is Measure.RATE else "tui.stat.not_reported"
    counts = ((missing, found.not_reported), ("tui.stat.implausible", found.implausible))
    if told := [texts(key, n=n) for key, n in counts if n]:
        yield (Span("  " + "   ".join(told), Tone.WARN if found.implausible else Tone.DIM),)


def _value(value: float | None, measure: Measure, texts: Texts) -> str:
    if value is None:
        return UNKNOWN
    if measure is not Measure.RATE:
        return duration(value, texts)
    return texts("tui.call.per_second", value=texts.number(value, places=0 if value >= 10 else 1))


def _marked(value: float | None, found: Measured, measure: Measure, texts: Texts) -> str:
    written = _value(value, measure, texts)
    return f"≈{written}" if found.derived and value is not None else written
