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
from ...core.runner.demo import play
from ...core.runner.extra import LIBRARIES, MissingExtra, require
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed
from .watch import look


def run(args: argparse.Namespace, context: Context) -> int:
    """Play; on the screen for ever, as plain lines once through or for some seconds.

    The exit code is 0 however its rounds end: they end badly on purpose.
    """
    try:
        require(*LIBRARIES)
    except MissingExtra as error:
        raise CommandFailed("cli.demo.missing", why=str(error)) from None
    return asyncio.run(_demo(args.speed, args.seconds, context))


async def _demo(speed: float, seconds: float | None, context: Context) -> int:
    ended = asyncio.Event()
    async with _stage() as (hub, token, publisher):

        async def act() -> None:
            await play(publisher.publish, speed=speed, forever=context.output.has_screen)
            await publisher.flush()
            ended.set()

        playing = asyncio.create_task(act(), name="demo")
        looking = asyncio.create_task(look(hub.url, context, token=token, seconds=seconds, ended=ended), name="look")
        try:
            await asyncio.wait([playing, looking], return_when=asyncio.FIRST_COMPLETED)
            if not looking.done():
                await playing  # whatever went wrong in it is told
            await looking
        finally:
            for task in (playing, looking):
                task.cancel()
            await asyncio.gather(playing, looking, return_exceptions=True)
    return ExitCode.ANSWERS


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
