"""Two rounds side by side, in two columns or one below the other; differences stand out by sign, not by colour."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo
from itertools import zip_longest

from rich.cells import cell_len

from ..core.texts import Texts, clean, wrap
from .banner_lines import banner_lines
from .compare_rows import Row, call_rows, fact_rows
from .compared import Compared
from .safe_text import BLANK, Line, Span, Tone, cut, cut_line, fitted, joined, padded
from .timeline import WIDEST_BANNER

SIDE_BY_SIDE_FROM = 92
"""Cells from which two columns have room for a finish reason and a verdict; 98 columns of a terminal."""
MARK_CELLS, DELTA_CELLS, GAP = 2, 15, 2
LEAST_LABEL, MOST_LABEL = 12, 22
STACKED_INDENT = 2


def compare_lines(left: Compared, right: Compared, zone: tzinfo | None, texts: Texts, width: int) -> list[Line]:
    """Return the comparison of A, ``left``, with B, ``right``, in lines of at most ``width`` cells."""
    facts, calls = list(fact_rows(left, right, zone, texts)), list(call_rows(left, right, texts))
    lay_out = _wide if width >= SIDE_BY_SIDE_FROM else _stacked
    lines: list[Line] = [*lay_out(left, right, [*facts, *calls], texts, width)]
    for side, name in ((left, "A"), (right, "B")):
        if side.round is None:
            told = texts("tui.compare.calls_gone", side=name)
            lines += [(Span(line, Tone.WARN),) for line in wrap(told, width)]
    lines += [BLANK, *_banners(left, right, texts, width)]
    return [cut_line(line, width) for line in lines]


def _name(side: Compared, letter: str) -> Line:
    named = [part for part in (side.agent, side.title or side.thread) if part]
    about: list[Line] = [(Span(f"{letter}  {clean(side.id, limit=60)}", Tone.KEY),)]
    return joined([*about, *[(Span(clean(part, limit=80), Tone.STRONG),) for part in named]], "  ")


def _legend(texts: Texts, width: int) -> Iterator[Line]:
    yield from ((Span(line, Tone.DIM),) for line in wrap(texts("tui.compare.legend"), width))


def _wide(left: Compared, right: Compared, rows: list[Row], texts: Texts, width: int) -> Iterator[Line]:
    label = min(MOST_LABEL, max(LEAST_LABEL, *(cell_len(row.label) + 1 for row in rows if not row.is_heading)))
    column = (width - label - MARK_CELLS - DELTA_CELLS - 2 * GAP) // 2
    gap = Span(" " * GAP)
    head = (Span(" " * (label + MARK_CELLS)), *padded(_name(left, "A"), column), gap)
    yield (*head, *padded(_name(right, "B"), column), gap, Span(fitted("Δ B − A", DELTA_CELLS, right=True), Tone.DIM))
    yield from _legend(texts, width)
    yield BLANK
    for row in rows:
        if row.is_heading:
            yield BLANK
            yield _heading(row)
            continue
        yield (
            Span(fitted(row.label, label), Tone.DIM),
            _sign(row),
            *padded(row.left, column),
            gap,
            *padded(row.right, column),
            gap,
            Span(fitted(_delta(row), DELTA_CELLS, right=True), Tone.INFO),
        )


def _stacked(left: Compared, right: Compared, rows: list[Row], texts: Texts, width: int) -> Iterator[Line]:
    yield cut_line(_name(left, "A"), width)
    yield cut_line(_name(right, "B"), width)
    yield BLANK
    for row in rows:
        if row.is_heading:
            yield BLANK
            yield _heading(row)
            continue
        yield from _stacked_row(row, width)
    yield BLANK
    yield from _legend(texts, width)  # at the end: on a small screen it would stand where the verdicts do


def _stacked_row(row: Row, width: int) -> Iterator[Line]:
    """Yield label, sign and difference, then a line a side; in one line what is the same on both."""
    delta = _delta(row)
    label = cut(row.label, max(1, width - cell_len(delta) - 5))
    if row.left == row.right:
        yield joined(((Span(label, Tone.DIM),), (Span("= ", Tone.FRAME), *row.left)), "  ")
        return
    if label:
        told: Line = (Span(f"{label} ", Tone.DIM), _sign(row))
        yield joined((told, (Span(delta, Tone.INFO),) if delta else BLANK), " ")
    for letter, cell in (("A", row.left), ("B", row.right)):
        if cell:
            yield (Span(" " * STACKED_INDENT + f"{letter} ", Tone.KEY), *cell)


def _heading(row: Row) -> Line:
    return (Span(row.label, Tone.KEY), Span(" ≠" if row.differs else "", Tone.WARN))


def _sign(row: Row) -> Span:
    return Span("≠ " if row.differs else "  ", Tone.WARN)


def _delta(row: Row) -> str:
    return f"Δ {row.delta}" if row.delta else ""


def _banners(left: Compared, right: Compared, texts: Texts, width: int) -> Iterator[Line]:
    if width >= SIDE_BY_SIDE_FROM:
        column = min(WIDEST_BANNER, (width - GAP) // 2)
        made = [banner_lines(side.outcome, texts, column) for side in (left, right)]
        yield (Span(fitted("A", column + GAP), Tone.KEY), Span("B", Tone.KEY))
        for one, other in zip_longest(*made, fillvalue=BLANK):
            yield (*padded(one, column), Span(" " * GAP), *other)
        return
    for side, letter in ((left, "A"), (right, "B")):
        yield (Span(letter, Tone.KEY),)
        yield from banner_lines(side.outcome, texts, min(width, WIDEST_BANNER)) if width >= 12 else ()
