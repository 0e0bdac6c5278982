"""The lines of everything in a timeline that is neither a call nor a tool call."""

from __future__ import annotations

from datetime import datetime, tzinfo

from ..core.rounds import Event, Unrecognised
from ..core.rounds.events import (
    CancelRequested,
    NoUsableModel,
    RoundOutput,
    RoundPartial,
    RoundResumed,
    RoundStopped,
    RoundSuspended,
    RoundWarning,
    SelectionUnresolved,
    ThreadSupervised,
)
from ..core.texts import Texts, clean, clock_time, partial_lines, supervisor_lines, warning_text, wrap
from ..core.texts.numbers import UNKNOWN
from .feed import FeedGap
from .safe_text import Line, Span, Tone

QUOTED_CHARS = 300
MOST_LINES = 8


def event_lines(event: Event, texts: Texts, width: int, zone: tzinfo | None) -> list[Line]:
    """Return an event's lines: a glyph, then sentences in the viewer's language."""
    glyph, tone, sentences = _told(event, texts, zone)
    return _block(glyph, tone, sentences, width)


def gap_lines(gap: FeedGap, texts: Texts, width: int) -> list[Line]:
    """Return the line that says that part of our own view is missing here."""
    said = texts("event.gap_unknown") if gap.missing is None else texts("event.gap", n=gap.missing)
    return _block("◐", Tone.WARN, (said,), width)


def _told(event: Event, texts: Texts, zone: tzinfo | None) -> tuple[str, Tone, tuple[str, ...]]:
    match event:
        case RoundWarning():
            return "!", Tone.WARN, (warning_text(event.code, event.facts, texts, event.message),)
        case RoundPartial():
            return "≡", Tone.INFO, partial_lines(event, texts)
        case ThreadSupervised():
            return "▲", Tone.WARN, supervisor_lines(event, texts)
        case SelectionUnresolved():
            return "◇", Tone.BAD, (texts("tui.event.selection", agent=_quoted(event.requested)),)
        case NoUsableModel():
            model = event.requested
            key = "tui.event.no_model" if model else "tui.event.no_model_chosen"
            return "◆", Tone.BAD, (texts(key, model=_quoted(model or "")),)
        case RoundSuspended():
            return "◫", Tone.WARN, (_with_why("event.suspended", event, texts, zone),)
        case RoundResumed():
            return "▶", Tone.INFO, (_with_why("event.resumed", event, texts, zone),)
        case CancelRequested():
            return "✕", Tone.WARN, (texts(f"event.cancel_{event.by}", time=_time(event.at, zone)),)
        case RoundStopped():
            return "■", Tone.WARN, (texts("event.stopped", why=texts(f"event.stopped_{event.why}")),)
        case RoundOutput():
            return "▤", Tone.DIM, (texts("tui.event.calls_not_recorded"),)
        case Unrecognised():
            return "?", Tone.DIM, (texts("event.unknown", type=_quoted(event.type)),)
        case _:
            return "·", Tone.DIM, (_quoted(event.type),)


def _quoted(text: str) -> str:
    return clean(text, limit=QUOTED_CHARS)


def _with_why(key: str, event: RoundSuspended | RoundResumed, texts: Texts, zone: tzinfo | None) -> str:
    said = texts(key, time=_time(event.at, zone))
    return f"{said} {texts('banner.quoted', value=_quoted(event.why))}" if event.why and event.why.strip() else said


def _time(at: datetime | None, zone: tzinfo | None) -> str:
    return clock_time(at, zone) if at is not None else UNKNOWN


def _block(glyph: str, tone: Tone, sentences: tuple[str, ...], width: int) -> list[Line]:
    wrapped = [line for sentence in sentences for line in wrap(clean(sentence), max(8, width - 4))]
    if len(wrapped) > MOST_LINES:
        wrapped = [*wrapped[: MOST_LINES - 1], "…"]
    return [
        (Span(f"  {glyph if index == 0 else ' '} ", tone), Span(text, Tone.PLAIN if tone is not Tone.DIM else tone))
        for index, text in enumerate(wrapped)
    ]
