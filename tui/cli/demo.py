"""``demo``: real rounds of the reference loop against a scripted provider, over a hub of their own."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from ...core.hub import Access, Hub, Identity, Publisher
from ...core.runner.demo import play, scenes
from ...core.runner.extra import LIBRARIES, MissingExtra, require
from ...core.texts.marks import VERDICT_MARKS
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed
from .watch import look


def run(args: argparse.Namespace, context: Context) -> int:
    """Play; on the screen for ever, as plain lines once through or for some seconds.

    The exit code is 0 however its rounds end: they end badly on purpose.
    """
    if args.list:
        return _list(context)
    if args.only is not None and args.only not in scenes():
        raise CommandFailed("cli.demo.unknown_scene", name=args.only)
    try:
        require(*LIBRARIES)
    except MissingExtra as error:
        raise CommandFailed("cli.demo.missing", why=str(error)) from None
    return asyncio.run(_demo(args.speed, args.seconds, args.only, context))


def _list(context: Context) -> int:
    """Name the scenes, each with the mark and the headline of its ending."""
    width = max(map(len, scenes()))
    for name, ending in scenes().items():
        sign = VERDICT_MARKS[ending].sign(unicode=context.output.is_unicode)
        context.output.result(f"{sign} {name:<{width}}  {context.texts(f'verdict.{ending}')}")
    return ExitCode.ANSWERS


async def _demo(speed: float, seconds: float | None, only: str | None, context: Context) -> int:
    ended = asyncio.Event()
    async with _stage() as (hub, token, publisher):

        async def act() -> None:
            await play(publisher.publish, speed=speed, forever=context.output.has_screen, only=only)
            await publisher.flush()
            ended.set()

        playing = asyncio.create_task(act(), name="demo")
        looking = asyncio.create_task(look(hub.url, context, token=token, seconds=seconds, ended=ended), name="look")
        try:
            await asyncio.wait([playing, looking], return_when=asyncio.FIRST_COMPLETED)
            if not looking.done():
                await playing  # whatever went wrong in it is told
            code = await looking
        finally:
            for task in (playing, looking):
                task.cancel()
            await asyncio.gather(playing, looking, return_exceptions=True)
    return code if context.output.has_screen else ExitCode.ANSWERS


@asynccontextmanager
async def _stage() -> AsyncGenerator[tuple[Hub, str, Publisher]]:
    """A hub for nobody else: a free port, a token and a store for this run, the spool beside it."""
    token = secrets.token_urlsafe()
    with tempfile.TemporaryDirectory(prefix="roundwatch-demo-") as name:
        folder = Path(name)
        access = Access({token: Identity("demo")})
        async with (
            Hub(folder / "rounds.sqlite3", port=0, access=access) as hub,
            Publisher(hub.url, token=token, producer="demo", folder=folder / "publish") as publisher,
        ):
            yield hub, token, publisher
