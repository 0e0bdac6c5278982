"""``rounds``: the rounds in a hub's store as a table, as reports, or to take elsewhere."""

from __future__ import annotations

import argparse

from ...core.rounds import Outcome, Round, classify
from ...core.texts.banner import title
from ...core.texts.costs import cost_sum_text
from .context import Context
from .event_lines import MOST_NUMBERED
from .exit_codes import ExitCode, exit_code
from .failure import CommandFailed
from .prices import pricing
from .report import print_report, report
from .store_place import StorePlace, shown, store_place
from .stored_rounds import Losses, details, events, summaries


def run(args: argparse.Namespace, context: Context) -> int:
    """List, show or export."""
    store = store_place(args, context)
    losses = Losses()
    match args.action:
        case "list":
            code = _list(store, context, losses, as_json=args.json)
        case "show":
            code = _show(store, frozenset(args.ids), context, losses, as_json=args.json)
        case _:
            _export(store, frozenset(args.ids), args.format, context, losses)
            code = ExitCode.ANSWERS
    _tell(losses, shown(store), context)
    return code


def _tell(losses: Losses, store: str, context: Context) -> None:
    if losses.unreadable:
        numbers = ", ".join(map(str, sorted(losses.unreadable)[:MOST_NUMBERED]))
        context.note("cli.rounds.unreadable", n=len(losses.unreadable), file=store, numbers=numbers)
    if losses.holes:
        numbers = ", ".join(map(str, sorted(losses.holes)[:MOST_NUMBERED]))
        context.note("cli.rounds.holes", n=len(losses.holes), file=store, numbers=numbers)


def _list(store: StorePlace, context: Context, losses: Losses, *, as_json: bool) -> int:
    found = summaries(store, pricing(context), losses)
    if as_json:
        for each in found:
            context.output.result_json({**each.summary.outcome.as_json(), "cost": each.spent.as_json()})
    elif found:
        from .round_table import print_table

        print_table(found, context)
    else:
        context.note("cli.rounds.empty", file=shown(store))
    return ExitCode.ANSWERS


def _show(store: StorePlace, ids: frozenset[str], context: Context, losses: Losses, *, as_json: bool) -> int:
    outcomes: list[Outcome] = []
    prices = pricing(context)
    for round_ in _named(store, ids, losses):
        outcomes.append(outcome := classify(round_))
        if as_json:
            context.output.result_json({**outcome.as_json(), "cost": prices.round(round_).as_json()})
        else:
            print_report(round_, outcome, context.texts, context.output)
            spent = cost_sum_text(prices.round(round_), context.texts)
            context.output.result(
                f"    {context.output.fitted(context.texts('cost.title'))}: {context.output.fitted(spent)}"
            )
    return exit_code(outcomes)


def _export(store: StorePlace, ids: frozenset[str], form: str, context: Context, losses: Losses) -> None:
    if form == "events":
        for line, _ in events(store, ids, losses):
            context.output.result_bytes(line)
        return
    if form == "json" and not ids:
        _list(store, context, losses, as_json=True)
        return
    prices = pricing(context)
    rounds = _named(store, ids or frozenset(each.summary.id for each in summaries(store, prices, losses)), losses)
    if form == "svg":
        from .pictures import PICTURE_COLUMNS, svg

        if len(rounds) != 1:  # two documents in one stream are none
            raise CommandFailed("cli.rounds.one_picture")
        outcome = classify(rounds[0])
        lines = report(rounds[0], outcome, context.texts, unicode=True, width=PICTURE_COLUMNS)
        context.output.result(svg(title(outcome, context.texts), lines))
        return
    for round_ in rounds:
        if form == "json":
            context.output.result_json({**classify(round_).as_json(), "cost": prices.round(round_).as_json()})
        else:
            from .markdown import escaped, section

            context.output.result(section(round_, classify(round_), context.texts))
            spent = cost_sum_text(prices.round(round_), context.texts)
            context.output.result(f"- {context.texts('cost.title')}: {escaped(spent)}\n")


def _named(store: StorePlace, ids: frozenset[str], losses: Losses) -> list[Round]:
    """Return the rounds of these ids.

    Raises:
        CommandFailed: one is not in the store.
    """
    found = details(store, ids, losses)
    missing = sorted(ids - {round_.id for round_ in found})
    if missing:
        raise CommandFailed("cli.rounds.unknown", file=shown(store), id=missing[0])
    return found
