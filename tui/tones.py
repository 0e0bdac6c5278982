"""Which tone a state takes; the word and the glyph beside it say the same."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.rounds import Outcome, ToolState, Verdict
from ..core.texts import Severity, severity
from .safe_text import Tone

SEVERITY_TONES: Mapping[Severity, Tone] = {
    Severity.ANSWER: Tone.GOOD,
    Severity.UNSURE: Tone.UNSURE,
    Severity.ATTENTION: Tone.WARN,
    Severity.FAILURE: Tone.BAD,
    Severity.NEUTRAL: Tone.INFO,
}

TOOL_TONES: Mapping[ToolState, Tone] = {
    ToolState.PENDING: Tone.DIM,
    ToolState.RUNNING: Tone.INFO,
    ToolState.OK: Tone.GOOD,
    ToolState.FAILED: Tone.BAD,
    ToolState.REFUSED: Tone.WARN,
    ToolState.UNFINISHED: Tone.BAD,
}


def state_tone(state: str) -> Tone:
    """Return the tone of a state of the marks, without a round to look at."""
    match state:
        case Verdict.COMPLETED:
            return Tone.GOOD
        case "completed_unconfirmed":
            return Tone.UNSURE
        case Verdict.CANCELLED:
            return Tone.DIM
        case Verdict.OUTPUT_CAP_REACHED | Verdict.CONTEXT_WINDOW_EXCEEDED:
            return Tone.WARN
        case _:
            return Tone.BAD


def outcome_tone(outcome: Outcome) -> Tone:
    """Return the tone of a round: running and cancelled rounds are no failure."""
    if outcome.verdict is Verdict.CANCELLED:
        return Tone.DIM
    return SEVERITY_TONES[severity(outcome)]
