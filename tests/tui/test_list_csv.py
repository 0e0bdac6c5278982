from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.tui.list_csv import AT_ONCE, COLUMNS, FORMULA_SIGNS, csv_pieces, escaped

from tests.scenes import NOW, Lines, call, end, everything, start
from tests.tui.filtering import watching


def table(lines: Lines) -> list[list[str]]:
    watched = watching(lines)
    rows = [watched.listed(watched.tree.at(row).id, 0, NOW) for row in range(len(watched.tree))]
    return list(csv.reader(io.StringIO(b"".join(csv_pieces(rows)).decode("utf-8-sig"), newline="")))


def test_one_row_a_round_and_values_for_machines() -> None:
    head, *rows = table(everything())
    assert tuple(head) == COLUMNS
    assert len(rows) == 12
    cut = next(dict(zip(head, row, strict=True)) for row in rows if row[1] == "1c44e7d1")
    assert (cut["verdict"], cut["is_answer"], cut["input_tokens"], cut["finish_reason"]) == (
        "output_cap_reached",
        "no",
        "7400",
        "length",
    )


def test_what_was_not_reported_is_an_empty_cell() -> None:
    head, row = table([*start("r", 0), *call("r", "c", 0, first=None, total=1, finish=None), *end("r", 1)])
    cells = dict(zip(head, row, strict=True))
    assert [cells[name] for name in ("first_output_ms", "input_tokens", "output_tokens", "finish_reason", "title")] == [
        ""
    ] * 5


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", " =1", "＝1", "＋1", "－1", "＠x"])
def test_no_cell_is_a_formula(text: str) -> None:
    _, row = table([*start(f"{text}r", 0, text, thread=text, title=text), *end(f"{text}r", 1)])
    assert all(row[COLUMNS.index(name)].startswith("'") for name in ("round", "agent", "thread", "title"))


@given(st.text(max_size=20))
def test_a_cell_never_begins_like_a_formula_and_keeps_its_text(text: str) -> None:
    shown = escaped(text)
    assert shown is not None
    assert shown.lstrip(" ")[:1] not in tuple(FORMULA_SIGNS)
    assert shown.removeprefix("'").replace("\u2400", "\x00") in (text, text.removeprefix("'"))


def test_quotes_line_ends_and_controls_stay_in_their_cell() -> None:
    agent = 'a"b,c\nd\x1b\x00;'
    _, row = table([*start("r", 0, agent), *end("r", 1)])
    assert row[2] == agent.replace("\x00", "\u2400")


def test_a_long_list_comes_in_pieces() -> None:
    watched = watching([line for number in range(AT_ONCE * 2) for line in start(f"r{number}", 0)])
    rows = [watched.listed(watched.tree.at(row).id, 0, NOW) for row in range(len(watched.tree))]
    assert len(list(csv_pieces(rows))) == 4
