"""A verdict that late news have changed after it was on screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..core.rounds import Outcome
from ..core.texts import Texts, mark, wrap
from .attention import TOLD_ONE_BY_ONE
from .safe_text import Line, Span, Tone
from .terminal_words import outside_name

SIGN = "↺"
LATE_S = 2.0
"""The end of a round is often two events (stopped, then finished); what changes within this time is no correction."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a round was shown as, and what it is."""

    key: str
    round: str
    agent: str | None
    was: Outcome
    now: Outcome
    at: datetime | None
    """When the news were told; None = not reported."""


def verdict_words(outcome: Outcome, texts: Texts) -> str:
    """Return sign and word of a verdict."""
    shown = mark(outcome)
    return f"{shown.sign()} {shown.word(texts)}"


def correction_lines(correction: Correction | None, texts: Texts, width: int) -> list[Line]:
    """Return what stands above the banner of a round whose verdict has changed; nothing for any other."""
    if correction is None:
        return []
    said = texts("tui.round.corrected", was=verdict_words(correction.was, texts))
    return [(Span(line, Tone.WARN),) for line in wrap(f"{SIGN} {said}", width)]


def correction_sentences(corrected: Sequence[Correction], texts: Texts) -> list[str]:
    """Return what to tell the operator of rounds whose verdicts have just changed."""
    newest = list({each.key: each for each in corrected}.values())
    if len(newest) > TOLD_ONE_BY_ONE:
        return [texts("tui.late.many", n=len(newest))]
    return [
        texts(
            "tui.late.single",
            name=outside_name(each.agent or each.round),
            round=outside_name(each.round),
            was=verdict_words(each.was, texts),
            now=verdict_words(each.now, texts),
        )
        for each in newest
    ]
