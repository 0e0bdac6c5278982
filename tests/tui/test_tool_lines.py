from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.ascii_face import ascii_char
from roundwatch.tui.safe_text import line_cells
from roundwatch.tui.tool_lines import tool_line

from tests.scenes import NOW, Lines, asks, call, end, event, gives, refuses, start
from tests.tui.lines import DE, EN, round_of, text

ASKED: Lines = [
    *start("r", 60),
    *event("call.started", "r", 60, call="c"),
    *asks("r", "c", "t", "bash", 61, '{"a": 1}'),
]


def shown(lines: Lines, width: int = 100, locale: Any = EN) -> str:
    return text(tool_line(round_of(lines).tool_calls["c", "t"], locale, width, NOW)).strip()


@pytest.mark.parametrize(
    ("more", "glyph", "word", "rest"),
    [
        ([], "◦", "pending", '{"a": 1}'),
        (event("tool.started", "r", 72, tool_call="t"), "▶", "running", '10 s  {"a": 1}'),
        (gives("r", "t", 62, 12), "✓", "ok", '12 ms  {"a": 1}'),
        (gives("r", "t", 62, 431, ok=False, error="no [/]"), "✗", "failed", '431 ms  "no [/]"  {"a": 1}'),
        (refuses("r", "c", "t", 62), "⊘", "refused: cut off", '{"a": 1}'),
        (refuses("r", "c", "t", 62, "permission"), "⊘", "refused", '{"a": 1}'),
        (refuses("r", "c", "t", 62, started_early=True), "⊘", "refused: cut off", "started early, result dropped"),
        (end("r", 62), "…", "unfinished", '{"a": 1}'),
    ],
)
def test_every_state_has_a_glyph_and_a_word_of_its_own(more: Lines, glyph: str, word: str, rest: str) -> None:
    line = shown([*ASKED, *more])
    assert line.startswith(f"{glyph} bash")
    assert line.split(maxsplit=2)[2].startswith(word)
    assert rest in line


STATES: list[Lines] = [
    [],
    event("tool.started", "r", 72, tool_call="t"),
    gives("r", "t", 62, 12),
    gives("r", "t", 62, 431, ok=False),
    refuses("r", "c", "t", 62),
    end("r", 62),
]


@pytest.mark.parametrize("width", [40, 59, 60, 100, 200])
@pytest.mark.parametrize("locale", [EN, DE], ids=["en", "de"])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_states_are_told_apart_without_colour_by_the_sign_and_by_the_word_alone(
    encoding: str, locale: Any, width: int
) -> None:
    lines = [shown([*ASKED, *more], width, locale) for more in STATES]
    drawn = ["".join(ascii_char(char, encoding) for char in line) for line in lines]
    signs = {line.split()[0] for line in drawn}
    words = {line.split("bash", 1)[1].split()[0] for line in drawn}
    assert len(signs) == len(words) == len(STATES)
    assert encoding != "ascii" or all(line.isascii() for line in drawn)


def test_a_cut_and_a_prohibition_are_two_words_in_german() -> None:
    assert "verworfen" in shown([*ASKED, *refuses("r", "c", "t", 62)], locale=DE)
    assert "abgelehnt" in shown([*ASKED, *refuses("r", "c", "t", 62, "permission")], locale=DE)


def test_what_is_odd_about_a_tool_call_is_said() -> None:
    asked = asks("r", "c", "t", "search", 61, '{"q": "x', server=True, id_given=False)
    lines = [*start("r", 60), *call("r", "c", 60, first=1, total=3, finish="length", between=asked)]
    line = shown(lines, 140)
    assert "run by the provider itself" in line
    assert "no id given" in line
    assert "arguments incomplete" in line


def test_arguments_stand_as_they_came() -> None:
    asked = asks("r", "c", "t", "write", 61, '{"a":  [1,]\x1b[2J')
    assert '{"a":  [1,]␛[2J' in shown([*start("r", 60), *event("call.started", "r", 60, call="c"), *asked])


@given(st.integers(1, 140))
def test_a_tool_line_is_no_wider_than_asked_for(width: int) -> None:
    line = tool_line(round_of([*ASKED, *gives("r", "t", 62, 12)]).tool_calls["c", "t"], EN, width, NOW)
    assert line_cells(line) <= width
