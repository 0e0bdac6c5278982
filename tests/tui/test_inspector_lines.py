from __future__ import annotations

from roundwatch.core.rounds import parse_event
from roundwatch.tui.inspector_lines import MOST_CHARS, inspector_lines
from roundwatch.tui.safe_text import line_cells

from tests.scenes import Lines, asks, call, cap_cut, event, provider_error, start
from tests.tui.lines import DE, EN, round_of, texts


def of_call(lines: Lines) -> list[str]:
    return texts(inspector_lines(round_of(lines).calls[-1], EN, 90))


def test_a_call_shows_usage_as_reported_and_normalised() -> None:
    lines = [
        *start("r", 0),
        *call(
            "r",
            "c",
            0,
            first=1,
            total=2,
            usage=(10, 5),
            usage_more={"cache_read_tokens": 90},
            sent={"wire": "anthropic"},
        ),
    ]
    shown = of_call(lines)
    row = next(line for line in shown if line.startswith("Input"))
    assert row.split() == ["Input", "10", "100"]
    assert next(line for line in shown if line.startswith("Reasoning ")).split() == ["Reasoning", "–", "–"]


def test_text_and_arguments_stand_as_received() -> None:
    lines = [
        *start("r", 0),
        *call(
            "r", "c", 0, first=1, total=2, text="one\n\ttwo \x1b[31m", between=asks("r", "c", "t", "w", 1, '{"a": 1,')
        ),
    ]
    shown = of_call(lines)
    assert '{"a": 1,' in shown
    assert "one" in shown
    assert "    two ␛[31m" in shown


def test_a_refused_tool_call_shows_what_the_model_was_told() -> None:
    shown = texts(inspector_lines(round_of(cap_cut()).tool_calls["c2", "w2"], EN, 90))
    assert any("cut off at max_tokens; the tool calls in it are discarded" in line for line in shown)
    assert "Nothing here." in shown


def test_an_error_is_shown_whole() -> None:
    assert any("insufficient_quota" in line for line in of_call(provider_error()))


def test_of_a_huge_text_the_beginning_is_shown_and_its_size_said() -> None:
    lines = [*start("r", 0), *call("r", "c", 0, first=1, total=2, text="x" * 2_500_000)]
    shown = of_call(lines)
    assert sum(line.count("x") for line in shown if set(line) == {"x"}) == MOST_CHARS
    assert "Shown: the first 20,000 of 2,500,000 characters." in shown


def test_withheld_text_is_counted() -> None:
    lines = [*start("r", 0), *event("call.output", "r", 0, call="c", kind="reasoning", chars=400)]
    assert "400 characters were counted but not sent." in of_call(lines)


def test_other_events_are_shown_as_their_fields() -> None:
    warning = parse_event({"type": "round.warning", "round": "r", "code": "[/]", "message": "m"})
    assert any('"code": "[/]"' in line for line in texts(inspector_lines(warning, DE, 60)))
    unknown = parse_event('{"type": "x.y", "round": "r", "odd": 1}')
    assert any('{"type": "x.y", "round": "r", "odd": 1}' in line for line in texts(inspector_lines(unknown, DE, 60)))


def test_lines_are_no_wider_than_asked_for() -> None:
    for entry in round_of(cap_cut()).entries:
        for line in inspector_lines(entry, DE, 50):
            assert line_cells(line) <= 50
