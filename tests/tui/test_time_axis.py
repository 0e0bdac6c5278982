from __future__ import annotations

from datetime import timedelta

import pytest
from roundwatch.core.rounds import Ledger, Round, parse_event
from roundwatch.tui.safe_text import Line
from roundwatch.tui.time_axis import TimeAxis

from tests.scenes import DAY, NOW, Lines, call, cap_cut, end, event, start


def round_of(lines: Lines) -> Round:
    ledger = Ledger()
    ledger.apply_all(parse_event(line) for line in lines)
    return ledger.rounds[lines[0]["round"]]


def text(line: Line | None) -> str:
    return "".join(span.text for span in line or ())


def test_bars_of_one_round_stand_on_one_axis() -> None:
    round_ = round_of(cap_cut())
    axis = TimeAxis.of(round_, NOW)
    first, second, third = (text(axis.bar(each, 42)) for each in round_.calls)
    assert first == "▕·████" + " " * 35 + "▏"
    assert second.index("·") > first.rindex("█")
    assert third.index("·") > second.rindex("█")
    assert third.count("·") > third.count("█")


def test_a_call_without_any_output_only_waits() -> None:
    round_ = round_of([*start("r", 0), *call("r", "c", 0, first=None, total=10, finish=None), *end("r", 10)])
    assert text(TimeAxis.of(round_, NOW).bar(round_.calls[0], 12)) == "▕··········▏"


def test_output_whose_beginning_nobody_timed_is_neither_waiting_nor_streaming() -> None:
    lines = [*start("r", 0), *call("r", "c", 0, first=None, total=10, usage=(5, 7)), *end("r", 10)]
    round_ = round_of(lines)
    assert text(TimeAxis.of(round_, NOW).bar(round_.calls[0], 12)) == "▕░░░░░░░░░░▏"


def test_output_at_the_very_end_is_still_seen() -> None:
    round_ = round_of([*start("r", 0), *call("r", "c", 0, first=10, total=10, text="x"), *end("r", 10)])
    assert text(TimeAxis.of(round_, NOW).bar(round_.calls[0], 12)) == "▕·········█▏"


def test_a_running_call_grows_with_the_clock() -> None:
    round_ = round_of([*start("r", 0), *event("call.started", "r", 0, call="c")])
    for seconds in (1, 60):
        axis = TimeAxis.of(round_, DAY + timedelta(seconds=seconds))
        assert axis.length == seconds * 1000
        assert text(axis.bar(round_.calls[0], 12)) == "▕··········▏"


def test_times_that_nobody_reported_give_no_bar() -> None:
    lines: Lines = [
        {"type": "round.started", "round": "r"},
        {"type": "call.finished", "round": "r", "call": "c", "outcome": "completed"},
        {"type": "round.finished", "round": "r"},
    ]
    round_ = round_of(lines)
    assert TimeAxis.of(round_, NOW).bar(round_.calls[0], 20) is None


def test_without_moments_calls_follow_one_another() -> None:
    lines: Lines = [
        {"type": "call.finished", "round": "r", "call": name, "outcome": "completed", "total_ms": 500.0}
        for name in ("a", "b")
    ]
    axis = TimeAxis.of(round_of(lines), NOW)
    assert [(each.start, each.end) for each in axis.stretches.values()] == [(0, 500), (500, 1000)]


@pytest.mark.parametrize("cells", [0, 1, 2, 3, 7, 200])
def test_a_bar_takes_its_cells_or_does_not_stand(cells: int) -> None:
    round_ = round_of(cap_cut())
    for each in round_.calls:
        bar = TimeAxis.of(round_, NOW).bar(each, cells)
        assert bar is None or len(text(bar)) == cells
