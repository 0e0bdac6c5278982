from __future__ import annotations

import re
from itertools import pairwise

import pytest
from roundwatch.core.rounds import Claim, Doubt, Figures, Note, NoteCode, Outcome, Verdict
from roundwatch.core.texts import Severity, Texts, banner

from tests.core.texts.ended import BOTH, DE, EN, ended, every_outcome

EVERY = every_outcome()
FIGURES = Figures(call="c1", first_output_ms=1_500.0, total_ms=20_050.0, output_tokens=1_024, output_seen=True)


def lines(outcome: Outcome, texts: Texts) -> list[str]:
    found = banner(outcome, texts)
    return [found.title, *found.sentences, *([found.figures] if found.figures else []), *found.not_established]


@pytest.mark.parametrize("texts", BOTH, ids=lambda texts: texts.locale)
@pytest.mark.parametrize("outcome", EVERY, ids=lambda outcome: outcome.verdict)
def test_every_verdict_reads_well_whatever_is_recorded(outcome: Outcome, texts: Texts) -> None:
    shown = lines(outcome, texts)
    assert all(line.strip() for line in shown)
    for line in shown:
        assert not any(part in line for part in ("None", "True", "False", "{", "}", "  ", "„“", '""', " ,", "()"))
    assert all(sentence.endswith((".", '."', ".“", '?"', "?“")) for sentence in shown[1:])
    assert not texts.gaps


def test_failed_tool_calls_are_told_once_where_the_verdict_says_it() -> None:
    failed = (Note(NoteCode.TOOL_CALLS_FAILED, {"n": 3}),)
    assert "3 tool calls failed." not in lines(ended(Verdict.STALLED_ITERATIONS, {"n": 3}, notes=failed), EN)
    assert "3 tool calls failed." in lines(ended(Verdict.NO_OUTPUT, notes=failed), EN)


@pytest.mark.parametrize("outcome", EVERY, ids=lambda outcome: outcome.verdict)
def test_no_english_verdict_and_no_decimal_point_in_german(outcome: Outcome) -> None:
    shown = " ".join(lines(outcome, DE))
    assert not any(str(verdict) in shown for verdict in Verdict if "_" in verdict)
    assert not re.search(r"\d\.\d(?!\d\d)", shown)
    assert "“" not in re.sub(r"„[^“]*“", "", shown)


@pytest.mark.parametrize("outcome", EVERY, ids=lambda outcome: outcome.verdict)
def test_the_two_languages_never_say_the_same_words(outcome: Outcome) -> None:
    assert set(banner(outcome, EN).sentences).isdisjoint(banner(outcome, DE).sentences)


def test_only_a_confirmed_answer_is_called_one() -> None:
    for outcome in (*EVERY, ended(Verdict.COMPLETED, is_answer=False)):
        found = banner(outcome, EN)
        assert (found.severity is Severity.ANSWER) is outcome.is_answer
        assert (found.title == "Answer") is outcome.is_answer


def test_a_confirmed_answer_keeps_its_notes_and_figures() -> None:
    outcome = ended(Verdict.COMPLETED, notes=(Note(NoteCode.RETRIES, {"n": 1}),), figures=FIGURES)
    found = banner(outcome, DE)
    assert found.title == "Antwort"
    assert found.sentences == ("Auf 1 gescheiterten Aufruf folgte ein neuer Versuch.",)
    assert found.figures is not None
    assert "20,1 s insgesamt" in found.figures


def test_an_unconfirmed_one_names_every_doubt() -> None:
    outcome = ended(Verdict.COMPLETED, is_answer=False, doubts=tuple(Doubt))
    found = banner(outcome, EN)
    assert found.severity is Severity.UNSURE
    assert found.title == "Probably finished, not confirmed"
    assert found.sentences[0].count(";") == len(Doubt) - 1


@pytest.mark.parametrize("texts", BOTH, ids=lambda texts: texts.locale)
@pytest.mark.parametrize("doubt", list(Doubt))
def test_every_doubt_has_words(doubt: Doubt, texts: Texts) -> None:
    (sentence,) = banner(ended(Verdict.COMPLETED, is_answer=False, doubts=(doubt,)), texts).sentences
    assert "_" not in sentence
    assert not texts.gaps


def test_cause_notes_doubts_and_claim_come_in_this_order() -> None:
    outcome = ended(
        Verdict.STREAM_ENDED_WITHOUT_FINISH,
        {"open_call": True},
        notes=(Note(NoteCode.TOOL_CALLS_REFUSED, {"n": 2}),),
        doubts=(Doubt.END_NOT_RECORDED,),
        claim=Claim(status="completed"),
        contradicts_claim=True,
        figures=FIGURES,
    )
    found = banner(outcome, DE)
    assert found.sentences == (
        "Die Runde wurde geschlossen, während ihr letzter Aufruf noch lief.",
        "2 Werkzeugaufrufe wurden abgelehnt.",
        "Nicht sicher: Ende der Runde nicht aufgezeichnet.",
        "Das Protokoll sagt „completed“, die Belege sagen etwas anderes.",
    )
    assert found.figures is not None
    assert found.figures.startswith("Letzter Modellaufruf: erste Ausgabe nach 1,5 s")


def test_a_claim_that_agrees_is_not_mentioned_and_a_bare_contradiction_is() -> None:
    agreeing = ended(Verdict.COMPLETED, claim=Claim(status="completed"))
    assert banner(agreeing, EN).sentences == ()
    bare = ended(Verdict.NO_OUTPUT, contradicts_claim=True)
    assert banner(bare, EN).sentences[-1] == "The record says something else than the evidence."


def test_a_running_round_has_no_figures_and_a_silent_one_asks_for_attention() -> None:
    running = banner(ended(Verdict.RUNNING, figures=FIGURES), DE)
    assert (running.title, running.severity, running.figures) == ("Läuft", Severity.NEUTRAL, None)
    silent = banner(ended(Verdict.RUNNING, stalled_ms=30_000.0), DE)
    assert (silent.title, silent.severity) == ("Läuft, aber ohne Ausgabe", Severity.ATTENTION)
    assert silent.sentences[0] == "Seit 30,0 s keine Ausgabe."


@pytest.mark.parametrize("provisional", list(Verdict))
def test_what_a_running_round_would_be_is_told_in_words(provisional: Verdict) -> None:
    for texts in BOTH:
        said = banner(ended(Verdict.RUNNING, provisional=provisional), texts).sentences
        assert len(said) == (1 if provisional is Verdict.RUNNING else 2)
        assert not texts.gaps


def test_what_is_not_established_stands_apart() -> None:
    found = banner(ended(Verdict.SUPERVISOR_GAVE_UP, {"cuts": 3, "relaunches": 2, "cap": 2}), DE)
    assert found.not_established == (
        "Nicht geklärt: ob ein Abbruch beim Herunterfahren des Hosts als Neustartversuch zählt.",
        "Nicht geklärt: warum die Neustarts so dicht aufeinander folgten.",
    )
    assert not set(found.not_established) & set(found.sentences)


def test_hostile_facts_come_out_visible() -> None:
    outcome = ended(Verdict.FAULTED, {"message": "[red]\x1b]52;c;x\x07\u202e" + "x" * 10_000})
    (sentence,) = banner(outcome, EN).sentences
    assert sentence.startswith('The round broke off with an error: "[red]␛]52;c;x␇‹U+202E›xxx')
    assert sentence.endswith('…".')
    assert len(sentence) < 700


def test_sentences_are_not_repeated() -> None:
    for outcome in EVERY:
        for earlier, later in pairwise(banner(outcome, EN).sentences):
            assert earlier != later
