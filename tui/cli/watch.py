"""``watch``: follows a hub; where none is running and none was named, this process is the hub as well."""

from __future__ import annotations

import argparse
import asyncio

from ...core.hub import Hub, HubError, store_file
from ..source import HubSource
from .context import Context
from .exit_codes import exit_code
from .failure import CommandFailed
from .hubs import Target, is_listening, target
from .screen_settings import check_screen_settings


def run(args: argparse.Namespace, context: Context) -> int:
    """Watch until the operator leaves, without a terminal until interrupted; with ``--web`` let browsers watch."""
    hub = target(args.url, args.token_file, context)
    try:
        return asyncio.run(_serve(hub, args, context) if args.web else _watch(hub, context, live=args.live))
    except HubError as error:
        raise CommandFailed("cli.watch.refused", why=error) from None


async def _watch(hub: Target, context: Context, *, live: bool) -> int:
    if hub.is_named or await is_listening(hub.url):
        return await look(hub.url, context, token=hub.token, live=live)
    async with Hub(store_file()) as own:
        return await look(own.url, context, live=live, hint=context.texts("cli.watch.own_hub", url=own.url))


async def _serve(hub: Target, args: argparse.Namespace, context: Context) -> int:
    from .web import serve

    if hub.is_named or await is_listening(hub.url):
        return await serve(args, hub.url, context)
    async with Hub(store_file()) as own:
        return await serve(args, own.url, context)


async def look(
    url: str,
    context: Context,
    *,
    token: str | None = None,
    live: bool = False,
    seconds: float | None = None,
    hint: str | None = None,
    ended: asyncio.Event | None = None,
) -> int:
    """Show what a hub feeds, on the screen or as plain lines, and return the exit code.

    Args:
        seconds: as plain lines, how long.
        hint: what to tell instead of the address.
        ended: as plain lines, set when nothing more will come.

    Raises:
        CommandFailed: this is no hub's address, or the hub will not have us.
    """
    try:
        source = HubSource(url, token, after=None if live else "begin")
    except ValueError as error:
        raise CommandFailed("cli.watch.wrong_url", why=str(error)) from None
    context.output.note(hint or context.texts("cli.watch.watching", url=url))
    if context.output.has_screen:
        from .screen import show

        return await show(source, context, name=url)
    from .plain import follow

    check_screen_settings(context)
    return exit_code(await follow(source, context, seconds=seconds, ended=ended))
