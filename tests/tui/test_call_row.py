from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.call_row import TABLE_FROM, CallColumns, call_head, finish_line, heading, rate_text
from roundwatch.tui.safe_text import Tone, line_cells

from tests.scenes import Lines, call, cap_cut, end, event, start
from tests.tui.lines import EN, round_of, text, texts


@given(st.integers(1, 160))
def test_columns_fill_no_more_than_the_width(width: int) -> None:
    columns = CallColumns.for_width(width)
    assert (columns is None) == (width < TABLE_FROM)
    if columns is not None:
        cells = [each for each in columns.widths().values() if each]
        assert sum(cells) + len(cells) - 1 <= width


@given(st.integers(TABLE_FROM, 160))
def test_numbers_stand_under_their_headings(width: int) -> None:
    columns = CallColumns.for_width(width)
    head = text(heading(columns, EN))
    row = text(call_head(round_of(cap_cut()).calls[1], 2, round_of(cap_cut()), columns, EN, width)[0])
    for name, value in (("first", "2.0 s"), ("total", "14.1 s"), ("out", "924")):
        assert head.index(f"{name} ") + len(name) == row.index(f"{value} ") + len(value)


def finish(lines: Lines) -> tuple[str, Tone]:
    round_ = round_of(lines)
    line = finish_line(round_.calls[-1], round_, EN)
    return text(line), line[0].tone


@pytest.mark.parametrize(
    ("reason", "outcome", "shown"),
    [
        ("end_turn", "completed", ('"end_turn"', Tone.GOOD)),
        ("length", "completed", ('"length"', Tone.WARN)),
        ("content_filter", "completed", ('"content_filter"', Tone.BAD)),
        ("quota_pause", "completed", ('"quota_pause"', Tone.WARN)),
        (None, "completed", ("none reported", Tone.BAD)),
        ("  ", "completed", ("none reported", Tone.BAD)),
        (None, "stalled", ("stalled", Tone.BAD)),
        (None, "body_cut", ("broken off", Tone.BAD)),
        (None, "cancelled", ("cancelled", Tone.BAD)),
        (None, "failed", ("failed", Tone.BAD)),
        ("stop", "failed", ('"stop"', Tone.BAD)),
    ],
)
def test_the_finish_reason_is_the_wire_value_in_quotes(reason: str | None, outcome: str, shown: object) -> None:
    assert finish([*start("r", 0), *call("r", "c", 0, first=1, total=2, finish=reason, outcome=outcome)]) == shown


def test_an_open_call_waits_then_streams_then_never_ended() -> None:
    lines = [*start("r", 0), *event("call.started", "r", 0, call="c")]
    assert finish(lines)[0] == "no output yet"
    lines += event("call.output", "r", 1, call="c", kind="text", text="x")
    assert finish(lines)[0] == "streaming …"
    assert finish([*lines, *end("r", 2)])[0] == "never ended"


@pytest.mark.parametrize(
    ("usage", "first", "total", "shown"),
    [
        (924, 2.0, 14.1, "76/s"),
        (24, 15.6, 18.2, "9.2/s"),
        (None, 1, 2, "–"),
        (0, 1, 2, "–"),
        (10, None, 2, "–"),
        (10, 2, 2, "–"),
    ],
)
def test_a_rate_is_told_only_where_all_its_figures_were(
    usage: int | None, first: float | None, total: float, shown: str
) -> None:
    lines = [*start("r", 0), *call("r", "c", 0, first=first, total=total, usage=(1, usage))]
    assert rate_text(round_of(lines).calls[0], EN) == shown


def test_times_that_we_derived_are_marked() -> None:
    lines: Lines = [
        *start("r", 0),
        *event("call.started", "r", 0, call="c"),
        *event("call.output", "r", 1, call="c", kind="text", text="x"),
        *event(
            "call.finished", "r", 3, call="c", outcome="completed", finish_reason="stop", usage={"output_tokens": 4}
        ),
    ]
    round_ = round_of(lines)
    shown = texts(call_head(round_.calls[0], 1, round_, CallColumns.for_width(110), EN, 110))[0]
    assert "≈1.0 s" in shown
    assert "≈3.0 s" in shown
    assert "≈2.0/s" in shown


@given(st.integers(1, 160))
def test_a_row_keeps_its_columns_whatever_the_width(width: int) -> None:
    round_ = round_of(cap_cut())
    lines = call_head(round_.calls[0], 1, round_, CallColumns.for_width(width), EN, width)
    assert len(lines) == (2 if width < TABLE_FROM else 1)
    if width >= 40:
        assert all(line_cells(line) <= width for line in lines)
