from __future__ import annotations

import pytest
from roundwatch.tui.raw_lines import LINE_CHARS, SHOWN_BESIDE, raw_lines
from roundwatch.tui.raw_log import RawLines
from roundwatch.tui.safe_text import line_cells

from tests.tui.lines import DE, EN, texts


def told(raw: RawLines | None, width: int = 60, most: int = SHOWN_BESIDE) -> list[str]:
    return texts(raw_lines(raw, EN, width, most))


def test_each_line_stands_numbered_and_as_it_came() -> None:
    assert told(RawLines(('{"type":  "call.started"}', '{"b":1}'), 0)) == [
        "Raw events, as received",
        '   1  {"type":  "call.started"}',
        '   2  {"b":1}',
    ]


def test_what_is_not_in_memory_is_said() -> None:
    assert "not in memory here" in " ".join(told(None))
    shown = told(RawLines(("x",), 7))
    assert shown[1] == "7 older events are no longer in memory here."
    assert shown[2] == "   8  x"
    assert told(RawLines(("x",), 0, is_whole=False))[1] == "Older events may no longer be in memory here."


def test_of_many_lines_the_newest_are_shown_and_the_others_counted() -> None:
    shown = told(RawLines(tuple(f"line {n}" for n in range(50)), 2), most=3)
    assert shown[2] == "47 older events are not laid out."
    assert shown[3:] == ["  50  line 47", "  51  line 48", "  52  line 49"]


def test_of_a_long_line_the_beginning_is_shown_and_its_size_said() -> None:
    shown = told(RawLines(("x" * 100_000,), 0), width=100)
    assert sum(line.count("x") for line in shown if set(line[6:]) == {"x"}) == LINE_CHARS
    assert any("the first 4,000 of 100,000 characters" in line for line in shown)


@pytest.mark.parametrize("width", [14, 36, 110])
def test_lines_fit_and_command_no_terminal(width: int) -> None:
    evil = RawLines(("\x1b[2J\x1b]52;c;x\x07 漢字 \u202e [/] [bold]", "e\u0301" * 300), 1)
    for locale in (EN, DE):
        lines = list(raw_lines(evil, locale, width, 10))
        assert all(line_cells(line) <= max(width, 14) for line in lines)
        assert not any(ord(char) < 32 or char in "\x7f\u202e" for line in texts(lines) for char in line)
