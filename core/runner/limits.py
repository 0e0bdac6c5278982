"""When a round has used up what it may use."""

from __future__ import annotations

from collections.abc import Mapping

from ..rounds.base import Limits, StoppedWhy
from ..rounds.events import RoundStopped
from ..rounds.round import Round
from .agents import Model, Price


def reached(round_: Round, limits: Limits, models: Mapping[str, Model], *, iterations: int) -> RoundStopped | None:
    """Return the stop that is due before another call goes out; None while everything is within its limit.

    Counts and costs are of what was reported: a call that told no usage adds nothing. Time is not judged here,
    a timer asks to stop when it is up.

    Args:
        models: by name, for their prices.
        iterations: how many are done.
    """
    if limits.iterations is not None and iterations >= limits.iterations:
        return _stop(round_, StoppedWhy.ITERATIONS, limits.iterations, iterations)
    used = tokens_used(round_)
    if limits.tokens is not None and used >= limits.tokens:
        return _stop(round_, StoppedWhy.TOKENS, limits.tokens, used)
    if limits.cost is not None:
        spent, currency = cost(round_, models)
        if spent >= limits.cost:
            return _stop(round_, StoppedWhy.COST, limits.cost, round(spent, 6), currency)
    return None


def _stop(round_: Round, why: StoppedWhy, limit: float, used: float, currency: str | None = None) -> RoundStopped:
    return RoundStopped(round=round_.id, why=why, limit=limit, used=used, currency=currency)


def tokens_used(round_: Round) -> int:
    """Return input and output tokens of all calls, as far as reported."""
    return sum(
        count
        for call in round_.calls
        if not call.usage_implausible
        for count in (call.usage.input_tokens, call.usage.output_tokens)
        if count is not None
    )


def cost(round_: Round, models: Mapping[str, Model]) -> tuple[float, str | None]:
    """Return what all calls cost as far as reported, and the currency; (0, None) where no price is known."""
    spent, currency = 0.0, None
    for call in round_.calls:
        price = _price(call.model, models)
        if price is not None and not call.usage_implausible:
            spent += (call.usage.input_tokens or 0) * price.input / 1e6
            spent += (call.usage.output_tokens or 0) * price.output / 1e6
            currency = price.currency
    return spent, currency


def _price(name: str | None, models: Mapping[str, Model]) -> Price | None:
    model = models.get(name) if name is not None else None
    return model.price if model is not None else None
