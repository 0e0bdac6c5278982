from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.texts import Texts
from roundwatch.tui.filter_completion import completed, completions, verdict_words
from roundwatch.tui.filter_parse import parse_filter
from roundwatch.tui.seen_names import SeenNames

from tests.scenes import everything
from tests.tui.filtering import WORDS, watching

NAMES = watching(everything()).names
VERDICTS = verdict_words(Texts.load("en"))


def after_tab(text: str) -> str:
    found = completions(text, len(text), NAMES, VERDICTS)
    return completed(text, len(text), found[0])[0] if found else text


@pytest.mark.parametrize(
    ("typed", "after"),
    [
        ("", "verdict:"),
        ("ag", "agent:"),
        ("a -th", "a -thread:"),
        ("agent:tri", "agent:triage "),
        ("agent:worker|tri", "agent:worker|triage "),
        ("verdict:no f", "verdict:no finish:"),
        ("verdict:no-f", "verdict:no-finish "),
        ("is:run", "is:running "),
        ("tool:del", "tool:delegate "),
        ("finish:max", "finish:max_tokens "),
        ("zzz", "zzz"),
        ("zzz:a", "zzz:a"),
    ],
)
def test_tab_takes_what_fits_best(typed: str, after: str) -> None:
    assert after_tab(typed) == after


def test_a_name_with_blanks_is_put_in_quotes() -> None:
    names = watching([{"type": "round.started", "round": "r", "agent": 'my "best" agent'}]).names
    (found,) = completions("agent:be", 8, names, VERDICTS)
    assert parse_filter(completed("agent:be", 8, found)[0], WORDS) is not None
    assert found.insert == "'my \"best\" agent'"


@given(st.text(max_size=30), st.integers(0, 30))
def test_a_completion_replaces_only_what_stands_before_the_cursor(text: str, cursor: int) -> None:
    cursor = min(cursor, len(text))
    for found in completions(text, cursor, SeenNames(), VERDICTS):
        after, place = completed(text, cursor, found)
        assert after.startswith(text[: found.start])
        assert after.endswith(text[cursor:])
        assert 0 <= found.start <= cursor <= len(text)
        assert after[:place].rstrip().endswith(found.insert)


def test_every_verdict_that_is_offered_is_understood() -> None:
    for locale in ("en", "de"):
        for word in verdict_words(Texts.load(locale)):
            assert parse_filter(f"verdict:{word}", WORDS) is not None
