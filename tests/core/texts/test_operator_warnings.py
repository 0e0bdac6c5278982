from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import WARNINGS, Texts, warning_text

from tests.core.texts.ended import BOTH, DE, EN

CODES = (
    "cut_tool_calls_refused",
    "cut_answer",
    "stalled_iterations",
    "call_truncated_outside_loop",
    "thinking_budget_clamped",
    "thinking_budget_impossible",
    "thinking_dialect_translated",
    "arguments_unparseable",
    "delegation_timeout",
    "continuation_skipped",
    "next_request_missing",
)


def test_every_code_of_the_protocol_has_a_text() -> None:
    assert set(WARNINGS) == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_warning_without_facts_still_reads_well(code: str) -> None:
    for texts in BOTH:
        shown = warning_text(code, {}, texts)
        assert shown.endswith(".")
        assert not any(part in shown for part in ("None", "{", "–", "  "))
        assert not texts.gaps


@pytest.mark.parametrize(
    ("code", "facts", "en", "de"),
    [
        (
            "cut_tool_calls_refused",
            {"iteration": 2, "tools": ["edit", "bash"], "early": False, "output_tokens": 90, "reasoning_tokens": 0},
            "The response of iteration 2 was cut at max_tokens; its 2 tool calls (edit, bash) were refused "
            "and not run.",
            "Die Antwort von Durchlauf 2 wurde bei max_tokens abgeschnitten; ihre 2 Werkzeugaufrufe "
            "(edit, bash) wurden verworfen und nicht ausgeführt.",
        ),
        (
            "cut_tool_calls_refused",
            {"tools": ["edit"], "early": True, "output_tokens": 100, "reasoning_tokens": 500},
            "A response was cut at max_tokens; its tool call (edit) was refused, and its result dropped if it had "
            "already started; the response's usage reports 100 output tokens and 500 reasoning tokens.",
            "Eine Antwort wurde bei max_tokens abgeschnitten; ihr Werkzeugaufruf (edit) wurde verworfen, samt "
            "dem Ergebnis, falls er bereits gestartet war; gemeldet sind für diese Antwort 100 Ausgabe-Token und "
            "500 Überlegungs-Token.",
        ),
        (
            "next_request_missing",
            {"waited_s": 900, "tools": ["look"]},
            "No further request came for 15 min; the round was closed with what is known.",
            "15 min lang kam keine weitere Anfrage; die Runde wurde mit dem abgeschlossen, was bekannt ist.",
        ),
        (
            "cut_answer",
            {"iterations": 2, "subagent": "scout", "reasoning_tokens": 7},
            'The answer of the subagent "scout" was cut at max_tokens after 2 iterations and handed over marked as '
            "partial; the response's usage reports 7 reasoning tokens.",
            "Die Antwort des Unteragenten „scout“ wurde bei max_tokens abgeschnitten (nach 2 Durchläufen) und als "
            "unvollständig gekennzeichnet weitergegeben; gemeldet sind für diese Antwort 7 Überlegungs-Token.",
        ),
        (
            "thinking_budget_clamped",
            {"from": 16_000, "to": 4_095},
            "The thinking budget was lowered from 16,000 to 4,095 to stay below the output limit.",
            "Das Denkbudget wurde von 16.000 auf 4.095 gesenkt, damit es unter dem Ausgabelimit bleibt.",
        ),
        (
            "delegation_timeout",
            {"timeout_ms": 600_000, "child": "r9", "child_state": "running"},
            'The waiting time of 10 min for the delegated task is over. Delegate: "r9". Its state: "running". '
            "Not a truncation.",
            "Die Wartezeit von 10 min auf den Teilauftrag ist abgelaufen. Teilauftrag: „r9“. "
            "Sein Zustand: „running“. Keine Kürzung.",
        ),
        (
            "arguments_unparseable",
            {"error": "JSONDecodeError", "offset": 12, "length": 40},
            "The arguments of a tool call are not valid JSON (at character 12 of 40) "
            '["JSONDecodeError"]; the call was not run.',
            "Die Argumente eines Werkzeugaufrufs sind kein gültiges JSON (bei Zeichen 12 von 40) "
            "[„JSONDecodeError“]; der Aufruf wurde nicht ausgeführt.",
        ),
    ],
)
def test_a_warning_tells_its_facts(code: str, facts: dict[str, Any], en: str, de: str) -> None:
    assert warning_text(code, facts, EN) == en
    assert warning_text(code, facts, DE) == de


def test_the_stall_guards_warning_names_max_tokens_only_when_all_were_cut() -> None:
    assert "max_tokens" in warning_text("stalled_iterations", {"n": 3, "all_refused": True}, EN)
    assert "max_tokens" not in warning_text("stalled_iterations", {"n": 3, "all_refused": False}, EN)


def test_an_unknown_code_is_quoted_with_the_producers_message() -> None:
    assert warning_text("new_one", {}, EN, "look\x1b") == 'Warning of an unknown kind ("new_one"): "look␛".'
    assert warning_text("new_one", {}, DE) == "Warnung unbekannter Art: „new_one“."


@given(
    st.sampled_from(CODES),
    st.dictionaries(
        st.sampled_from(
            [
                "iteration",
                "tools",
                "early",
                "output_tokens",
                "reasoning_tokens",
                "iterations",
                "subagent",
                "n",
                "all_refused",
                "purpose",
                "from",
                "to",
                "max_tokens",
                "error",
                "offset",
                "length",
                "timeout_ms",
                "child",
                "child_state",
                "reason",
            ]
        ),
        st.none()
        | st.booleans()
        | st.integers(-(10**400), 10**400)
        | st.floats()
        | st.text()
        | st.lists(st.text() | st.integers()),
    ),
)
def test_facts_of_any_shape_give_a_sentence(code: str, facts: dict[str, Any]) -> None:
    for texts in BOTH:
        assert warning_text(code, facts, texts)


@pytest.mark.parametrize("locale", ["en", "de"])
def test_an_answer_that_nothing_proves_cut_is_not_called_cut(locale: str) -> None:
    texts = Texts.load(locale)
    told = {
        reason: warning_text("continuation_skipped", {"reason": reason}, texts)
        for reason in ("no_proof", "unsafe_content", "context_window", "budget?")
    }
    cut_word = "abgeschnitten" if locale == "de" else "cut"
    assert cut_word not in told["no_proof"]
    assert all(cut_word in told[reason] for reason in ("unsafe_content", "context_window"))
    assert "budget?" in told["budget?"]
