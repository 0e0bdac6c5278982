"""The columns of the rounds list: which fit a width, and what stands in each for one round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import lru_cache

from rich.cells import cell_len

from ..core.texts import VERDICT_MARKS, Texts, clock_time, mark, short_duration
from ..core.texts.numbers import UNKNOWN
from .correction import SIGN
from .listed_round import ListedRound
from .safe_text import Line, Span, Tone, cut, fitted
from .tones import outcome_tone

INDENT = 2  # cells a sub-round stands in
SIGN_CELLS = 2  # of the sign before an agent, with the blank behind it
DEEPEST_INDENT = 4  # levels that are drawn; deeper ones stand as deep as this
TOTAL_CELLS = 7


Cell = Callable[[ListedRound, Texts, tzinfo | None], str]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: where its words come from and how wide it wants to be."""

    name: str
    heading: str
    """Key of its heading."""
    cell: Cell
    cells: int
    right: bool = False
    tone: Tone = Tone.PLAIN


def _agent(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    return row.agent or row.title or row.id


def _title(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    """Return what tells the round from others of its agent; an agent that is not known already goes by the title."""
    title, id_ = (row.title, row.id) if row.agent else (None, row.id if row.title else None)
    return title or row.thread or id_ or UNKNOWN


def _state(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    return mark(row.outcome).word(texts)


def _total(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    """Return the time in its largest unit alone where the second one would be cut off."""
    written = short_duration(row.total_ms, texts)
    return written if cell_len(written) <= TOTAL_CELLS else " ".join(written.split()[:2])


def _calls(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    return texts.number(row.calls) if row.calls else UNKNOWN


def _first(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    figures = row.outcome.figures
    return short_duration(figures.first_output_ms if figures is not None else None, texts)


def _input(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    return texts.short(row.tokens[0])


def _output(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    return texts.short(row.tokens[1])


def _id(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    return row.id


def _hub(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    return row.hub or UNKNOWN


def _started(row: ListedRound, texts: Texts, zone: tzinfo | None) -> str:
    return clock_time(row.started, zone) if row.started is not None else UNKNOWN


AGENT = Column("agent", "ui.column_agent", _agent, 12, tone=Tone.STRONG)
STATE = Column("state", "ui.column_state", _state, 16)
TOTAL = Column("total", "ui.column_total", _total, TOTAL_CELLS, right=True)
CALLS = Column("calls", "ui.column_calls", _calls, 5, right=True, tone=Tone.DIM)
TITLE = Column("title", "tui.column_title", _title, 10)
READABLE_TITLE, ROOMY_TITLE = replace(TITLE, cells=20), replace(TITLE, cells=30)
OUTPUT = Column("output", "ui.column_out", _output, 10, right=True, tone=Tone.DIM)
INPUT = Column("input", "ui.column_in", _input, 10, right=True, tone=Tone.DIM)
FIRST = Column("first", "ui.column_first", _first, 7, right=True, tone=Tone.DIM)
STARTED = Column("started", "tui.column_started", _started, 8, tone=Tone.DIM)
HUB = Column("hub", "tui.column_hub", _hub, 6, tone=Tone.INFO)
ID = Column("id", "ui.column_round", _id, 8, tone=Tone.DIM)

ON_SCREEN = (STARTED, HUB, AGENT, TITLE, CALLS, FIRST, TOTAL, INPUT, OUTPUT, STATE, ID)
"""In the order they stand."""
BY_NEED = (AGENT, TOTAL, TITLE, READABLE_TITLE, CALLS, OUTPUT, ROOMY_TITLE, FIRST, INPUT, STARTED, ID)
"""After the state, which always stands: the ones a narrow list keeps come first; the title widens on the way."""
GROWING = (("agent", 14), ("title", 60), ("agent", 22), ("hub", 16))
"""Where cells that are left over go, and up to how many: most agents are whole with 14, then the titles count."""
MARK_CELLS = 2
"""The glyph and the blank behind it, before the first column."""


@lru_cache(maxsize=8)
def _state_cells(texts: Texts) -> int:
    """Return the cells of the longest word for a state."""
    return max(cell_len(each.word(texts)) for each in VERDICT_MARKS.values())


@lru_cache(maxsize=64)
def columns_for(width: int, texts: Texts, *, with_hub: bool = False) -> tuple[Column, ...]:
    """Return the columns that fit ``width`` cells in a language, grown to fill it.

    Args:
        with_hub: say where each round comes from; no other column but the agent's is needed more.
    """
    by_need = (AGENT, HUB, *BY_NEED[1:]) if with_hub else BY_NEED
    wished = [replace(STATE, cells=_state_cells(texts)), *(_with_heading(column, texts) for column in by_need)]
    chosen: dict[str, Column] = {}
    room = width - MARK_CELLS
    for column in wished:
        before = chosen.get(column.name)
        needed = column.cells - before.cells if before is not None else column.cells + (1 if chosen else 0)
        if needed > room and chosen:
            break
        chosen[column.name] = column
        room -= needed
    shown = [chosen[column.name] for column in ON_SCREEN if column.name in chosen]
    for name, most in GROWING:
        shown = [_grown(column, room, most) if column.name == name else column for column in shown]
        room = width - MARK_CELLS - sum(column.cells for column in shown) - len(shown) + 1
    return tuple(shown)


def _with_heading(column: Column, texts: Texts) -> Column:
    """Return a column wide enough for its heading in this language."""
    return replace(column, cells=max(column.cells, cell_len(texts(column.heading))))


def _grown(column: Column, room: int, most: int) -> Column:
    return replace(column, cells=max(column.cells, min(most, column.cells + room)))


def heading_line(columns: tuple[Column, ...], texts: Texts) -> Line:
    """Return the column headings."""
    names = [fitted(texts(column.heading), column.cells, right=column.right) for column in columns]
    return (Span(" " * MARK_CELLS + " ".join(names), Tone.DIM),)


def row_line(row: ListedRound, columns: tuple[Column, ...], texts: Texts, zone: tzinfo | None) -> Line:
    """Return one round's row: glyph, then every column."""
    tone = outcome_tone(row.outcome)
    sign = mark(row.outcome).sign() + (SIGN if row.is_corrected else "")
    spans = [Span(fitted(sign, MARK_CELLS), tone)]
    for number, column in enumerate(columns):
        gap = " " if number else ""
        own = tone if column.name == "state" else column.tone
        if column.name == "agent":
            branch = _branch(row)[: column.cells // 2]
            hidden = f" +{row.hidden}" if row.hidden else ""
            name = cut(column.cell(row, texts, zone), max(1, column.cells - len(branch) - len(hidden)))
            folds = row.hidden or row.is_open
            spans += [Span(gap + branch, Tone.DIM if folds else Tone.FRAME), Span(name, own), Span(hidden, Tone.INFO)]
            spans.append(Span(" " * max(0, column.cells - len(branch) - cell_len(name) - len(hidden))))
        else:
            spans.append(Span(gap + fitted(column.cell(row, texts, zone), column.cells, right=column.right), own))
    return tuple(spans)


def column_at(columns: tuple[Column, ...], x: int) -> str | None:
    """Return the name of the column that stands at a cell, counted from the mark's; None where there is none."""
    left = MARK_CELLS
    for column in columns:
        if left <= x < left + column.cells:
            return column.name
        left += column.cells + 1
    return None


def fold_cells(depth: int, columns: tuple[Column, ...]) -> range:
    """Return the cells of the sign that folds or unfolds a round that deep, counted from the mark's."""
    left = MARK_CELLS
    for column in columns:
        if column.name == "agent":
            sign = left + INDENT * max(0, min(depth, DEEPEST_INDENT) - 1)
            return range(sign, sign + SIGN_CELLS)
        left += column.cells + 1
    return range(0)


def _branch(row: ListedRound) -> str:
    """Return what shows that a round belongs to the one above, or to one that was never seen."""
    sign = "▸ " if row.hidden else "▾ " if row.is_open else "└ " if row.depth else "⌐ " if row.is_orphan else ""
    return " " * (INDENT * (min(row.depth, DEEPEST_INDENT) - 1)) + sign if row.depth else sign
