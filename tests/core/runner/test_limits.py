from __future__ import annotations

import pytest
from roundwatch.core.rounds import CallOutcome, Ledger, Round, StoppedWhy, Usage
from roundwatch.core.rounds.base import Limits
from roundwatch.core.rounds.events import CallFinished, CallStarted
from roundwatch.core.runner.agents import Model, Price
from roundwatch.core.runner.limits import cost, reached, tokens_used

MODELS = {
    "priced": Model("priced", "p", "openai-chat", "http://x", price=Price(2.0, 10.0, "EUR")),
    "free": Model("free", "p", "openai-chat", "http://x"),
}


def round_with(*usages: Usage | None, model: str = "priced") -> Round:
    ledger = Ledger()
    for number, usage in enumerate(usages):
        ledger.apply(CallStarted(round="r", call=f"c{number}", model=model, wire="openai-chat"))
        ledger.apply(CallFinished(round="r", call=f"c{number}", outcome=CallOutcome.COMPLETED, usage=usage))
    return ledger.rounds["r"]


def test_no_limit_is_never_reached() -> None:
    assert reached(round_with(Usage(input_tokens=10**9)), Limits(), MODELS, iterations=10**6) is None


@pytest.mark.parametrize(("iterations", "why"), [(3, None), (4, StoppedWhy.ITERATIONS)])
def test_iterations(iterations: int, why: StoppedWhy | None) -> None:
    stop = reached(round_with(Usage()), Limits(iterations=4), MODELS, iterations=iterations)
    assert (stop and stop.why) == why


def test_tokens_are_summed_over_calls_as_far_as_reported() -> None:
    round_ = round_with(Usage(input_tokens=40, output_tokens=10), None, Usage(output_tokens=50))
    assert tokens_used(round_) == 100
    assert reached(round_, Limits(tokens=101), MODELS, iterations=1) is None
    stop = reached(round_, Limits(tokens=100), MODELS, iterations=1)
    assert stop is not None
    assert (stop.why, stop.limit, stop.used) == (StoppedWhy.TOKENS, 100, 100)


def test_implausible_counts_are_kept_out() -> None:
    assert tokens_used(round_with(Usage(input_tokens=-5, output_tokens=10), Usage(input_tokens=7))) == 7


def test_cost_needs_a_price() -> None:
    million = Usage(input_tokens=1_000_000, output_tokens=100_000)
    assert cost(round_with(million), MODELS) == (3.0, "EUR")
    assert cost(round_with(million, model="free"), MODELS) == (0.0, None)
    assert cost(round_with(million, model="unheard of"), MODELS) == (0.0, None)
    stop = reached(round_with(million), Limits(cost=2.5), MODELS, iterations=1)
    assert stop is not None
    assert (stop.why, stop.limit, stop.used, stop.currency) == (StoppedWhy.COST, 2.5, 3.0, "EUR")
