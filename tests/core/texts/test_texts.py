from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import Texts

from tests.core.texts.ended import BOTH, DE, EN


@pytest.mark.parametrize(
    ("n", "en", "de"),
    [
        (0, "0 tool calls", "0 Werkzeugaufrufe"),
        (1, "1 tool call", "1 Werkzeugaufruf"),
        (1.0, "1 tool call", "1 Werkzeugaufruf"),
        (2, "2 tool calls", "2 Werkzeugaufrufe"),
        (1.5, "1.5 tool calls", "1,5 Werkzeugaufrufe"),
        (-1, "-1 tool call", "-1 Werkzeugaufruf"),
        (1_000, "1,000 tool calls", "1.000 Werkzeugaufrufe"),
        (10**30, "1.000e+30 tool calls", "1,000e+30 Werkzeugaufrufe"),
        (float("nan"), "– tool calls", "– Werkzeugaufrufe"),
        (None, "– tool calls", "– Werkzeugaufrufe"),
    ],
)
def test_the_number_chooses_the_form(n: float | None, en: str, de: str) -> None:
    assert (EN("ui.tool_calls", n=n), DE("ui.tool_calls", n=n)) == (en, de)


@pytest.mark.parametrize(("quoted", "stop"), [("Key limit exceeded", "."), ("Key limit exceeded.", ""), ("Why?", "")])
def test_a_quotation_that_ends_in_a_stop_gets_no_second_one(quoted: str, stop: str) -> None:
    assert EN("supervisor.error", text=quoted) == f'Last error: "{quoted}"{stop}'
    assert DE("supervisor.error", text=quoted) == f"Letzter Fehler: „{quoted}“{stop}"
    assert EN("figures.line", parts='finish reason "a."') == 'Last model call: finish reason "a.".'


def test_outside_text_cannot_command_a_terminal_or_pose_as_a_placeholder() -> None:
    shown = EN("banner.tool_open", name="\x1b[2J{name}\n")
    assert shown == 'The round ended before the tool call "␛[2J{name}␊" had a result.'


def test_a_text_that_only_english_has_is_shown_in_english() -> None:
    texts = Texts("de", {}, {"a.b": {"one": "{n} thing", "other": "{n} things"}})
    assert texts("a.b", n=1) == "1 thing"
    assert "a.b" in texts
    assert not texts.gaps


def test_a_translation_that_wants_a_value_nobody_gave_falls_back_to_english() -> None:
    texts = Texts("de", {"k": {"other": "{x} und {y}"}}, {"k": {"other": "{x} only"}})
    assert texts("k", x=1) == "1 only"


def test_what_is_missing_everywhere_is_counted_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    texts = Texts("de", {"k": {"other": "{x} und {y}"}}, {})
    with caplog.at_level(logging.WARNING):
        assert texts("k", x=1) == "1 und –"
        assert texts("k", x=2) == "2 und –"
        assert texts("no.such") == "no.such"
    assert texts.gaps == {"k": 2, "no.such": 1}
    assert len(caplog.records) == 2
    assert "no.such" not in texts


@pytest.mark.parametrize("locale", ["fr", "", "C", "\x00", "en_GB"])
def test_a_language_without_a_table_is_english(locale: str) -> None:
    assert Texts.load(locale).locale == "en"
    assert Texts.load("de_CH.UTF-8").locale == "de"


def test_the_short_name_is_the_same_lookup() -> None:
    assert DE.t("mark.completed") == DE("mark.completed") == "Antwort"


@given(st.text(), st.integers() | st.floats() | st.none())
def test_a_lookup_never_raises(value: str, n: float | None) -> None:
    for texts in BOTH:
        assert texts("banner.tools_open_named", names=value, n=n)
