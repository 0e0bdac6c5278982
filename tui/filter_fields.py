"""The fields of the filter language: their names in both languages, and what each looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ..core.rounds import Verdict
from ..core.texts import VERDICT_MARKS, Texts
from .filter_subject import FilterSubject


class Kind(StrEnum):
    """What the value of a field is."""

    TEXT = "text"
    NUMBER = "number"
    TIME = "time"
    VERDICT = "verdict"
    STATE = "state"


@dataclass(frozen=True, slots=True)
class Field:
    """One field: ``name:value``."""

    name: str
    kind: Kind
    texts: Callable[[FilterSubject], tuple[str | None, ...]] = lambda subject: ()
    number: Callable[[FilterSubject], float | None] = lambda subject: None
    """Counts as they are, times in milliseconds."""


def _maybe(names: tuple[str, ...]) -> tuple[str | None, ...]:
    return names or (None,)


FIELDS: Mapping[str, Field] = {
    field.name: field
    for field in (
        Field("verdict", Kind.VERDICT),
        Field("is", Kind.STATE),
        Field("agent", Kind.TEXT, lambda subject: (subject.listed.agent,)),
        Field("thread", Kind.TEXT, lambda subject: (subject.listed.thread,)),
        Field("title", Kind.TEXT, lambda subject: (subject.listed.title,)),
        Field("hub", Kind.TEXT, lambda subject: (subject.listed.hub or None,)),
        Field("round", Kind.TEXT, lambda subject: (subject.listed.id,)),
        Field("model", Kind.TEXT, lambda subject: _maybe(subject.used.models)),
        Field("tool", Kind.TEXT, lambda subject: subject.used.tools or ("",)),
        Field("finish", Kind.TEXT, lambda subject: (subject.finish_reason,)),
        Field("tokens", Kind.NUMBER, number=lambda subject: subject.tokens),
        Field("in", Kind.NUMBER, number=lambda subject: subject.listed.tokens[0]),
        Field("out", Kind.NUMBER, number=lambda subject: subject.listed.tokens[1]),
        Field("calls", Kind.NUMBER, number=lambda subject: subject.listed.calls),
        Field("first", Kind.TIME, number=lambda subject: subject.first_output_ms),
        Field("total", Kind.TIME, number=lambda subject: subject.listed.total_ms),
    )
}
ALIASES: Mapping[str, str] = {
    "urteil": "verdict", "ist": "is", "titel": "title", "runde": "round", "modell": "model", "werkzeug": "tool",
    "ende": "finish", "token": "tokens", "ein": "in", "aus": "out", "aufrufe": "calls", "erste": "first",
    "gesamt": "total", "id": "round", "name": "agent",
}  # fmt: skip
"""What else a field may be called."""

STATES: Mapping[str, Callable[[FilterSubject], bool]] = {
    "answer": lambda subject: subject.outcome.is_answer,
    "problem": lambda subject: subject.is_problem,
    "unsure": lambda subject: subject.is_unsure,
    "running": lambda subject: subject.is_running,
    "ended": lambda subject: not subject.is_running,
    "silent": lambda subject: subject.outcome.stalled_ms is not None,
    "contradicted": lambda subject: subject.outcome.contradicts_claim,
    "sub": lambda subject: subject.is_sub,
    "orphan": lambda subject: subject.listed.is_orphan,
}
"""Values of ``is:``."""
STATE_ALIASES: Mapping[str, str] = {
    "antwort": "answer", "unsicher": "unsure", "unconfirmed": "unsure", "läuft": "running", "laeuft": "running",
    "beendet": "ended", "still": "silent", "stalled": "silent", "widersprochen": "contradicted",
    "unterrunde": "sub", "verwaist": "orphan",
}  # fmt: skip
GROUPS: Mapping[str, frozenset[Verdict]] = {
    "cut": frozenset((Verdict.OUTPUT_CAP_REACHED, Verdict.CONTEXT_WINDOW_EXCEEDED)),
    "limit": frozenset((Verdict.MAX_ITERATIONS, Verdict.TOKEN_BUDGET, Verdict.COST_BUDGET, Verdict.WALL_CLOCK)),
    "answer": frozenset((Verdict.COMPLETED,)),
}
"""Words for several verdicts at once."""
NONE = "none"
"""As a value: not reported."""


def known_field(name: str) -> Field | None:
    """Return a field by its name in either language."""
    folded = name.casefold()
    return FIELDS.get(ALIASES.get(folded, folded))


def known_state(name: str) -> Callable[[FilterSubject], bool] | None:
    """Return what ``is:name`` asks."""
    folded = name.casefold()
    return STATES.get(STATE_ALIASES.get(folded, folded))


def as_value(word: str) -> str:
    """Return a word of the screen as a filter writes it: without blanks, in small letters."""
    return word.casefold().replace(" ", "-").strip("?")


@dataclass(frozen=True, slots=True)
class VerdictWords:
    """What verdicts are called: their own names, English words, and those of the viewer's language."""

    words: Mapping[str, frozenset[Verdict]]

    @classmethod
    def of(cls, languages: Iterable[Texts]) -> VerdictWords:
        """Return the words of these languages."""
        found: dict[str, frozenset[Verdict]] = {verdict.value: frozenset((verdict,)) for verdict in Verdict}
        for texts in languages:
            for verdict in Verdict:
                word = as_value(VERDICT_MARKS[verdict].word(texts))
                found[word] = found.get(word, frozenset()) | {verdict}
                found.setdefault(as_value(texts(f"verdict.{verdict}")), frozenset((verdict,)))
        return cls({**found, **GROUPS})

    def meant(self, written: str) -> frozenset[Verdict]:
        """Return the verdicts that a value means: the word itself, else every word that begins so."""
        wanted = as_value(written)
        wanted = wanted if wanted in self.words else wanted.replace("-", "_")
        if wanted in self.words:
            return self.words[wanted]
        begun = [verdicts for word, verdicts in self.words.items() if word.startswith(wanted)] if wanted else []
        return frozenset[Verdict]().union(*begun)
