"""``follow``: transcripts that agents leave on disk, shown at once or published to a hub."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...core.feeds.hub_doors import doors
from ...core.feeds.transcripts.follow import Follower
from ...core.feeds.transcripts.follow_file import Hubward
from ...core.feeds.transcripts.follow_hub import stream_of
from ...core.feeds.transcripts.follow_list import listed
from ...core.feeds.transcripts.follow_places import Place as Folder
from ...core.feeds.transcripts.follow_places import given_places, places
from ...core.feeds.transcripts.follow_positions import Positions
from ...core.feeds.transcripts.owners import Owners
from ...core.feeds.transcripts.unreadable import Place
from ...core.hub import Hub, HubError, store_file
from ...core.hub.address import endpoint
from ...core.hub.limits import PUBLISH_PATH
from ...core.hub.tls import client_context
from ...core.texts import clean, fault_text
from .context import Context
from .exit_codes import ExitCode, exit_code
from .failure import CommandFailed
from .following_source import FollowingSource
from .hubs import Given, Target, is_listening, target
from .plain import report_kept
from .since import since_ns
from .watch import hub_source, look

NAME_CHARS = 300


def run(args: argparse.Namespace, context: Context) -> int:
    """Follow until the operator leaves; with ``--to`` until a signal, with ``--once`` to the end of what is there."""
    where = _places(args.paths, args.source)
    now_ns = time.time_ns()
    start_ns = since_ns(args.since, now_ns)
    if args.list:
        return _list(where, args.source, start_ns, context)
    hub = target(args.to, Given.of(args), context)
    try:
        endpoint(hub.url, PUBLISH_PATH)
    except ValueError as error:
        raise CommandFailed("cli.watch.wrong_url", why=error) from None
    try:
        return asyncio.run(_follow(where, args, start_ns, hub, context))
    except HubError as error:
        raise CommandFailed("cli.publish.failed", url=hub.url, why=error) from None


def _places(paths: Sequence[Path], source: str | None) -> list[Folder]:
    for path in paths:
        if not path.exists():
            raise CommandFailed("cli.follow.no_path", path=clean(str(path), limit=NAME_CHARS))
    if paths:
        return given_places(list(paths))
    known = places(os.environ, Path.home())
    return [place for place in known if source in (None, place.source)]


def _list(where: list[Folder], source: str | None, start_ns: int, context: Context) -> int:
    found = listed(where, source, start_ns)
    for each in found:
        at = datetime.fromtimestamp(each.changed_ns / 1e9, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        context.output.result(f"{each.source:<15}  {at}  {each.size:>12}  {clean(each.name, limit=NAME_CHARS)}")
    if not found:
        _tell_nothing(where, context)
    return ExitCode.ANSWERS


def _tell_nothing(where: Sequence[Folder], context: Context) -> None:
    context.note("cli.follow.nothing")
    for place in where:
        context.note("cli.follow.looked_at", path=clean(str(place.path), limit=NAME_CHARS))


async def _follow(where: list[Folder], args: argparse.Namespace, start_ns: int, hub: Target, context: Context) -> int:
    async with _hub(hub, context) as (url, token):
        stream = await stream_of(url, token, hub.ca_file)
        positions = Positions(Positions.file_for(f"{url} {stream}"))
        told = Owners(Owners.default_file())
        troubles = _Troubles(context)
        follower = Follower(
            where,
            hub=Hubward(url, token, positions, tls=client_context(hub.ca_file), told=told),
            source=args.source,
            since_ns=start_ns,
            told=troubles,
        )
        try:
            if args.to is not None:
                code = await _publish(follower, args, url, context)
            else:
                code = await _show(follower, args.once, Target(url, token, ca_file=hub.ca_file), context)
        finally:
            _tell(follower, context)
            troubles.close()
            told.close()
        if args.once and args.paths and not follower.counts.files:
            raise CommandFailed("cli.follow.no_transcript")
        return code


@contextlib.asynccontextmanager
async def _hub(hub: Target, context: Context) -> AsyncGenerator[tuple[str, str | None]]:
    """Yield the hub that is meant; where none runs here and none was named, one inside this process."""
    if hub.is_named or await is_listening(hub.url):
        if not await is_listening(hub.url):
            raise CommandFailed("cli.publish.nobody", url=hub.url)
        yield hub.url, hub.token
        return
    async with Hub(store_file(), **doors()) as own:
        yield own.url, None


async def _publish(follower: Follower, args: argparse.Namespace, url: str, context: Context) -> int:
    context.note("cli.follow.publishing", url=url)
    if args.once:
        await follower.run_once()
        return ExitCode.ANSWERS
    loop = asyncio.get_running_loop()
    following = asyncio.create_task(follower.run(), name="follow")
    stopped: asyncio.Future[ExitCode] = loop.create_future()
    for number, code in ((signal.SIGTERM, ExitCode.ANSWERS), (signal.SIGINT, ExitCode.INTERRUPTED)):
        loop.add_signal_handler(number, _stop, stopped, code)
    try:
        ends: list[asyncio.Future[Any]] = [following, stopped]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        if following.done():
            following.result()
        return await stopped
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


def _stop(stopped: asyncio.Future[ExitCode], code: ExitCode) -> None:
    if not stopped.done():
        stopped.set_result(code)


async def _show(follower: Follower, once: bool, hub: Target, context: Context) -> int:
    """Show what is followed beside all else that the hub keeps; once and in plain lines, what is followed alone."""
    hint = context.texts("cli.follow.following", url=hub.url)
    if once and not context.output.has_screen:
        context.output.note(hint)
        await follower.run_once()
        told = await report_kept(hub_source(hub), context, follower.producers())
        return exit_code(told)
    following = asyncio.create_task(follower.run_once() if once else follower.run(), name="follow")
    source = FollowingSource(hub.url, hub.token, ca_file=hub.ca_file) if context.output.has_screen else None
    if source is not None:
        source.count_unreadable = lambda: follower.counts.unreadable
    looked_at = look(hub.url, context, token=hub.token, ca_file=hub.ca_file, hint=hint, source=source)
    looking = asyncio.create_task(looked_at, name="look")
    try:
        await asyncio.wait([following, looking], return_when=asyncio.FIRST_COMPLETED)
        if not looking.done():
            await following  # whatever went wrong in it is told
        return await looking
    finally:
        for task in (following, looking):
            task.cancel()
        await asyncio.gather(following, looking, return_exceptions=True)


def _tell(follower: Follower, context: Context) -> None:
    counts = follower.counts
    context.note("cli.follow.counts", n=counts.files)
    if counts.unreadable:
        context.note("cli.follow.unreadable", n=counts.unreadable)
    if counts.rejected:
        context.note("cli.publish.rejected", n=counts.rejected)


class _Troubles:
    """Says what cannot be read: at once in plain lines, after the screen has closed where there is one."""

    MOST = 20

    def __init__(self, context: Context) -> None:
        self._context = context
        self._first: list[tuple[str, Exception, Place | None]] = []
        self._more = 0

    def __call__(self, path: Path, why: Exception, where: Place | None) -> None:
        if len(self._first) >= self.MOST:
            self._more += 1
            return
        self._first.append((clean(str(path), limit=NAME_CHARS), why, where))
        if not self._context.output.has_screen:
            self._say(*self._first[-1])

    def close(self) -> None:
        """Say what was not said yet."""
        for each in self._first if self._context.output.has_screen else ():
            self._say(*each)
        if self._more:
            self._context.note("cli.follow.more_trouble", n=self._more)

    def _say(self, path: str, why: Exception, where: Place | None) -> None:
        said = clean(fault_text(why, self._context.texts), limit=NAME_CHARS)
        if where is None:
            self._context.note("cli.follow.trouble", path=path, why=said)
        else:
            line, byte = str(where.line), str(where.offset)
            self._context.note("cli.follow.trouble_at", path=path, line=line, byte=byte, why=said)
