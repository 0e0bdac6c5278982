"""Everything that a round's record says of it as a whole, beside what the evidence says."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo

from ..core.prices import CostSum
from ..core.rounds import Outcome, Round, Silence, classify
from ..core.texts import Texts, banner, cell_width, clean, date_and_time, duration, wrap, zone_name
from ..core.texts.costs import cost_sum_text
from .banner_lines import banner_lines
from .filter_subject import UsedNames
from .safe_text import BLANK, Line, Span, Tone, cut_line, fitted
from .timeline import WIDEST_BANNER

LABEL_CELLS = 20
MOST_CHARS = 2_000
"""Of one value; a longer one ends in ``…``."""
NARROW_VALUE = 30
"""Cells: a date with its zone has to stand whole beside its label, or below it."""
EXPECTED = frozenset(("title", "agent", "thread", "model", "started"))
"""What every record should say; of the rest a round simply has some and not others."""


def facts_lines(
    round_: Round, now: datetime, zone: tzinfo | None, texts: Texts, width: int, spent: CostSum | None = None
) -> list[Line]:
    """Return a round's facts and its diagnosis, in lines of at most ``width`` cells.

    Args:
        spent: what its ended calls cost.
    """
    outcome = classify(round_, now=now)
    lines = [line for fact in _facts(round_, outcome, zone, texts, spent) for line in _laid_out(*fact, width)]
    lines += [BLANK, (Span(texts("ui.panel_banner"), Tone.KEY),)]
    lines += banner_lines(outcome, texts, min(width, WIDEST_BANNER))
    if open_questions := banner(outcome, texts).not_established:
        lines += [BLANK, (Span(texts("ui.panel_not_established"), Tone.KEY),)]
        lines += [(Span(line),) for question in open_questions for line in wrap(question, width)]
    return [cut_line(line, width) for line in lines]


def _laid_out(label: str, value: Span, width: int) -> Iterator[Line]:
    """Yield a fact, its value beside the label; below it where the value does not fit into a narrow window."""
    said, room = clean(value.text, limit=MOST_CHARS), width - LABEL_CELLS
    if room < NARROW_VALUE and cell_width(said) > room:
        yield (Span(label, Tone.DIM),)
        yield from ((Span("  "), Span(line, value.tone)) for line in wrap(said, width - 2))
        return
    for number, line in enumerate(wrap(said, room)):
        yield (Span(fitted("" if number else label, LABEL_CELLS), Tone.DIM), Span(line, value.tone))


def _facts(
    round_: Round, outcome: Outcome, zone: tzinfo | None, texts: Texts, spent: CostSum | None
) -> Iterator[tuple[str, Span]]:
    claim = outcome.claim
    claimed = [part for part in (claim.status, claim.reason) if part] if claim is not None else []
    for name, value in (
        ("round", round_.id),
        ("title", round_.title),
        ("agent", round_.agent),
        ("thread", round_.thread),
        ("parent", round_.parent.round if round_.parent is not None else None),
        ("model", ", ".join(UsedNames.of(round_).models) or None),
        ("source", round_.source),
        ("silent", _silent(round_, texts)),
        ("started", _moment(round_.started_at or round_.first_at, zone, texts)),
        ("ended", _moment(round_.ended_at if round_.is_over else None, zone, texts)),
        ("duration", duration(round_.total_ms, texts) if round_.is_over else None),
        ("cost", cost_sum_text(spent, texts) if spent is not None else None),
        ("status", outcome.status),
        ("reason", outcome.completion_reason),
        ("evidence", outcome.evidence),
        ("rule", outcome.rule or None),
        ("claim", ", ".join(texts("banner.quoted", value=clean(part, limit=200)) for part in claimed) or None),
    ):
        if value is None and name not in EXPECTED:
            continue
        said = texts("ui.not_reported") if value is None else str(value)
        tone = Tone.DIM if value is None else Tone.WARN if name == "claim" and outcome.contradicts_claim else Tone.PLAIN
        yield texts(f"ui.fact_{name}"), Span(said, tone)


def _silent(round_: Round, texts: Texts) -> str | None:
    """Return what the round's source never records; a word of a later version is quoted."""
    known = [word for word in Silence if word.value in round_.silent]
    others = sorted(round_.silent.difference(Silence))
    words = [*(texts(f"ui.silent_{word}") for word in known), *(clean(word, limit=40) for word in others)]
    return ", ".join(words) or None


def _moment(at: datetime | None, zone: tzinfo | None, texts: Texts) -> str | None:
    if at is None:
        return None
    return f"{date_and_time(at, texts, zone)} {zone_name(at, zone)}".rstrip()
