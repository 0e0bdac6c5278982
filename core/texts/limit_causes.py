"""What a limit did to a round: its output cap, its window, its iterations, its budgets, its time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..rounds.notes import Facts
from ..rounds.verdicts import Verdict
from .durations import span
from .phrases import Said, reported_as, text_kept
from .reading import flag_of, number_of, text_of
from .texts import Texts


def _output_cap(facts: Facts, texts: Texts) -> Said:
    return (*_where_it_was_cut(facts, texts), *text_kept(facts, texts))


def _where_it_was_cut(facts: Facts, texts: Texts) -> Said:
    """The cap is quoted as the limit only when it was the limit (outcomes.md 2.6.12)."""
    cap, used = number_of(facts, "cap"), number_of(facts, "output_tokens")
    if flag_of(facts, "below_cap") and used is not None:
        said = [texts("banner.cut_after", n=used)]
        if cap is not None:
            said.append(texts("banner.cap_was", n=cap))
        return (*said, texts("banner.truncation"))
    return (texts("banner.cut_at_cap") if cap is None else texts("banner.cut_at_cap_of", n=cap),)


def _context_window(facts: Facts, texts: Texts) -> Said:
    return (texts("banner.window_full"), *reported_as(facts, texts), *text_kept(facts, texts))


def _timed_out(facts: Facts, texts: Texts) -> Said:
    limit = number_of(facts, "limit_s")
    if limit is None:
        return (texts("banner.timed_out"),)
    return (texts("banner.timed_out_after", limit=span(limit, texts)),)


def _stalled_iterations(facts: Facts, texts: Texts) -> Said:
    n = number_of(facts, "n")
    first = texts("banner.no_progress") if n is None else texts("banner.no_progress_in", n=n)
    return (first, texts("banner.each_was_cut")) if flag_of(facts, "all_refused") else (first,)


def _max_iterations(facts: Facts, texts: Texts) -> Said:
    limit = number_of(facts, "limit")
    return (texts("banner.iterations") if limit is None else texts("banner.iterations_of", n=limit),)


def _token_budget(facts: Facts, texts: Texts) -> Said:
    limit, used = number_of(facts, "limit"), number_of(facts, "used")
    first = texts("banner.tokens") if limit is None else texts("banner.tokens_of", n=limit)
    return (first,) if used is None else (first, texts("banner.tokens_used", n=used))


def _cost_budget(facts: Facts, texts: Texts) -> Said:
    limit, used, currency = number_of(facts, "limit"), number_of(facts, "used"), text_of(facts, "currency")
    first = texts("banner.cost") if limit is None else texts("banner.cost_of", amount=texts.money(limit, currency))
    return (first,) if used is None else (first, texts("banner.cost_used", amount=texts.money(used, currency)))


def _wall_clock(facts: Facts, texts: Texts) -> Said:
    limit, used = number_of(facts, "limit"), number_of(facts, "used")
    first = texts("banner.time") if limit is None else texts("banner.time_of", limit=span(limit, texts))
    return (first,) if used is None else (first, texts("banner.time_used", used=span(used, texts)))


LIMIT_CAUSES: Mapping[Verdict, Callable[[Facts, Texts], Said]] = {
    Verdict.OUTPUT_CAP_REACHED: _output_cap,
    Verdict.CONTEXT_WINDOW_EXCEEDED: _context_window,
    Verdict.ROUND_TIMED_OUT: _timed_out,
    Verdict.STALLED_ITERATIONS: _stalled_iterations,
    Verdict.MAX_ITERATIONS: _max_iterations,
    Verdict.TOKEN_BUDGET: _token_budget,
    Verdict.COST_BUDGET: _cost_budget,
    Verdict.WALL_CLOCK: _wall_clock,
}
