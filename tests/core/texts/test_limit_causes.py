from __future__ import annotations

import pytest
from roundwatch.core.rounds import FactValue, Verdict
from roundwatch.core.texts.limit_causes import LIMIT_CAUSES

from tests.core.texts.ended import DE, EN

V = Verdict
Facts = dict[str, FactValue]


@pytest.mark.parametrize(
    ("verdict", "facts", "en", "de"),
    [
        (
            V.OUTPUT_CAP_REACHED,
            {"cap": 16_384, "output_tokens": 16_384, "below_cap": False},
            "The answer was cut at its output limit of 16,384 tokens – a truncation, not a refusal.",
            "Die Antwort wurde beim Ausgabelimit von 16.384 Token abgeschnitten – eine Kürzung, keine Verweigerung.",
        ),
        (
            V.OUTPUT_CAP_REACHED,
            {"cap": 4_096, "output_tokens": 1, "below_cap": True},
            "The provider reported that the answer was cut after 1 token. The output limit sent was 4,096 tokens. "
            "A truncation, not a refusal.",
            "Der Anbieter meldete nach 1 Token eine abgeschnittene Antwort. Erlaubt waren 4.096 Token. "
            "Eine Kürzung, keine Verweigerung.",
        ),
        (
            V.OUTPUT_CAP_REACHED,
            {"cap": None, "output_tokens": None},
            "The answer was cut at its output limit – a truncation, not a refusal.",
            "Die Antwort wurde beim Ausgabelimit abgeschnitten – eine Kürzung, keine Verweigerung.",
        ),
        (
            V.CONTEXT_WINDOW_EXCEEDED,
            {"wire": "model_length"},
            "The context window is full, so the answer breaks off – a truncation, not a refusal. "
            'Reported: "model_length".',
            "Das Kontextfenster ist voll; die Antwort bricht deshalb ab – eine Kürzung, keine Verweigerung. "
            "Gemeldet: „model_length“.",
        ),
        (
            V.ROUND_TIMED_OUT,
            {"limit_s": 90.0},
            "The round exceeded its time limit of 1 min 30 s and was ended by the platform.",
            "Die Runde überschritt ihre Höchstdauer von 1 min 30 s und wurde von der Plattform beendet.",
        ),
        (
            V.STALLED_ITERATIONS,
            {"n": 3.0, "all_refused": True},
            "Ended after 3 iterations without progress: every tool call failed. Each of these responses was cut at "
            "its output limit (max_tokens); its tool calls were refused.",
            "Nach 3 Durchläufen ohne Fortschritt beendet: Alle Werkzeugaufrufe schlugen fehl. Jede dieser Antworten "
            "war am Ausgabelimit (max_tokens) abgeschnitten; ihre Werkzeugaufrufe wurden verworfen.",
        ),
        (
            V.MAX_ITERATIONS,
            {"limit": 50.0},
            "The limit of 50 iterations is reached; a closing answer is missing.",
            "Das Limit von 50 Durchläufen ist erreicht, eine abschließende Antwort fehlt.",
        ),
        (
            V.MAX_ITERATIONS,
            {"limit": 1.0},
            "The round was limited to one iteration; a closing answer is missing.",
            "Die Runde war auf einen Durchlauf begrenzt; eine abschließende Antwort fehlt.",
        ),
        (
            V.TOKEN_BUDGET,
            {"limit": 1e5, "used": 100_417.0},
            "The budget of 100,000 tokens is used up. Used: 100,417 tokens.",
            "Das Budget von 100.000 Token ist aufgebraucht. Verbraucht: 100.417 Token.",
        ),
        (
            V.COST_BUDGET,
            {"limit": 2.5, "used": 2.5137, "currency": "USD"},
            "The cost budget of 2.50 USD is used up. Spent: 2.5137 USD.",
            "Das Kostenbudget von 2,50 USD ist aufgebraucht. Verbraucht: 2,5137 USD.",
        ),
        (
            V.WALL_CLOCK,
            {"limit": 600, "used": 612.4},
            "The time budget of 10 min has run out. Used: 10 min 12 s.",
            "Das Zeitbudget von 10 min ist abgelaufen. Verbraucht: 10 min 12 s.",
        ),
    ],
)
def test_a_limit_is_quoted_with_its_size(verdict: Verdict, facts: Facts, en: str, de: str) -> None:
    assert " ".join(LIMIT_CAUSES[verdict](facts, EN)) == en
    assert " ".join(LIMIT_CAUSES[verdict](facts, DE)) == de


@pytest.mark.parametrize("verdict", list(LIMIT_CAUSES))
def test_an_unknown_limit_leaves_no_number_behind(verdict: Verdict) -> None:
    for texts in (EN, DE):
        (sentence,) = LIMIT_CAUSES[verdict]({}, texts)
        assert not any(char.isdigit() for char in sentence)


def test_only_a_cut_below_the_cap_says_what_the_cap_was() -> None:
    at_cap = LIMIT_CAUSES[V.OUTPUT_CAP_REACHED]({"cap": 100, "output_tokens": 100, "below_cap": False}, EN)
    assert len(at_cap) == 1
    no_cap = LIMIT_CAUSES[V.OUTPUT_CAP_REACHED]({"cap": None, "output_tokens": 7, "below_cap": True}, EN)
    assert no_cap[0].endswith("after 7 tokens.")
    assert len(no_cap) == 2
