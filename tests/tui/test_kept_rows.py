from __future__ import annotations

from roundwatch.tui.kept_rows import MOST_ROWS, KeptRows
from roundwatch.tui.safe_text import Line, Span


def line(text: str) -> Line:
    return (Span(text),)


def test_a_row_is_made_again_only_when_what_it_is_made_of_changes() -> None:
    rows = KeptRows()

    assert rows.row("r", (1, "wide"), lambda: line("first")) == line("first")
    assert rows.row("r", (1, "wide"), lambda: line("never made")) == line("first")
    assert rows.row("r", (2, "wide"), lambda: line("second")) == line("second")
    assert rows.row("other", (2, "wide"), lambda: line("its own")) == line("its own")


def test_rows_that_went_by_are_let_go() -> None:
    rows = KeptRows()
    for number in range(MOST_ROWS + 1):
        rows.row(str(number), 0, lambda: line("old"))

    assert rows.row("0", 0, lambda: line("made anew")) == line("made anew")
