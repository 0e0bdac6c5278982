from __future__ import annotations

from typing import Any

import pytest
from roundwatch.core.rounds import Figures
from roundwatch.core.texts import figures_line

from tests.core.texts.ended import DE, EN


def line(locale: str = "en", **fields: Any) -> str | None:
    return figures_line(Figures(call="c1", **fields), DE if locale == "de" else EN)


def test_all_figures_in_english() -> None:
    assert line(first_output_ms=2150, total_ms=9_449, output_tokens=1_312, input_tokens=70_004) == (
        "Last model call: first output after 2.2 s, 9.4 s in all, 1,312 output tokens, 70,004 input tokens, "
        "no finish reason reported."
    )


def test_all_figures_in_german() -> None:
    shown = line("de", first_output_ms=2150, total_ms=9_449, output_tokens=1_312, input_tokens=70_004)
    assert shown == (
        "Letzter Modellaufruf: erste Ausgabe nach 2,2 s, 9,4 s insgesamt, 1.312 Ausgabe-Token, "
        "70.004 Eingabe-Token, kein Beendigungsgrund gemeldet."
    )


def test_the_finish_reason_is_quoted_verbatim() -> None:
    assert line(total_ms=900, finish_reason="max_tokens") == (
        'Last model call: no output received, 900 ms in all, finish reason "max_tokens".'
    )
    assert line("de", output_seen=True, finish_reason="[bold]\x1b") == (
        "Letzter Modellaufruf: Beendigungsgrund „[bold]␛“."
    )


def test_one_token_is_one_token() -> None:
    assert line(output_tokens=1, input_tokens=1) == (
        "Last model call: 1 output token, 1 input token, no finish reason reported."
    )


def test_no_output_is_said_only_when_none_came() -> None:
    assert line(output_tokens=0, total_ms=12) == (
        "Last model call: no output received, 12 ms in all, 0 output tokens, no finish reason reported."
    )
    assert line("de", output_tokens=0) == (
        "Letzter Modellaufruf: keine Ausgabe erhalten, 0 Ausgabe-Token, kein Beendigungsgrund gemeldet."
    )
    assert "output received" not in (line(output_seen=True) or "")
    assert "output received" not in (line(output_tokens=5) or "")


def test_a_derived_value_is_marked_and_a_measured_one_is_not() -> None:
    shown = line(first_output_ms=1500, total_ms=2500, derived=frozenset(("first_output_ms",)))
    assert shown == "Last model call: first output after ≈ 1.5 s, 2.5 s in all, no finish reason reported."
    assert "≈ 3 output tokens" in (line(output_tokens=3, derived=frozenset(("output_tokens",))) or "")


def test_the_upstreams_word_and_later_ones_stand_beside_it() -> None:
    shown = line("de", output_seen=True, finish_reason="stop", native_finish_reason="MAX", finish_repeated=("error",))
    assert shown == "Letzter Modellaufruf: Beendigungsgrund „stop“ (ursprünglich: „MAX“), später auch „error“."
    assert line(output_seen=True, finish_reason="stop", native_finish_reason="stop") == (
        'Last model call: finish reason "stop".'
    )


@pytest.mark.parametrize("texts", [EN, DE])
def test_without_a_call_there_is_no_line(texts: Any) -> None:
    assert figures_line(None, texts) is None


def test_impossible_counts_are_shown_raw_and_marked() -> None:
    assert "-4 (implausible) output tokens" in (line(output_tokens=-4, output_seen=True) or "")
