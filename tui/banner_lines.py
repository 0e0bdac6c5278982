"""A banner as a box of lines: severity told by word, glyph and border; colour comes on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..core.rounds import Outcome, Verdict
from ..core.texts import Banner, Severity, Texts, banner, mark, wrap
from .safe_text import Line, Span, Tone, cut, fitted
from .tones import outcome_tone

ROOMY_FROM = 48
"""Cells from which a blank line may stand between cause and figures."""
EDGES = 4
"""Cells that the two sides take, a blank beside each."""


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
    """Return the banner of ``outcome`` as lines of exactly ``width`` cells."""
    told = banner(outcome, texts)
    border, tone = BORDERS[told.severity], outcome_tone(outcome)
    inner = max(1, width - EDGES)
    heading = f"{mark(outcome).sign()} {told.title}"
    word = severity_word(outcome, told.severity, texts)
    in_top, title_lines = _placed(heading, word, width)
    body = [(text, Tone.STRONG) for text in title_lines]
    body += [
        (text, own) for sentence, own in _paragraphs(told, roomy=width >= ROOMY_FROM) for text in wrap(sentence, inner)
    ]
    return [
        _edge(border.top_left, border.top, border.top_right, in_top[0], in_top[1], width, tone),
        *(
            (Span(f"{border.side} ", tone), Span(fitted(text, inner), own), Span(f" {border.side}", tone))
            for text, own in body
        ),
        _edge(
            border.bottom_left,
            border.top,
            border.bottom_right,
            "",
            "" if in_top[1] else cut(word, width - 6),
            width,
            tone,
        ),
    ]


def severity_word(outcome: Outcome, severity: Severity, texts: Texts) -> str:
    """Return the word for how much a banner asks of its reader."""
    return texts("tui.severity.open" if outcome.verdict is Verdict.RUNNING else f"tui.severity.{severity}")


def _placed(heading: str, word: str, width: int) -> tuple[tuple[str, str], list[str]]:
    """Return what stands in the top side, left and right, and the heading's lines where it needs some of its own.

    The deciding word is never cut: where the top side is too short, the heading goes into the box.
    """
    fits = len(cut(heading, 500)) + 4
    if fits + len(word) + 4 <= width:
        return (heading, word), []
    if fits + 2 <= width:
        return (heading, ""), []
    return ("", ""), wrap(heading, max(1, width - EDGES))


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
