from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import Ledger, parse_event
from roundwatch.core.texts import Texts
from roundwatch.tui.feed import FeedGap
from roundwatch.tui.safe_text import line_cells
from roundwatch.tui.timeline import BlockCache, Layout, Timeline

from tests.scenes import NOW, asks, call, cap_cut, end, event, everything, gives, start, sub_agent, tool_round
from tests.tui.lines import DE, EN, timeline_of, told


def place(lines: list[str], *parts: str) -> int:
    """The first line that holds every part."""
    return next(number for number, line in enumerate(lines) if all(part in line for part in parts))


def test_a_round_is_told_in_the_order_it_happened() -> None:
    lines = told(cap_cut())
    order = [
        place(lines, "1 sonnet-5", '"tool_use"'),
        place(lines, "✓ read_file", "ok", "12 ms"),
        place(lines, "2 sonnet-5", "246,689", "924", '"max_tokens"'),
        place(lines, "✂ cut at 924"),
        place(lines, "⊘ write_file", "refused: cut off"),
        place(lines, "! The response of iteration 2 was cut at max_tokens"),
        place(lines, "3 sonnet-5", "15.6 s", "18.2 s", "none reported"),
        place(lines, "» I will split the"),
        place(lines, "┄ Stream ended without a finish", "not an answer"),
        place(lines, 'The record says "completed"; the evidence says otherwise.'),
        place(lines, "Last model call: first output after 15.6 s"),
    ]
    assert order == sorted(order)


def test_the_same_round_in_german() -> None:
    lines = told(cap_cut(), locale=DE)
    assert place(lines, "3 sonnet-5", "15,6 s", "246.017", "keiner gemeldet")
    assert place(lines, "verworfen")
    assert place(lines, "Datenstrom ohne Abschluss", "keine Antwort")


def test_a_wide_timeline_has_a_column_for_every_figure() -> None:
    lines = told(tool_round(), width=110)
    heading = lines[place(lines, "reasoning", "cached", "rate", "limit", "finish")]
    row = lines[place(lines, "1 sonnet-5")]
    for word, value in (("reasoning", "120"), ("cached", "18,400"), ("rate", "120/s"), ("limit", "4,096")):
        assert heading.index(word) + len(word) == row.index(value) + len(value)


def test_a_narrow_timeline_says_the_same_in_two_lines() -> None:
    lines = told(cap_cut(), width=38)
    assert place(lines, "3 sonnet-5", "15.6 s / 18.2 s")
    assert place(lines, "24 out", "none reported")


def test_what_was_not_reported_is_never_a_zero() -> None:
    lines = told([*start("r", 0), *call("r", "c", 0, first=None, total=1, finish=None, cap=None), *end("r", 1)])
    row = lines[place(lines, "1 sonnet-5")]
    assert row.split()[2:] == ["–", "1.0", "s", "–", "–", "none", "reported"]


def test_a_gap_of_our_own_stands_where_it_fell() -> None:
    lines = told(tool_round(), gaps=(FeedGap(1, 7), FeedGap(4, None)))
    assert place(lines, "1 sonnet-5") < place(lines, "7 events are missing here") < place(lines, "✓ read_file")
    assert place(lines, "2 sonnet-5") < place(lines, "Gap in our own feed: events are missing")


def test_a_tool_call_shows_how_its_sub_round_ended_and_when_it_was_told_wrongly() -> None:
    lines = told(sub_agent())
    assert "reported as ok" in lines[place(lines, "tester", "✂ cut")]
    assert "reported as ok" not in lines[place(lines, "helper", "✓ answer")]


def test_a_running_call_says_how_long_it_has_been_silent() -> None:
    lines = told(sub_agent())
    assert place(lines, "█", "silent for 20 s")
    assert place(lines, "▶ Running; how it ends is open")


def test_a_running_tool_is_no_silence_and_its_time_goes_on() -> None:
    lines = [
        *start("r", 60),
        *event("call.started", "r", 60, call="c"),
        *asks("r", "c", "t", "bash", 61),
        *event("tool.started", "r", 62, tool_call="t"),
    ]
    shown = told(lines)
    assert place(shown, "▶ bash", "running", "20 s")
    assert not any("silent" in line or "no output for" in line for line in shown)


def test_a_call_without_output_waits() -> None:
    shown = told([*start("r", 60), *event("call.started", "r", 60, call="c", model="m")])
    assert place(shown, "no output yet")
    assert place(shown, "no output for 22 s")


def test_a_call_left_open_by_its_round_never_ended() -> None:
    assert place(told([*start("r", 0), *event("call.started", "r", 1, call="c"), *end("r", 3)]), "never ended")


def test_older_entries_are_left_out_and_said_so() -> None:
    lines = [*start("r", 0)]
    for number in range(20):
        lines += call("r", f"c{number}", number, first=0.1, total=0.5)
    timeline = timeline_of(lines, shown=5)
    assert timeline.hidden == 15
    shown = [line for block in timeline.blocks for line in block.lines]
    assert any("15 older entries are not shown" in span.text for line in shown for span in line)


WIDTHS = st.integers(1, 130)


@given(WIDTHS, st.sampled_from([EN, DE]), st.sampled_from(range(10)))
def test_no_line_is_wider_than_asked_for(width: int, locale: Texts, number: int) -> None:
    ids = list(dict.fromkeys(line["round"] for line in everything()))
    lines = [line for line in everything() if line["round"] == ids[number]]
    timeline = timeline_of(lines, width, locale)
    for line, _ in timeline.window(0, timeline.height, NOW):
        assert line_cells(line) <= width


def test_a_kept_block_is_made_anew_when_anything_about_it_changes() -> None:
    ledger, layout = Ledger(), Layout(66, EN)
    cache = BlockCache()
    for line in [*cap_cut(), *tool_round(), *sub_agent(), *gives("271046c3", "w1", 50, 3)]:
        ledger.apply(parse_event(line))
        round_ = ledger.rounds.get("271046c3")
        if round_ is None or line["round"] != "271046c3":
            continue
        kept = Timeline(round_, (), layout, NOW, (None, None), cache)
        fresh = Timeline(round_, (), layout, NOW, (None, None), BlockCache())
        assert kept.window(0, kept.height, NOW) == fresh.window(0, fresh.height, NOW)


@pytest.mark.parametrize("height", [1, 5, 1000])
def test_a_window_holds_as_many_lines_as_there_are(height: int) -> None:
    timeline = timeline_of(cap_cut())
    assert len(timeline.window(0, height, NOW)) == min(height, timeline.height)
    assert timeline.window(timeline.height, height, NOW) == []
