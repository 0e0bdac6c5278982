from __future__ import annotations

from datetime import timedelta

import pytest
from roundwatch.core.rounds import RoundSummary
from roundwatch.core.texts import Texts
from roundwatch.tui.compare_lines import SIDE_BY_SIDE_FROM, compare_lines
from roundwatch.tui.compared import compared
from roundwatch.tui.safe_text import line_cells

from tests.scenes import NOW, Lines, answer, asks, call, cap_cut, end, start, sub_agent, tool_round
from tests.stage import ZONE
from tests.tui.lines import DE, EN, round_of, texts


def told(left: Lines, right: Lines, width: int = 110, locale: Texts = EN, seconds: float = 0) -> list[str]:
    now = NOW + timedelta(seconds=seconds)
    return texts(compare_lines(compared(round_of(left), now), compared(round_of(right), now), ZONE, locale, width))


def row(lines: list[str], label: str) -> str:
    return next(line for line in lines if line.startswith(label))


def simple(round_: str, first: float | None, total: float, usage: tuple[int | None, int | None]) -> Lines:
    return [*start(round_, 0), *call(round_, "c1", 0, first=first, total=total, usage=usage), *end(round_, total + 1)]


def test_verdicts_and_finish_reasons_stand_side_by_side() -> None:
    lines = told(answer(), cap_cut())
    assert "≠ ✓ Answer" in row(lines, "Verdict")
    assert "┄ Stream ended without a finish" in row(lines, "Verdict")
    assert '"end_turn"' in row(lines, "Finish")
    assert '"tool_use"' in row(lines, "Finish")
    assert any("╭─ ✓ Answer" in line and "┏━ ┄ Stream ended" in line for line in lines)


def test_differences_are_computed_and_marked_as_such() -> None:
    lines = told(simple("a", 1.0, 5.0, (1_000, 10)), simple("b", 1.5, 4.0, (3_500, 10)))
    assert row(lines, "First output").endswith("Δ +500 ms")
    assert row(lines, "Total time").endswith("Δ −1.0 s")
    assert row(lines, "Tokens in").endswith("Δ +2,500")
    assert "≠" not in row(lines, "Tokens out")
    assert "Δ" not in row(lines, "Tokens out")
    assert any("Δ is B − A, computed here, not reported" in line for line in lines)


def test_nothing_is_subtracted_from_what_was_not_reported() -> None:
    lines = told(simple("a", None, 5.0, (None, None)), simple("b", 1.5, 4.0, (3_500, 10)))
    for label in ("First output", "Tokens in", "Tokens out"):
        assert "≠ not reported" in row(lines, label)
        assert "Δ" not in row(lines, label)


def test_a_sum_that_lacks_a_report_is_not_subtracted() -> None:
    partly = [*start("a", 0)]
    partly += call("a", "c1", 0, first=1, total=2, usage=(100, 10))
    partly += [*call("a", "c2", 3, first=1, total=2, usage=(None, None)), *end("a", 6)]
    line = row(told(partly, simple("b", 1, 2, (400, 10))), "Tokens in")
    assert "≠ 100" in line
    assert "Δ" not in line


def test_a_derived_time_makes_a_derived_difference() -> None:
    told_by_times = [
        {"type": "call.started", "round": "a", "call": "c", "at": "2026-11-30T13:02:00.000Z"},
        {"type": "call.finished", "round": "a", "call": "c", "at": "2026-11-30T13:02:02.000Z", "outcome": "completed"},
    ]
    assert row(told([*start("a", 0), *told_by_times], simple("b", 1, 5, (1, 1))), "Total time").endswith("Δ ≈ +3.0 s")


def test_a_round_that_runs_is_shown_as_growing_and_not_subtracted() -> None:
    first, later = (row(told(sub_agent(), answer(), seconds=each), "Duration") for each in (0, 10))
    assert first != later
    assert "…" in first
    assert "Δ" not in first


def test_calls_are_lined_up_by_number_and_one_that_only_one_side_has_is_told() -> None:
    lines = told(answer(), cap_cut())
    assert "Call 2  only B has it ≠" in lines
    assert lines.index("Call 1") < lines.index("Call 2  only B has it ≠")
    after = lines[lines.index("Call 2  only B has it ≠") :]
    assert '"max_tokens"' in row(after, "Finish")
    assert "not reported" not in row(after, "First output")


def test_tools_are_told_apart_by_glyph_and_word() -> None:
    line = row(told(tool_round(), cap_cut()), "Tools")
    assert "✓ read_file  ok" in line
    assert any("⊘ write_file  refused: cut off" in each for each in told(tool_round(), cap_cut()))


def test_a_round_whose_details_are_gone_is_said_to_be() -> None:
    gone = compared(RoundSummary.of(round_of(cap_cut())), NOW)
    lines = texts(compare_lines(gone, compared(round_of(answer()), NOW), ZONE, EN, 110))
    assert "The calls of A are no longer in memory; its source still has them." in lines
    assert "no longer in memory" in row(lines, "Model")
    assert "≠" not in row(lines, "Model")
    assert "Δ" not in row(lines, "Tokens in")


def test_where_it_is_narrow_one_stands_below_the_other() -> None:
    lines = told(answer(), cap_cut(), width=SIDE_BY_SIDE_FROM - 1)
    place = lines.index("Verdict ≠")
    assert lines[place + 1 : place + 3] == ["  A ✓ Answer", "  B ┄ Stream ended without a finish"]
    assert "Agent  = worker" in lines


@pytest.mark.parametrize("locale", [EN, DE])
@pytest.mark.parametrize("width", [8, 36, 76, 91, 92, 116, 196])
def test_no_line_is_wider_than_the_screen(width: int, locale: Texts) -> None:
    wide = [*start("漢字" * 30, 0, "\U0001f468‍\U0001f469 e\u0301 \u202eabc", title="שלום " * 40)]
    wide += asks("漢字" * 30, "c", "t", "工具" * 30, 1)
    for left, right in ((cap_cut(), sub_agent()), (wide, cap_cut())):
        now = NOW
        lines = compare_lines(compared(round_of(left), now), compared(round_of(right), now), ZONE, locale, width)
        assert all(line_cells(line) <= width for line in lines)


def test_columns_stay_aligned_whatever_is_in_them() -> None:
    odd = [*start("r", 0, "漢字漢字 e\u0301\u0301 \U0001f9ea"), *end("r", 1)]
    lines = compare_lines(compared(round_of(odd), NOW), compared(round_of(answer()), NOW), ZONE, EN, 110)
    starts: list[int] = []
    for line in lines:
        if texts([line])[0].startswith(("Agent", "Verdict", "Duration")):
            before = line[: next(i for i, span in enumerate(line) if i > 2 and span.text == "  ") + 1]
            starts.append(line_cells(before))
    assert len(starts) == 3
    assert len(set(starts)) == 1
