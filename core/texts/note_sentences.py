"""What happened on the way to an end: one sentence a note, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from ..rounds.base import ContinuationKind
from ..rounds.notes import Facts, Note, NoteCode
from .durations import span_of_ms
from .phrases import listed
from .reading import count_of, names_of, number_of, quotable, text_of
from .texts import Texts


def note_sentence(note: Note, texts: Texts) -> str:
    """Return the sentence of a note."""
    writer = _WRITERS.get(note.code)
    return writer(note.facts, texts) if writer is not None else _counted(note, texts)


def _counted(note: Note, texts: Texts) -> str:
    n = count_of(note.facts, "n")
    return texts(f"note.{note.code}", n=1 if n is None else n)


def _other_cut(facts: Facts, texts: Texts) -> str:
    kind = text_of(facts, "kind")
    if kind not in tuple(ContinuationKind):
        return texts("note.continuation_after_other_cut")
    return texts(f"note.continuation_after_{kind}")


def _sub_rounds_not_complete(facts: Facts, texts: Texts) -> str:
    verdicts = Counter(names_of(facts, "verdicts"))
    n = count_of(facts, "n")
    count = n if n is not None else max(1, verdicts.total())
    if not verdicts:
        return texts("note.sub_rounds_not_complete_bare", n=count)
    words = [
        f"{_word(verdict, texts)} ({texts.number(times)})" if times > 1 else _word(verdict, texts)
        for verdict, times in verdicts.items()
    ]
    return texts("note.sub_rounds_not_complete", n=count, verdicts=listed(tuple(words), texts))


def _word(verdict: str, texts: Texts) -> str:
    key = f"mark.{verdict}"
    return texts(key) if key in texts else verdict


def _with_rounds(code: NoteCode) -> Callable[[Facts, Texts], str]:
    def write(facts: Facts, texts: Texts) -> str:
        rounds, n = names_of(facts, "rounds"), count_of(facts, "n")
        count = n if n is not None else max(1, len(rounds))
        if not rounds:
            return texts(f"note.{code}_bare", n=count)
        return texts(f"note.{code}", n=count, rounds=listed(rounds, texts))

    return write


def _only_reasoning(facts: Facts, texts: Texts) -> str:
    counts = [
        texts(f"note.reported_{name}", n=n, count=texts.count(n))
        for name in ("output_tokens", "reasoning_tokens")
        if (n := number_of(facts, name)) is not None
    ]
    if not counts:
        return texts("note.only_reasoning")
    return texts("note.only_reasoning_counts", counts=texts("banner.and").join(counts))


def _cut_response(facts: Facts, texts: Texts) -> str:
    tokens = number_of(facts, "output_tokens")
    return texts("note.last_response_cut") if tokens is None else texts("note.last_response_cut_at", n=tokens)


def _native(facts: Facts, texts: Texts) -> str:
    wire, native = text_of(facts, "finish_reason"), text_of(facts, "native")
    if native is None:
        return texts("note.native_reason_differs_bare")
    if wire is None:
        return texts("note.native_reason_alone", native=native)
    return texts("note.native_reason_differs", wire=wire, native=native)


def _repeated(facts: Facts, texts: Texts) -> str:
    wire, later = text_of(facts, "finish_reason"), names_of(facts, "later")
    if wire is None or not later:
        return texts("note.finish_reason_repeated_bare")
    return texts("note.finish_reason_repeated", wire=wire, later=_quoted(later, texts))


def _choices(facts: Facts, texts: Texts) -> str:
    value = facts.get("reasons")
    reasons = tuple(quotable(each) or "" for each in value) if isinstance(value, tuple) else ()
    if not reasons:
        return texts("note.choices_differ_bare")
    return texts("note.choices_differ", reasons=_quoted(reasons, texts))


def _quoted(words: tuple[str, ...], texts: Texts) -> str:
    quoted = [texts("banner.quoted", value=word) if word.strip() else texts("note.none_reported") for word in words]
    return listed(tuple(quoted), texts)


def _silent(facts: Facts, texts: Texts) -> str:
    ms = number_of(facts, "ms")
    if ms is None:
        return texts("note.silent_before_end_bare")
    return texts("note.silent_before_end", span=span_of_ms(ms, texts))


def _filter_detail(facts: Facts, texts: Texts) -> str:
    detail = text_of(facts, "detail")
    return texts("note.filter_detail", detail=detail) if detail else texts("note.filter_detail_bare")


_WRITERS: Mapping[NoteCode, Callable[[Facts, Texts], str]] = {
    NoteCode.CONTINUATION_AFTER_OTHER_CUT: _other_cut,
    NoteCode.SUB_ROUNDS_NOT_COMPLETE: _sub_rounds_not_complete,
    NoteCode.SUB_ROUNDS_RUNNING: _with_rounds(NoteCode.SUB_ROUNDS_RUNNING),
    NoteCode.PARENT_TOLD_OK: _with_rounds(NoteCode.PARENT_TOLD_OK),
    NoteCode.LAST_RESPONSE_CUT: _cut_response,
    NoteCode.ONLY_REASONING: _only_reasoning,
    NoteCode.NATIVE_REASON_DIFFERS: _native,
    NoteCode.FINISH_REASON_REPEATED: _repeated,
    NoteCode.CHOICES_DIFFER: _choices,
    NoteCode.SILENT_BEFORE_END: _silent,
    NoteCode.FILTER_DETAIL: _filter_detail,
}
"""Notes whose sentence needs more than a count."""
