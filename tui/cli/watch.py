"""``watch``: follows hubs; where none is running and none was named, this process is the hub as well."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.hub import HubError, store_file
from ..source import HubSource, NamedSource
from .context import Context
from .exit_codes import exit_code
from .failure import CommandFailed
from .hubs import Given, Target, is_listening, targets
from .loading import loading
from .screen_settings import check_screen_settings

if TYPE_CHECKING:
    from ...core.hub import Hub


def run(args: argparse.Namespace, context: Context) -> int:
    """Watch until the operator leaves, without a terminal until interrupted; with ``--web`` let browsers watch."""
    hubs = targets(args.hubs, Given.of(args), context)
    try:
        return asyncio.run(_serve(hubs, args, context) if args.web else _watch(hubs, context, live=args.live))
    except HubError as error:
        raise CommandFailed("cli.watch.refused", why=error) from None


async def _watch(hubs: Sequence[Target], context: Context, *, live: bool) -> int:
    hub = hubs[0]
    if len(hubs) > 1:
        return await _look_at_several(hubs, context, live=live)
    if hub.is_named or await is_listening(hub.url):
        return await look(hub.url, context, token=hub.token, ca_file=hub.ca_file, live=live)
    async with _own_hub() as own:
        return await look(own.url, context, live=live, hint=context.texts("cli.watch.own_hub", url=own.url))


async def _serve(hubs: Sequence[Target], args: argparse.Namespace, context: Context) -> int:
    from .web import serve

    if hubs[0].is_named or await is_listening(hubs[0].url):
        return await serve(args, [hub.name or hub.url for hub in hubs], context)
    async with _own_hub() as own:
        return await serve(args, [own.url], context)


def _own_hub() -> Hub:
    """Return a hub of this account's own; the server and its store are loaded only where nobody else has one."""
    from ...core.feeds.hub_doors import doors
    from ...core.hub import Hub

    return Hub(store_file(), **doors())


async def look(
    url: str,
    context: Context,
    *,
    token: str | None = None,
    ca_file: Path | None = None,
    live: bool = False,
    seconds: float | None = None,
    hint: str | None = None,
    ended: asyncio.Event | None = None,
    source: HubSource | None = None,
) -> int:
    """Show what a hub feeds, on the screen or as plain lines, and return the exit code.

    Args:
        seconds: as plain lines, how long.
        hint: what to tell instead of the address.
        ended: as plain lines, set when nothing more will come.
        source: what is shown instead of the hub's feed alone.

    Raises:
        CommandFailed: this is no hub's address, or the hub will not have us.
    """
    source = source or hub_source(Target(url, token, ca_file=ca_file), live=live)
    context.output.note(hint or context.texts("cli.watch.watching", url=url))
    if context.output.has_screen:
        with loading():
            from .screen import show

        return await show(source, context, name=url)
    from .plain import follow

    check_screen_settings(context)
    return exit_code(await follow(source, context, seconds=seconds, ended=ended))


async def _look_at_several(hubs: Sequence[Target], context: Context, *, live: bool) -> int:
    sources = [NamedSource(hub.label, hub_source(hub, live=live)) for hub in hubs]
    context.output.note(context.texts("cli.watch.watching", url=", ".join(hub.label for hub in hubs)))
    if context.output.has_screen:
        with loading():
            from .screen import show

        return await show(sources[0].source, context, name=sources[0].name, more=sources[1:])
    from .plain_hubs import follow_all

    check_screen_settings(context)
    return exit_code(await follow_all(sources, context))


def hub_source(hub: Target, *, live: bool = False) -> HubSource:
    """Return the feed of a hub: from its beginning, or only what is new.

    Raises:
        CommandFailed: this is no hub's address.
    """
    try:
        return HubSource(hub.url, hub.token, after=None if live else "begin", ca_file=hub.ca_file)
    except ValueError as error:
        raise CommandFailed("cli.watch.wrong_url", why=error) from None
