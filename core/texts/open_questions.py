"""What nobody has established, said where it bites (outcomes.md 6)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from ..rounds.outcome import Outcome
from ..rounds.verdicts import Verdict
from .reading import flag_of, number_of, text_of
from .texts import Texts


class OpenQuestion(StrEnum):
    """Something a reader might take for settled, and is not."""

    HOST_SHUTDOWN_COUNTS = "host_shutdown_counts"
    """Whether a host's shutdown should count against the relaunch cap."""
    RESTARTS_SO_CLOSE = "restarts_so_close"
    """Why the restarts came so close together."""
    FAILOVER = "failover"
    """Whether an exhausted key fails over for the round that meets it."""
    ADAPTERS_REPORTING = "adapters_reporting"
    """Which other adapters report finish reasons at all."""
    DELEGATION_TIMEOUT = "delegation_timeout"
    """What an elapsed waiting time says about the delegate: a separate condition."""


_EXHAUSTED_STATUS = frozenset((402, 403, 429))
_EXHAUSTED_CODES = ("quota", "rate_limit", "resource_exhausted", "billing", "credit")


def open_questions(outcome: Outcome) -> tuple[OpenQuestion, ...]:
    """Return what is not established about this end."""
    if outcome.verdict is Verdict.SUPERVISOR_GAVE_UP:
        again = max(number_of(outcome.facts, name) or 0 for name in ("cuts", "relaunches")) > 1
        return (OpenQuestion.HOST_SHUTDOWN_COUNTS, *([OpenQuestion.RESTARTS_SO_CLOSE] if again else []))
    if outcome.verdict is Verdict.PROVIDER_ERROR and _exhausted(outcome.facts):
        return (OpenQuestion.FAILOVER,)
    if outcome.verdict is Verdict.STREAM_ENDED_WITHOUT_FINISH and not flag_of(outcome.facts, "open_call"):
        return (OpenQuestion.ADAPTERS_REPORTING,)
    return ()


def question_text(question: OpenQuestion, texts: Texts) -> str:
    """Return the sentence that says what is open."""
    return texts(f"open_question.{question}")


def _exhausted(facts: Mapping[str, object]) -> bool:
    code = (text_of(facts, "code") or "").casefold()
    return number_of(facts, "http_status") in _EXHAUSTED_STATUS or any(word in code for word in _EXHAUSTED_CODES)
