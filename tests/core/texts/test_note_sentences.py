from __future__ import annotations

import pytest
from roundwatch.core.rounds import FactValue, Note, NoteCode, Verdict
from roundwatch.core.texts import Texts, note_sentence
from roundwatch.core.texts.reading import MOST_QUOTED

from tests.core.texts.ended import BOTH, DE, EN

C = NoteCode


@pytest.mark.parametrize("texts", BOTH, ids=lambda texts: texts.locale)
@pytest.mark.parametrize("code", list(NoteCode))
def test_every_note_reads_well_with_no_facts_at_all(code: NoteCode, texts: Texts) -> None:
    before = texts.gaps.total()
    sentence = note_sentence(Note(code), texts)
    assert sentence.endswith(".")
    assert not any(part in sentence for part in ("None", "{", "  ", "–", "„“", '""'))
    assert texts.gaps.total() == before


@pytest.mark.parametrize(
    ("code", "facts", "en", "de"),
    [
        (C.CONTINUATION_CUT_TOO, {"n": 1}, "continuation was cut too", "Auch die automatische Fortsetzung wurde"),
        (C.CONTINUATION_CUT_TOO, {"n": 2}, "2 automatic continuations were", "Auch die 2 automatischen Fortsetzungen"),
        (C.CONTINUATION_ENDED_SAME_WAY, {"n": 1}, "ended the same way", "endete auf dieselbe Weise"),
        (C.CONTINUATION_AFTER_OTHER_CUT, {"kind": "output_cap"}, "cut at its output limit", "am Ausgabelimit"),
        (C.CONTINUATION_AFTER_OTHER_CUT, {"kind": "stream_ended"}, "without a finish", "ohne Abschluss geendet"),
        (C.RETRIES, {"n": 2}, "2 failed calls", "2 gescheiterte Aufrufe"),
        (C.TOOL_CALLS_REFUSED, {"n": 1}, "1 tool call was refused.", "1 Werkzeugaufruf wurde abgelehnt."),
        (C.SUB_ROUNDS_RUNNING, {"n": 1, "rounds": ("r9",)}, "running: r9.", "läuft noch: r9."),
        (C.PARENT_TOLD_OK, {"n": 1, "rounds": ("r9",)}, "not an answer: r9.", "keine Antwort ist: r9."),
        (
            C.ONLY_REASONING,
            {"output_tokens": 1, "reasoning_tokens": 4_000},
            "reported were 1 output token and 4,000 reasoning tokens.",
            "gemeldet sind 1 Ausgabe-Token und 4.000 Überlegungs-Token.",
        ),
        (C.ONLY_REASONING, {"reasoning_tokens": 3}, "reported were 3 reasoning tokens.", "3 Überlegungs-Token."),
        (C.NATIVE_REASON_DIFFERS, {"finish_reason": "stop", "native": "MAX"}, 'said "MAX"', "war „MAX“"),
        (C.NATIVE_REASON_DIFFERS, {"finish_reason": None, "native": "MAX"}, "No finish reason", "nicht weitergereicht"),
        (C.FINISH_REASON_REPEATED, {"finish_reason": "stop", "later": ("error",)}, '"error"', "„error“"),
        (C.CHOICES_DIFFER, {"reasons": ("stop", "")}, '"stop", none reported', "„stop“, keiner gemeldet"),
        (C.SILENT_BEFORE_END, {"ms": 125_000.0}, "for 2 min 5 s before", "2 min 5 s lang"),
        (C.FILTER_DETAIL, {"detail": "SPII"}, '"SPII"', "„SPII“"),
    ],
)
def test_a_note_tells_its_facts(code: NoteCode, facts: dict[str, FactValue], en: str, de: str) -> None:
    assert en in note_sentence(Note(code, facts), EN)
    assert de in note_sentence(Note(code, facts), DE)


def test_sub_rounds_are_counted_by_what_they_were_in_the_viewers_words() -> None:
    verdicts = (str(Verdict.NO_OUTPUT), str(Verdict.CONTENT_FILTERED), str(Verdict.NO_OUTPUT))
    note = Note(C.SUB_ROUNDS_NOT_COMPLETE, {"n": 3, "verdicts": verdicts})
    assert note_sentence(note, DE) == "3 Teilaufträge wurden nicht fertig: ohne Ausgabe (2), gefiltert."


def test_counts_of_reasoning_draw_no_conclusion() -> None:
    sentence = note_sentence(Note(C.ONLY_REASONING, {"output_tokens": 10, "reasoning_tokens": 20}), EN)
    assert " of " not in sentence
    assert "%" not in sentence


def test_a_choice_with_an_endless_finish_word_is_quoted_in_part() -> None:
    sentence = note_sentence(Note(C.CHOICES_DIFFER, {"reasons": ("stop", "x" * 100_000)}), EN)
    assert len(sentence) < 2 * MOST_QUOTED
