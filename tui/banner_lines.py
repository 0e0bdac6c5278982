"""A banner as a box of lines: severity told by word, glyph and border; colour comes on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..core.rounds import Outcome, Verdict
from ..core.texts import Banner, Severity, Texts, banner, cell_width, mark, wrap
from .safe_text import Line, Span, Tone, fitted
from .tones import outcome_tone

ROOMY_FROM = 48
"""Cells from which a blank line may stand between cause and figures."""
EDGES = 4
"""Cells that the two sides take, a blank beside each."""
BOXED_FROM = 16
"""Cells from which there is a box; below, its sides would take the room of whole words."""
SIDE_ROOM = 6
"""Cells that a side needs besides its words: a corner, a line and a blank before, as much behind."""
SHARED = 4
"""Cells of that which two words in one side need only once."""


@dataclass(frozen=True, slots=True)
class Border:
    """The eight pieces a box is drawn with."""

    top_left: str
    top: str
    top_right: str
    side: str
    bottom_left: str
    bottom_right: str


BORDERS: Mapping[Severity, Border] = {
    Severity.ANSWER: Border("╭", "─", "╮", "│", "╰", "╯"),
    Severity.UNSURE: Border("┌", "╌", "┐", "╎", "└", "┘"),
    Severity.ATTENTION: Border("╔", "═", "╗", "║", "╚", "╝"),
    Severity.FAILURE: Border("┏", "━", "┓", "┃", "┗", "┛"),
    Severity.NEUTRAL: Border("┌", "─", "┐", "│", "└", "┘"),
}


def banner_lines(outcome: Outcome, texts: Texts, width: int) -> list[Line]:
    """Return the banner of ``outcome`` as lines of exactly ``width`` cells; headline and severity are never cut."""
    told = _said_once(banner(outcome, texts), outcome)
    border, tone = BORDERS[told.severity], outcome_tone(outcome)
    boxed = width >= BOXED_FROM
    inner = width - EDGES if boxed else max(1, width)
    heading = f"{mark(outcome).sign()} {told.title}"
    word = severity_word(outcome, told.severity, texts)
    placed = _placed(heading, word, width)
    body = [
        (text, own)
        for sentence, own in (*placed.in_body, *_paragraphs(told, roomy=width >= ROOMY_FROM))
        for text in wrap(sentence, inner)
    ]
    if not boxed:
        return [(Span(fitted(text, inner), tone if own is Tone.STRONG else own),) for text, own in body]
    return [
        _edge(border.top_left, border.top, border.top_right, placed.top_left, placed.top_right, width, tone),
        *(
            (Span(f"{border.side} ", tone), Span(fitted(text, inner), own), Span(f" {border.side}", tone))
            for text, own in body
        ),
        _edge(border.bottom_left, border.top, border.bottom_right, "", placed.bottom_right, width, tone),
    ]


def severity_word(outcome: Outcome, severity: Severity, texts: Texts) -> str:
    """Return the word for how much a banner asks of its reader; a round that just runs asks nothing."""
    runs_well = outcome.verdict is Verdict.RUNNING and outcome.stalled_ms is None
    return "" if runs_well else texts(f"tui.severity.{severity}")


def _said_once(told: Banner, outcome: Outcome) -> Banner:
    """Return the banner with a sentence for its headline where that sentence only says the headline again."""
    if outcome.verdict is not Verdict.RUNNING or outcome.stalled_ms is not None or not told.sentences:
        return told
    return replace(told, title=told.sentences[0].rstrip("."), sentences=told.sentences[1:])


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where the words that decide stand: in the sides of the box, or in it, where they may take several lines."""

    top_left: str = ""
    top_right: str = ""
    bottom_right: str = ""
    in_body: tuple[tuple[str, Tone], ...] = ()


def _placed(heading: str, word: str, width: int) -> _Placed:
    """Return the place of the headline and of the word for severity: a side that has the room, else the box."""
    beside, alone = cell_width(heading) + SIDE_ROOM, cell_width(word) + SIDE_ROOM
    if width >= BOXED_FROM and beside <= width:
        if not word or beside + alone - SHARED <= width:
            return _Placed(top_left=heading, top_right=word)
        if alone <= width:
            return _Placed(top_left=heading, bottom_right=word)
        return _Placed(top_left=heading, in_body=((word, Tone.STRONG),))
    if width >= BOXED_FROM and alone <= width:
        return _Placed(bottom_right=word, in_body=((heading, Tone.STRONG),))
    return _Placed(in_body=tuple((text, Tone.STRONG) for text in (heading, word) if text))


def _paragraphs(told: Banner, *, roomy: bool) -> Iterator[tuple[str, Tone]]:
    for sentence in told.sentences:
        yield sentence, Tone.PLAIN
    if told.figures is not None:
        if told.sentences and roomy:
            yield "", Tone.PLAIN
        yield told.figures, Tone.PLAIN
    for question in told.not_established:
        yield question, Tone.DIM


def _edge(left: str, side: str, right: str, first: str, last: str, width: int, tone: Tone) -> Line:
    opening = f"{side} {first} " if first else side
    closing = f" {last} {side}" if last else side
    spans = [Span(left + opening, tone), Span(closing + right, tone)]
    fill = max(0, width - sum(span.cells for span in spans))
    return (spans[0], Span(side * fill, tone), spans[1])
