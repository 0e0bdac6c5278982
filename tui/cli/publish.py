"""``publish``: event lines to a hub, until all of them are stored."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import stat
from pathlib import Path
from typing import BinaryIO

from ...core.hub import HubError, LinesReport, Publisher, publish_lines, sender
from ...core.hub.address import endpoint
from ...core.hub.limits import PUBLISH_PATH
from ...core.hub.tls import client_context
from ...core.rounds import EventError
from .arriving import arriving, own_reader
from .context import Context
from .event_lines import MOST_TOLD, STDIN, TOO_LONG, EventLines, opened
from .exit_codes import ExitCode
from .failure import CommandFailed
from .hubs import Given, Target, is_listening, target

PATIENCE_S = 30.0
"""Without an acknowledgement for so long the hub is gone for good."""
PRODUCER = "stdin"  # what comes through a pipe is gone once it is read: it has no content to be named after


def run(args: argparse.Namespace, context: Context) -> int:
    """Send the lines; 0 when all of them are stored, 1 when at least one is not, 2 when the hub cannot be reached."""
    hub = target(args.to, Given.of(args), context)
    logging.getLogger(sender.__name__).addFilter(lambda record: False)  # what ends it is told below, once
    try:
        endpoint(hub.url, PUBLISH_PATH)
    except ValueError as error:  # a wrong address may hold a secret: it is not quoted
        raise CommandFailed("cli.watch.wrong_url", why=error) from None
    try:
        client_context(hub.ca_file)
        with opened(args.file) as file:  # what is wrong with a file is told before a hub is looked for
            if args.file != STDIN and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return asyncio.run(_from_file(args.file, hub, context))
            return asyncio.run(_from_pipe(args.file, file, hub, context))
    except (HubError, ValueError) as error:
        raise CommandFailed("cli.publish.failed", url=hub.url, why=error) from None


async def _from_file(name: str, hub: Target, context: Context) -> int:
    """Send a file under a name made from its content: sending it twice stores it once."""
    await _reach(hub)
    progress = _Progress()
    sending = asyncio.create_task(
        publish_lines(Path(name), hub.url, token=hub.token, ca_file=hub.ca_file, progress=progress)
    )
    try:
        while not sending.done():
            before = progress.acknowledged
            await asyncio.wait([sending], timeout=PATIENCE_S)
            if not sending.done() and progress.acknowledged == before:
                raise CommandFailed("cli.publish.no_answer", url=hub.url)
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    return _told(name, sending.result(), hub, context)


def _stored(stored: int, shortened: int, hub: Target, context: Context) -> None:
    if shortened:
        context.note("cli.publish.shortened", n=shortened)
    context.note("cli.publish.done", url=hub.url, n=stored)


class _Progress:
    """How far the hub has acknowledged."""

    acknowledged = 0

    def __call__(self, report: LinesReport) -> None:
        self.acknowledged = report.acknowledged


def _told(name: str, report: LinesReport, hub: Target, context: Context) -> int:
    for line in report.rejected[:MOST_TOLD]:
        context.bad_line(name, line.line, line.error or line.why)
    more = report.rejected[MOST_TOLD:]
    context.more_bad_lines(name, [line.line for line in more], len(more))
    if report.fault is not None:
        raise CommandFailed("cli.publish.failed", url=hub.url, why=report.fault)
    if not report.sent:
        raise CommandFailed("cli.input.no_events" if report.rejected else "cli.input.empty", file=name)
    _stored(report.stored, report.shortened, hub, context)
    return ExitCode.NOT_ANSWERS if report.rejected else ExitCode.ANSWERS


async def _from_pipe(name: str, file: BinaryIO, hub: Target, context: Context) -> int:
    """Send line by line as they come, for as long as they come."""
    await _reach(hub)
    lines = EventLines(name, own_reader(file))
    async with Publisher(hub.url, token=hub.token, producer=PRODUCER, ca_file=hub.ca_file) as publisher:
        async for number, line in arriving(lines):
            if line is None:
                lines.reject(number, TOO_LONG)
                continue
            try:
                await publisher.publish(line)
            except EventError as error:
                lines.reject(number, error)
            else:
                lines.read += 1
        if not await publisher.flush(PATIENCE_S):
            raise CommandFailed("cli.publish.no_answer", url=hub.url)
        stored = publisher.state.acknowledged - publisher.state.rejected
    context.told(lines)
    if publisher.state.rejected:
        context.note("cli.publish.rejected", n=publisher.state.rejected)
    if not lines.read:
        raise CommandFailed("cli.input.no_events" if lines.bad else "cli.input.empty", file=context.file_name(name))
    _stored(stored, publisher.state.shortened, hub, context)
    return ExitCode.NOT_ANSWERS if lines.bad or publisher.state.rejected else ExitCode.ANSWERS


async def _reach(hub: Target) -> None:
    if not await is_listening(hub.url):
        raise CommandFailed("cli.publish.nobody", url=hub.url)
