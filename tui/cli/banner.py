"""``banner``: every way a round can end, with an example of each, as the screen would show it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from ...core.rounds import Ledger, Outcome, Round, classify, parse_event
from ...core.texts.banner import title
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed
from .report import print_report, report


def run(args: argparse.Namespace, context: Context) -> int:
    """Show the gallery, or save a picture of each banner."""
    if args.svg is not None:
        count = _save(args.svg, context)
        context.note("cli.banner.saved", n=count, folder=str(args.svg))
        return ExitCode.ANSWERS
    for round_, outcome in gallery():
        print_report(round_, outcome, context.texts, context.output)
    return ExitCode.ANSWERS


def gallery() -> Iterator[tuple[Round, Outcome]]:
    """Yield one round for each ending, named after it; real events, judged by the one classifier."""
    ledger = Ledger()
    for line in resources.files("roundwatch.tui.cli").joinpath("gallery.jsonl").read_text("utf-8").splitlines():
        ledger.apply(parse_event(line))
    for round_ in ledger.rounds.values():
        yield round_, classify(round_)


def _save(folder: Path, context: Context) -> int:
    from .pictures import PICTURE_COLUMNS, svg

    count = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for round_, outcome in gallery():
            lines = report(round_, outcome, context.texts, unicode=True, width=PICTURE_COLUMNS)
            picture = svg(title(outcome, context.texts), lines)
            (folder / f"{round_.id}.{context.texts.locale}.svg").write_text(picture, "utf-8")
            count += 1
    except OSError as error:
        why = error.strerror or str(error)
        raise CommandFailed("cli.banner.cannot_save", folder=str(folder), why=why) from None
    return count
