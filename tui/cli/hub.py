"""``hub``: the server alone; one line of JSON says where it listens, signals end it in good order."""

from __future__ import annotations

import argparse
import asyncio
import signal
from pathlib import Path

from ...core.hub import DEFAULT_PORT, Access, Hub, HubError, SqliteStore, store_file
from ...core.hub.supervision import WATCHFUL
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed
from .store_care import backed_up, checked
from .store_options import retention, synchronous


def run(args: argparse.Namespace, context: Context) -> int:
    """Serve until SIGTERM (exit code 0) or SIGINT (130); what was accepted is committed first."""
    path: Path = args.store or store_file()
    if args.check:
        return checked(path, context)
    if args.backup is not None:
        return backed_up(path, args.backup, context)
    try:
        return asyncio.run(_serve(path, args, context))
    except HubError as error:
        raise CommandFailed("cli.hub.failed", why=error) from None


async def _serve(path: Path, args: argparse.Namespace, context: Context) -> int:
    stop = asyncio.Event()
    codes: list[ExitCode] = []

    def stopped(code: ExitCode) -> None:
        codes.append(code)
        stop.set()

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stopped, ExitCode.ANSWERS)
    loop.add_signal_handler(signal.SIGINT, stopped, ExitCode.INTERRUPTED)
    kept = context.settings.store
    async with Hub(
        SqliteStore(path, retention=retention(args, kept), synchronous=synchronous(args, kept)),
        host=args.host,
        port=DEFAULT_PORT if args.port is None else args.port,
        access=Access.anyone() if args.no_auth else None,
        supervision=None if args.no_supervision else WATCHFUL,
    ) as hub:
        if args.no_auth:
            context.note("cli.hub.no_token")
        context.output.result_json({"url": hub.url, "store": str(path), "asks_for_token": hub.asks_for_token})
        context.output.flush()
        await stop.wait()
        context.note("cli.hub.stopping")
    return codes[0]
