"""``rounds``: the rounds in a hub's store as a table, as reports, or to take elsewhere."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...core.hub import store_file
from ...core.rounds import Round, classify
from ...core.texts.banner import title
from .context import Context
from .exit_codes import ExitCode, exit_code
from .failure import CommandFailed
from .report import print_report, report
from .stored_rounds import details, events, summaries


def run(args: argparse.Namespace, context: Context) -> int:
    """List, show or export."""
    store: Path = args.store or store_file()
    ids = frozenset[str](args.ids)
    match args.action:
        case "list":
            return _list(store, ids, context, as_json=args.json)
        case "show":
            return _show(store, ids, context, as_json=args.json)
        case _:
            return _export(store, ids, "json" if args.json else args.format, context)


def _list(store: Path, ids: frozenset[str], context: Context, *, as_json: bool) -> int:
    found = [summary for summary in summaries(store) if not ids or summary.id in ids]
    if as_json:
        for summary in found:
            context.output.result_json(summary.outcome.as_json())
    elif found:
        from .round_table import print_table

        print_table(found, context)
    else:
        context.note("cli.rounds.empty", file=str(store))
    return ExitCode.ANSWERS


def _show(store: Path, ids: frozenset[str], context: Context, *, as_json: bool) -> int:
    outcomes = [(round_, classify(round_)) for round_ in _named(store, ids, "show")]
    for round_, outcome in outcomes:
        if as_json:
            context.output.result_json(outcome.as_json())
        else:
            print_report(round_, outcome, context.texts, context.output)
    return exit_code(outcome for _, outcome in outcomes)


def _export(store: Path, ids: frozenset[str], form: str, context: Context) -> int:
    match form:
        case "events":
            for line, _ in events(store, ids):
                context.output.result_bytes(line)
        case "json":
            return _show(store, ids or _all(store), context, as_json=True) and ExitCode.ANSWERS
        case "markdown":
            from .markdown import section

            for round_ in _named(store, ids or _all(store), "export"):
                context.output.result(section(round_, classify(round_), context.texts))
        case _:
            from .pictures import PICTURE_COLUMNS, svg

            for round_ in _one(_named(store, ids, "export")):
                outcome = classify(round_)
                lines = report(round_, outcome, context.texts, unicode=True, width=PICTURE_COLUMNS)
                context.output.result(svg(title(outcome, context.texts), lines))
    return ExitCode.ANSWERS


def _all(store: Path) -> frozenset[str]:
    return frozenset(summary.id for summary in summaries(store))


def _one(rounds: list[Round]) -> list[Round]:
    """A picture shows one round: two documents in one stream are none."""
    if len(rounds) != 1:
        raise CommandFailed("cli.rounds.one_picture")
    return rounds


def _named(store: Path, ids: frozenset[str], action: str) -> list[Round]:
    """Return the rounds of these ids.

    Raises:
        CommandFailed: none is named, or one is not in the store.
    """
    if not ids:
        raise CommandFailed("cli.rounds.which", action=action)
    found = details(store, ids)
    missing = sorted(ids - {round_.id for round_ in found})
    if missing:
        raise CommandFailed("cli.rounds.unknown", file=str(store), id=missing[0])
    return found
