from __future__ import annotations

from typing import Any

import pytest
from roundwatch.core.rounds import parse_event
from roundwatch.tui.event_lines import MOST_LINES, event_lines, gap_lines
from roundwatch.tui.feed import FeedGap
from roundwatch.tui.safe_text import line_cells

from tests.scenes import at
from tests.stage import ZONE
from tests.tui.lines import DE, EN, texts


def shown(type_: str, locale: Any = EN, width: int = 120, **fields: Any) -> str:
    parsed = parse_event({"type": type_, "round": "r", "at": at(60), **fields})
    return " ".join(line.strip() for line in texts(event_lines(parsed, locale, width, ZONE)))


@pytest.mark.parametrize(
    ("type_", "fields", "said"),
    [
        ("round.suspended", {"why": "rm -r"}, '◫ Waiting for an approval since 14:03:00. "rm -r"'),
        ("round.resumed", {}, "▶ Resumed at 14:03:00."),
        ("round.cancel_requested", {"by": "user"}, "✕ The user asked to stop at 14:03:00."),
        ("round.cancel_requested", {"by": "limit", "limit_s": 600}, "✕ The time limit fired at 14:03:00."),
        ("round.stopped", {"why": "iterations"}, "■ The runner ended the loop: iteration limit."),
        (
            "round.selection_unresolved",
            {"requested": "g", "sentence": "s"},
            '◇ The selected agent "g" is not available.',
        ),
        ("round.no_usable_model", {"requested": "m"}, '◆ No model for this round; requested was "m".'),
        ("round.no_usable_model", {}, "◆ No model for this round; none was chosen."),
        ("round.output", {"kind": "text", "text": "x"}, "▤ Output of a round whose calls are not recorded."),
        ("round.telepathy", {}, '? Unknown event "round.telepathy".'),
        ("round.warning", {"code": "new_code", "message": "hm"}, None),
        ("round.partial", {"source": "x", "kept_chars": 0}, None),
        ("round.finished", {}, "· round.finished"),
    ],
)
def test_every_event_is_told_with_a_glyph_and_words(type_: str, fields: dict[str, Any], said: str | None) -> None:
    line = shown(type_, **fields)
    assert line == said or (said is None and line[1] == " " and len(line) > 10)
    german = shown(type_, DE, **fields)
    assert german[0] == line[0]
    assert german != line or type_ == "round.finished"


def test_the_supervisor_is_told_line_by_line() -> None:
    line = shown("thread.supervised", thread="t", state="idle", verdict="relaunched", relaunches=1)
    assert line.startswith("▲ ")


def test_a_moment_that_nobody_recorded_is_a_dash() -> None:
    parsed = parse_event({"type": "round.resumed", "round": "r"})
    assert texts(event_lines(parsed, EN, 80, ZONE)) == ["  ▶ Resumed at –."]


def test_long_words_from_outside_take_a_few_lines_at_most() -> None:
    parsed = parse_event({"type": "round.warning", "round": "r", "code": "x", "message": "word " * 500})
    lines = event_lines(parsed, EN, 30, ZONE)
    assert len(lines) <= MOST_LINES
    assert all(line_cells(line) <= 30 for line in lines)


@pytest.mark.parametrize(
    ("missing", "said"),
    [(1, "1 event is missing here"), (7, "7 events are missing here"), (None, "events are missing here")],
)
def test_a_gap_says_how_much_is_missing(missing: int | None, said: str) -> None:
    assert said in texts(gap_lines(FeedGap(0, missing), EN, 80))[0]
