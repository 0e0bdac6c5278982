"""``classify``: the verdict of each round in a file of events; the exit code says how they ended."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ...core.rounds import Ledger, Outcome, Round, classify
from .context import Context
from .event_lines import BadLine, EventLines, opened
from .exit_codes import exit_code
from .failure import CommandFailed

END_OF_FILE = "end of file"


def run(args: argparse.Namespace, context: Context) -> int:
    """Judge every round of the file.

    Unreadable lines are told and counted; as long as there are rounds, these alone decide the exit code.
    """
    ledger = folded(args.file, context)
    outcomes: list[Outcome] = []
    for round_ in in_order(ledger):
        outcome = classify(round_)
        outcomes.append(outcome)
        if args.json:
            context.output.result_json(outcome.as_json())
        else:
            from .report import print_report

            print_report(round_, outcome, context.texts, context.output)
    return exit_code(outcomes)


def folded(name: str, context: Context) -> Ledger:
    """Return the rounds of a file; whatever is still open at its end is closed with a doubt.

    Raises:
        CommandFailed: the file cannot be read, or holds no round.
    """
    ledger = Ledger()
    with opened(name) as file:
        lines = EventLines(name, file)
        for item in lines.everything():
            if not isinstance(item, BadLine):
                ledger.apply(item)
            elif item.round is not None:
                ledger.gap(item.round)
    context.told(lines)
    if not ledger.rounds:
        raise CommandFailed(lines.why_no_round, file=context.file_name(name))
    if ledger.unknown_events:
        context.note("cli.input.unknown_events", file=context.file_name(name), n=ledger.unknown_events)
    for round_ in list(ledger.rounds):
        ledger.close(round_, END_OF_FILE)
    return ledger


def in_order(ledger: Ledger) -> Iterator[Round]:
    """Yield every round once, in order of appearance, each followed by its sub-rounds."""
    for round_ in ledger.rounds.values():
        if round_.parent is None or round_.is_orphan:
            waiting = [round_]
            while waiting:
                yield (found := waiting.pop())
                waiting.extend(reversed(found.children.values()))
