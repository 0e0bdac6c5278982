from __future__ import annotations

import pytest
from roundwatch.core.rounds import FactValue
from roundwatch.core.rounds.base import RefusedWhy
from roundwatch.core.texts import refusal_text
from roundwatch.core.texts.tool_sentences import unfinished_tool_call

from tests.core.texts.ended import BOTH, DE, EN


def test_open_tool_calls_are_named_or_counted() -> None:
    assert unfinished_tool_call({"names": ("bash",), "count": 1}, DE) == (
        "Die Runde endete, bevor für den Werkzeugaufruf „bash“ ein Ergebnis vorlag.",
    )
    assert unfinished_tool_call({"names": ("a", "b")}, DE) == (
        "Die Runde endete, bevor für 2 Werkzeugaufrufe ein Ergebnis vorlag: a, b.",
    )
    assert unfinished_tool_call({"count": 1}, EN) == ("The round ended before 1 tool call had a result.",)
    assert unfinished_tool_call({}, EN) == ("The round ended before one of its tool calls had a result.",)


def test_a_tool_call_the_provider_threw_away_is_told_with_its_word() -> None:
    facts: dict[str, FactValue] = {
        "names": (),
        "count": 0,
        "provider_word": "MALFORMED_FUNCTION_CALL",
        "provider_message": "print((",
    }
    assert unfinished_tool_call(facts, EN) == (
        'The provider threw the tool call away itself and reported "MALFORMED_FUNCTION_CALL": "print((".',
    )


@pytest.mark.parametrize("started_early", [None, True, False])
@pytest.mark.parametrize("why", list(RefusedWhy))
def test_every_refusal_has_a_text(why: RefusedWhy, started_early: bool | None) -> None:
    for texts in BOTH:
        assert refusal_text(why, started_early, texts).endswith(".")
        assert not texts.gaps


def test_not_run_is_said_only_when_it_is_known() -> None:
    assert "not run" in refusal_text(RefusedWhy.OUTPUT_CAP, False, EN)
    assert "not run" not in refusal_text(RefusedWhy.OUTPUT_CAP, None, EN)
    assert "nicht ausgeführt" not in refusal_text(RefusedWhy.OUTPUT_CAP, True, DE)
    assert "Bereits gestartet, Ergebnis verworfen." in refusal_text(RefusedWhy.PERMISSION, True, DE)
