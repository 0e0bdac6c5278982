"""What a round's record is given when it ends: the text, and the one line that parents and supervisors read."""

from __future__ import annotations

from dataclasses import dataclass

from ..rounds.verdicts import CUT_VERDICTS, TRUNCATION_MARKER, Verdict

ERROR_IN_TEXT = frozenset(
    (
        Verdict.SELECTION_UNRESOLVED,
        Verdict.NO_USABLE_MODEL,
        Verdict.PROVIDER_STALLED,
        Verdict.RESPONSE_BODY_CUT,
        Verdict.PROVIDER_ERROR,
        Verdict.ROUND_TIMED_OUT,
        Verdict.FAULTED,
        Verdict.SUPERVISOR_GAVE_UP,
    )
)
"""Verdicts whose sentence goes into the text itself; everywhere else text and banner stay apart."""
NOTHING_COMMITTED = frozenset((Verdict.SUSPENDED, Verdict.RUNNING))
SUMMARY_CHARS = 200
"""A completed round's summary is the beginning of its answer; a list has no room for more."""


@dataclass(frozen=True, slots=True)
class TerminalWrite:
    """The terminal write of a round."""

    text: str
    summary: str
    marker: bool = False
    """The text ends with the truncation marker: in results and transcripts, never published as output."""


def terminal_write(verdict: Verdict, text: str, sentence: str, *, has_partial: bool = False) -> TerminalWrite | None:
    """Return what is written for a round that ended; None = nothing is committed, it is not over.

    Args:
        text: what the round has written so far; kept in every case, so nothing is lost.
        sentence: why there is no answer, without mark-up; not read for a completed round.
        has_partial: there is visible text after the last tool result. Only then does a cut answer carry the marker.

    Source:
        outcomes.md 2.3, column "text written".
    """
    if verdict in NOTHING_COMMITTED:
        return None
    if verdict is Verdict.COMPLETED:
        return TerminalWrite(text, _one_line(text)[:SUMMARY_CHARS])
    said = _one_line(sentence)
    if verdict is Verdict.CANCELLED:
        return TerminalWrite(text, f"Cancelled: {said}")
    summary = f"Error: {said}"
    if verdict in CUT_VERDICTS and has_partial:
        return TerminalWrite(text + TRUNCATION_MARKER, summary, marker=True)
    if verdict in ERROR_IN_TEXT:
        return TerminalWrite(_with_error(text, said), summary)
    return TerminalWrite(text, summary)


def _with_error(text: str, sentence: str) -> str:
    shape = f"*Error: {sentence}*"
    return f"{text}\n\n{shape}" if text.strip() else shape


def _one_line(text: str) -> str:
    return " ".join(text.split())
