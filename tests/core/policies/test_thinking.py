from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.policies import (
    Dialect,
    Thinking,
    ThinkingMode,
    ThinkingRow,
    dialect,
    effective_cap,
    fit_budget,
    plan_thinking,
)
from roundwatch.core.texts import WARNINGS

MODES, ROWS = ["auto", "adaptive", "extended"], ["adaptive", "budgeted", "either", "undescribed"]
TABLE = {
    "auto": ["adaptive", "budgeted", "adaptive", "none"],
    "adaptive": ["adaptive", "budgeted", "adaptive", "adaptive"],
    "extended": ["adaptive", "budgeted", "budgeted", "budgeted"],
}
PAIRS = list(itertools.product(MODES, ROWS))


def plan(mode: str, row: str, max_tokens: int, requested: int = 2000) -> Thinking:
    return plan_thinking(ThinkingMode(mode), ThinkingRow(row), max_tokens, requested)


def signatures(thinking: Thinking) -> list[str]:
    return [finding.signature for finding in thinking.findings]


def test_the_table_has_a_row_for_every_mode_and_model() -> None:
    assert (len(ThinkingMode), len(ThinkingRow)) == (len(MODES), len(ROWS))


@pytest.mark.parametrize(("mode", "row"), PAIRS)
def test_every_pair_sends_its_dialect(mode: str, row: str) -> None:
    assert dialect(ThinkingMode(mode), ThinkingRow(row)) == TABLE[mode][ROWS.index(row)]


@pytest.mark.parametrize(("mode", "row"), PAIRS)
def test_only_a_budget_is_ever_clamped_or_impossible(mode: str, row: str) -> None:
    small, tight = plan(mode, row, 1024, 9999), plan(mode, row, 4096, 9999)
    budgeted = TABLE[mode][ROWS.index(row)] == "budgeted"
    assert (tight.budget == 4095) is budgeted
    assert ("thinkingBudgetClamped=9999->4095" in signatures(tight)) is budgeted
    assert (signatures(small) == ["thinkingBudgetImpossible=1024"]) is budgeted
    assert (small.sent is Dialect.NONE) is (budgeted or TABLE[mode][ROWS.index(row)] == "none")


@pytest.mark.parametrize(("mode", "row"), PAIRS)
def test_only_a_mode_that_a_model_does_not_speak_is_translated(mode: str, row: str) -> None:
    translated = {
        ("adaptive", "budgeted"): ["thinkingDialectTranslated=ADAPTIVE->BUDGETED"],
        ("extended", "adaptive"): ["thinkingDialectTranslated=EXTENDED->ADAPTIVE"],
    }
    assert signatures(plan(mode, row, 8192)) == translated.get((mode, row), [])


def test_a_translated_budget_can_be_clamped_too_and_an_impossible_one_is_the_only_finding() -> None:
    assert signatures(plan("adaptive", "budgeted", 1025, 5000)) == [
        "thinkingDialectTranslated=ADAPTIVE->BUDGETED",
        "thinkingBudgetClamped=5000->1024",
    ]
    assert signatures(plan("adaptive", "budgeted", 1024, 5000)) == ["thinkingBudgetImpossible=1024"]


@pytest.mark.parametrize(
    ("requested", "max_tokens", "budget"), [(1, 1025, 1), (1024, 1025, 1024), (1025, 1025, 1024), (1026, 1025, 1024)]
)
def test_a_budget_stays_below_the_cap(requested: int, max_tokens: int, budget: int) -> None:
    fitted = fit_budget(requested, max_tokens)
    assert (fitted.type, fitted.budget) == ("enabled", budget)
    assert (fitted.findings == ()) is (requested == budget)


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_a_budget_is_sent_exactly_when_the_cap_leaves_room(requested: int, max_tokens: int) -> None:
    fitted = fit_budget(requested, max_tokens)
    if max_tokens <= 1024:
        assert (fitted.sent, fitted.type, fitted.budget) == (Dialect.NONE, "none", None)
        assert [finding.facts for finding in fitted.findings] == [{"max_tokens": max_tokens}]
    else:
        assert fitted.budget is not None
        assert 0 < fitted.budget < max_tokens
        assert fitted.budget == min(requested, max_tokens - 1)


def test_the_wires_word_of_each_dialect() -> None:
    assert [Thinking(sent).type for sent in (Dialect.ADAPTIVE, Dialect.BUDGETED, Dialect.NONE)] == [
        "adaptive",
        "enabled",
        "none",
    ]


@pytest.mark.parametrize(
    ("call", "client", "cap"), [(None, None, 4096), (100, None, 100), (None, 200, 200), (100, 200, 100), (0, 5, 0)]
)
def test_the_default_cap_applies_only_where_nobody_set_one(call: int | None, client: int | None, cap: int) -> None:
    assert effective_cap(call, client) == cap


def test_every_finding_has_a_warning_text_and_its_facts() -> None:
    found = [*plan("adaptive", "budgeted", 1025, 5000).findings, *fit_budget(1, 1).findings]
    assert [finding.code for finding in found] == [
        "thinking_dialect_translated", "thinking_budget_clamped", "thinking_budget_impossible",
    ]  # fmt: skip
    assert {finding.code for finding in found} <= set(WARNINGS)
    assert found[1].facts == {"from": 5000, "to": 1024}
