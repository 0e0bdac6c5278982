from __future__ import annotations

from roundwatch.tui.round_search import entries_with, excerpt

from tests.scenes import asks, call, cap_cut, event, refuses, start
from tests.tui.lines import round_of


def test_words_are_found_in_calls_tools_and_events_whatever_their_case() -> None:
    round_ = round_of(cap_cut())
    assert [type(round_.entries[number]).__name__ for number in entries_with(round_, "WRITE_file")] == [
        "ToolCall",
        "ToolCall",
        "RoundWarning",
    ]
    assert len(entries_with(round_, "max_tokens")) >= 2
    assert entries_with(round_, "nowhere to be found") == []


def test_blank_words_are_nowhere() -> None:
    assert entries_with(round_of(cap_cut()), "  ") == []


def test_text_is_found_that_the_timeline_does_not_show() -> None:
    text = "long " * 5000 + "the needle in it"
    round_ = round_of([*start("r", 0), *call("r", "c", 0, first=1, total=2, text=text)])
    (number,) = entries_with(round_, "Needle")
    assert "the needle in it" in excerpt(round_.entries[number], "Needle", 60)
    assert excerpt(round_.entries[number], "Needle", 60).startswith("…")


def test_an_excerpt_is_clean_and_one_line() -> None:
    arguments = 'a\nb\x1b[2J "needle" \u202e x'
    lines = [*start("r", 0), *asks("r", "c", "t", "tool", 1, arguments), *refuses("r", "c", "t", 2)]
    round_ = round_of(lines)
    said = excerpt(round_.entries[entries_with(round_, "needle")[0]], "needle", 60)
    assert "␛[2J" in said
    assert "\n" not in said


def test_an_unknown_event_is_searched_as_it_came() -> None:
    round_ = round_of([*start("r", 0), *event("x.new", "r", 1, strange="needle")])
    assert len(entries_with(round_, "needle")) == 1
    assert excerpt(round_.entries[0], "not there", 10) == ""
