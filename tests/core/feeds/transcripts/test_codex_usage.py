from __future__ import annotations

from roundwatch.core.feeds.transcripts.codex_usage import Cumulative
from roundwatch.core.rounds.base import Usage


def report(total: int | None, last: int | None = None) -> dict[str, object]:
    names = {"total_token_usage": total, "last_token_usage": last}
    return {"info": {name: {"input_tokens": count} for name, count in names.items() if count is not None}}


def test_what_was_used_is_the_difference_of_the_totals() -> None:
    counts = Cumulative()
    steps = [counts.step(report(total, last)) for total, last in ((10, 10), (10, 10), (25, 99))]
    assert steps == [Usage(input_tokens=10), None, Usage(input_tokens=15)]


def test_the_first_total_of_a_file_may_hold_what_another_used() -> None:
    assert Cumulative().step(report(500, 20)) == Usage(input_tokens=20)
    assert Cumulative().step(report(500)) == Usage(input_tokens=500)


def test_totals_that_fall_began_anew() -> None:
    counts = Cumulative()
    counts.step(report(100, 100))
    assert counts.step(report(30, 30)) == Usage(input_tokens=30)
    assert counts.step(report(40, 10)) == Usage(input_tokens=10)


def test_no_figures_are_no_usage() -> None:
    counts = Cumulative()
    assert counts.step({"info": None}) is None
    assert counts.step({}) is None
    assert counts.step(report(None, 0)) is None
    assert counts.step({"info": {"total_token_usage": {"input_tokens": "many"}}}) is None


def test_a_count_that_is_missing_is_not_reported() -> None:
    used = Cumulative().step({"info": {"last_token_usage": {"input_tokens": 5, "cached_input_tokens": 0}}})
    assert used == Usage(input_tokens=5, cache_read_tokens=0)


def test_totals_without_an_envelope_are_read() -> None:
    counts = Cumulative()
    assert counts.step({"type": "token_count", "input_tokens": 8}) == Usage(input_tokens=8)
    assert counts.step({"type": "token_count", "input_tokens": 9}) == Usage(input_tokens=1)
