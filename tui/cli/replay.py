"""``replay``: a recorded file of events, played on the screen at the pace it happened, or faster."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator

from ...core.hub import Unreadable
from ...core.rounds import Event
from ..source import ReplaySource
from .context import Context
from .event_lines import BadLine, EventLines, opened
from .exit_codes import exit_code
from .failure import CommandFailed
from .screen_settings import check_screen_settings


def run(args: argparse.Namespace, context: Context) -> int:
    """Play the file; without a terminal report each round as it ends, and let the rounds decide the exit code."""
    with opened(args.file) as file:
        lines = EventLines(args.file, file)
        if context.output.has_screen:
            from .screen import show

            source = ReplaySource(_with_bad_lines(lines, context), speed=args.speed)
            return asyncio.run(show(source, context, name=args.file))
        from .plain import follow

        check_screen_settings(context)
        outcomes = asyncio.run(follow(ReplaySource(lines, speed=args.speed), context))
    context.told(lines)
    if not outcomes:
        raise CommandFailed(lines.why_no_round, file=context.file_name(args.file))
    return exit_code(outcomes)


def _with_bad_lines(lines: EventLines, context: Context) -> Iterator[tuple[Event, str] | Unreadable]:
    for item in lines.everything():
        if isinstance(item, BadLine):
            where = context.texts("cli.input.line", line=str(item.number))
            yield Unreadable(where, item.why, round=item.round, error=item.error)
        else:
            yield item, lines.line.decode("utf-8", "replace")
