from __future__ import annotations

from datetime import date
from decimal import Decimal

from roundwatch.core.prices import Bound

from tests.scenes import Lines, call, event, start
from tests.tui.filtering import watching

OPUS, UNKNOWN = "claude-opus-4-5", "house-model"
READ = {"cache_read_tokens": 0}


def priced(round_: str, name: str, seconds: float, model: str = OPUS, tokens: tuple[int, int] = (100_000, 0)) -> Lines:
    return call(round_, name, seconds, first=0.5, total=1, model=model, usage=tokens, usage_more=READ)


def test_each_call_counts_once_by_model_by_day_and_by_round() -> None:
    lines = [
        *start("a", 0),
        *priced("a", "c1", 0),
        *priced("a", "c1", 0),
        *priced("a", "c2", 2, UNKNOWN),
        *start("b", 3),
        *priced("b", "c1", 3),
    ]
    costs = watching(lines).costs
    assert costs.models[OPUS].amounts == {"USD": Decimal(1)}
    assert (costs.models[UNKNOWN].known, costs.models[UNKNOWN].missing) == (0, 1)
    assert costs.days[date(2026, 11, 30)].amounts == {"USD": Decimal(1)}
    assert costs.rounds["a"].amounts == {"USD": Decimal("0.5")}
    assert costs.rounds["a"].bound is Bound.AT_LEAST
    assert costs.rounds["b"].bound is Bound.EXACT


def test_a_call_without_any_moment_counts_under_no_day() -> None:
    lines = [{name: value for name, value in line.items() if name != "at"} for line in priced("a", "c1", 0)]
    assert list(watching(lines).costs.days) == [None]


def test_a_round_that_was_let_go_keeps_an_amount_and_no_empty_sum() -> None:
    lines: Lines = []
    for number in range(40):
        model = OPUS if number == 0 else UNKNOWN
        lines += [*start(f"r{number}", number), *priced(f"r{number}", "c", number, model)]
        lines += event("round.finished", f"r{number}", number + 2)
    watched = watching(lines, kept=2)
    assert watched.spent("r0") is not None
    assert watched.spent("r1") is None
    assert watched.costs.models[UNKNOWN].missing == 39
