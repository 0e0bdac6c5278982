"""What a person reads at the end of a round: a headline, sentences, the last call's figures. No markup."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ..rounds.notes import NoteCode
from ..rounds.outcome import Outcome
from ..rounds.verdicts import CUT_VERDICTS, Verdict
from .causes import cause, doubts_phrase
from .figures_line import figures_line
from .note_sentences import note_sentence
from .open_questions import open_questions, question_text
from .reading import quotable
from .texts import Texts


class Severity(StrEnum):
    """How much a banner asks of its reader."""

    ANSWER = "answer"
    """Completed and confirmed."""
    UNSURE = "unsure"
    """Completed, and nothing proves it."""
    ATTENTION = "attention"
    """There is something to go on with: a cut text, a limit that can be raised, an approval to give."""
    FAILURE = "failure"
    NEUTRAL = "neutral"
    """Nothing went wrong: still running, or cancelled."""


@dataclass(frozen=True, slots=True)
class Banner:
    """The words of a verdict in one language, plain text with every outside character made visible."""

    title: str
    severity: Severity
    sentences: tuple[str, ...]
    """The cause first, then notes, then doubts, then where the record says something else."""
    figures: str | None
    not_established: tuple[str, ...]
    """What nobody knows about such an end, to be shown apart from what is known."""


_ATTENTION = CUT_VERDICTS | {
    Verdict.MAX_ITERATIONS,
    Verdict.TOKEN_BUDGET,
    Verdict.COST_BUDGET,
    Verdict.WALL_CLOCK,
    Verdict.TURN_PAUSED,
    Verdict.SUSPENDED,
}


def banner(outcome: Outcome, texts: Texts) -> Banner:
    """Return the banner of ``outcome`` in the language of ``texts``."""
    return Banner(
        title=title(outcome, texts),
        severity=severity(outcome),
        sentences=tuple(_sentences(outcome, texts)),
        figures=None if outcome.verdict is Verdict.RUNNING else figures_line(outcome.figures, texts),
        not_established=tuple(question_text(question, texts) for question in open_questions(outcome)),
    )


def title(outcome: Outcome, texts: Texts) -> str:
    """Return the headline; only a confirmed answer is called one."""
    if outcome.verdict is Verdict.COMPLETED and not outcome.is_answer:
        return texts("verdict.completed_unconfirmed")
    if outcome.verdict is Verdict.RUNNING and outcome.stalled_ms is not None:
        return texts("verdict.running_silent")
    return texts(f"verdict.{outcome.verdict}")


def severity(outcome: Outcome) -> Severity:
    """Return how much an outcome asks of its reader."""
    match outcome.verdict:
        case Verdict.COMPLETED:
            return Severity.ANSWER if outcome.is_answer else Severity.UNSURE
        case Verdict.RUNNING:
            return Severity.NEUTRAL if outcome.stalled_ms is None else Severity.ATTENTION
        case Verdict.CANCELLED:
            return Severity.NEUTRAL
        case verdict:
            return Severity.ATTENTION if verdict in _ATTENTION else Severity.FAILURE


def _sentences(outcome: Outcome, texts: Texts) -> Iterator[str]:
    yield from cause(outcome, texts)
    for note in outcome.notes:
        if note.code is not NoteCode.TOOL_CALLS_FAILED or outcome.verdict is not Verdict.STALLED_ITERATIONS:
            yield note_sentence(note, texts)  # that verdict's own sentence says that every tool call failed
    if outcome.doubts and outcome.verdict is not Verdict.COMPLETED:
        yield texts("banner.doubts", doubts=doubts_phrase(outcome.doubts, texts))
    if outcome.contradicts_claim:
        claimed = quotable(outcome.claim.status) if outcome.claim is not None else None
        yield texts("banner.claim", claimed=claimed) if claimed else texts("banner.claim_bare")
