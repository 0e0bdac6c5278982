"""One round for a person to read: a line of what it was, then its banner; plain text with styles beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...core.rounds import Outcome, Round
from ...core.texts.banner import Banner, Severity, banner
from ...core.texts.clean import clean
from ...core.texts.durations import head_duration
from ...core.texts.marks import mark
from ...core.texts.texts import Texts
from ...core.texts.wrap import wrap
from .output import Output

STYLES = {
    Severity.ANSWER: "green",
    Severity.UNSURE: "yellow",
    Severity.ATTENTION: "yellow",
    Severity.FAILURE: "red",
    Severity.NEUTRAL: "dim",
}
"""Colour only on top: sign and words say the same."""
NAME_CHARS = 80  # ids and names come from outside; a longer one would bury the verdict
SUB_ROUND_INDENT = 2


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a report."""

    text: str
    style: str = ""
    indent: int = 0


def report(round_: Round, outcome: Outcome, texts: Texts, *, unicode: bool, width: int) -> Iterator[Line]:
    """Yield the lines about one round, none wider than ``width`` cells where its words allow that."""
    shown = banner(outcome, texts)
    indent = SUB_ROUND_INDENT if round_.parent is not None else 0
    style = STYLES[shown.severity]
    yield Line(headline(round_, outcome, shown, texts, unicode=unicode), f"bold {style}", indent)
    bar = ("│ " if unicode else "| ") if style != "dim" else "  "
    for text, text_style in _prose(shown):
        for line in wrap(text, max(20, width - indent - 4)):
            yield Line(f"{bar}{line}", text_style, indent + 2)


def headline(round_: Round, outcome: Outcome, shown: Banner, texts: Texts, *, unicode: bool) -> str:
    """Return sign, id, agent, size, time and verdict of a round in one line."""
    parts = [clean(round_.id, limit=NAME_CHARS)]
    if round_.agent:
        parts.append(clean(round_.agent, limit=NAME_CHARS))
    if round_.calls:
        parts.append(texts("cli.round.calls", n=len(round_.calls)))
    if round_.total_ms is not None:
        parts.append(head_duration(round_.total_ms, texts))
    return f"{mark(outcome).sign(unicode=unicode)} {'  '.join(parts)}  {shown.title}"


def _prose(shown: Banner) -> Iterator[tuple[str, str]]:
    for sentence in shown.sentences:
        yield sentence, ""
    if shown.figures:
        yield shown.figures, ""
    for question in shown.not_established:
        yield question, "dim"


def print_report(round_: Round, outcome: Outcome, texts: Texts, output: Output, before: str = "") -> None:
    """Write the report to stdout, styled where the reader's screen can show it; ``before`` begins its first line."""
    for line in report(round_, outcome, texts, unicode=output.is_unicode, width=output.prose_width):
        output.styled(" " * line.indent + before + line.text, line.style)
        before = ""
