from __future__ import annotations

import pytest
from roundwatch.tui.call_lines import bar_cells, beside_bar, error_lines, link_line, pieces
from roundwatch.tui.safe_text import Span, line_cells

from tests.scenes import Lines, call, event, provider_error, start
from tests.tui.lines import DE, EN, round_of, text, texts


def pieces_of(lines: Lines, *, in_columns: bool = False) -> list[str]:
    return texts(pieces(round_of(lines).calls[-1], EN, in_columns=in_columns))


def one_call(**fields: object) -> Lines:
    given: dict[str, object] = {"first": 1, "total": 2, "usage": (10, 5), **fields}
    return [*start("r", 0), *call("r", "c", 0, **given)]  # type: ignore[arg-type]


def test_a_cut_is_named_first_then_the_figures_without_a_column() -> None:
    lines = one_call(finish="length", cap=5, usage_more={"reasoning_tokens": 3, "cache_read_tokens": 4})
    assert pieces_of(lines) == ["✂ cut at 5", "limit 5", "3 reasoning", "4 cached", "5.0/s"]
    assert pieces_of(lines, in_columns=True) == ["✂ cut at 5"]


def test_a_full_window_is_another_cut() -> None:
    assert pieces_of(one_call(finish="model_context_window_exceeded", cap=None, usage=(None, None))) == [
        "▣ cut: window full"
    ]


def test_every_word_that_differs_from_the_finish_reason_is_quoted() -> None:
    lines = one_call(
        cap=None,
        usage=(None, None),
        native_finish_reason="MAX_TOKENS",
        finish_repeated=["length"],
        choices=[{"index": 0, "finish_reason": "stop"}, {"index": 1, "finish_reason": None}],
    )
    assert pieces_of(lines)[1:] == [
        'upstream: "MAX_TOKENS"',
        'later also "length"',
        'choice 0: "stop"',
        'choice 1: "none reported"',
    ]


def test_a_retry_says_which_attempt_it_is() -> None:
    assert pieces_of(one_call(cap=None, usage=(None, None), sent={"attempt": 2})) == ["attempt 2"]


@pytest.mark.parametrize(
    ("kind", "of", "said"),
    [
        ("output_cap", "c1", "↳ continues call 1, which was cut at its output limit"),
        ("stream_ended", "c1", "↳ continues call 1, whose stream ended without a finish"),
        ("stream_ended", "zz", "↳ continues call zz, whose stream ended without a finish"),
    ],
)
def test_a_continuation_names_the_call_it_carries_on(kind: str, of: str, said: str) -> None:
    lines = [*start("r", 0), *event("call.started", "r", 0, call="c2", continuation={"of": of, "kind": kind})]
    assert text(link_line(round_of(lines).calls[0], {"c1": 1, "c2": 2}, EN)).strip() == said


def test_an_ordinary_call_carries_nothing_on() -> None:
    assert link_line(round_of(one_call()).calls[0], {}, EN) == ()


def test_an_error_is_quoted_with_status_and_code_in_a_few_lines() -> None:
    call_ = round_of(provider_error()).calls[0]
    shown = " ".join(line.strip() for line in texts(error_lines(call_, DE, 66)))
    assert shown.startswith("↯ HTTP 403  insufficient_quota „Your account's monthly limit")
    long = round_of(one_call(outcome="failed", error={"kind": "x", "message": "word " * 200})).calls[0]
    lines = error_lines(long, EN, 40)
    assert len(lines) == 3
    assert text(lines[-1]).endswith("…")
    assert all(line_cells(line) <= 40 for line in lines)


@pytest.mark.parametrize("width", range(20, 140, 7))
def test_what_stands_beside_the_bar_fits_and_nothing_is_lost(width: int) -> None:
    found = [(Span("a" * size),) for size in (12, 9, 7, 20)]
    beside, below = beside_bar(found, width)
    assert beside + below == found
    assert sum(line_cells(piece) + 2 for piece in beside) <= max(0, width - bar_cells(width) - 4)
