"""``hub``: the server alone; one line of JSON says where it listens, signals end it in good order."""

from __future__ import annotations

import argparse
import asyncio
import signal
from pathlib import Path

from ...core.hub import DEFAULT_PORT, Access, Hub, HubError, Retention, SqliteStore, store_file
from .context import Context
from .exit_codes import ExitCode
from .failure import CommandFailed


def run(args: argparse.Namespace, context: Context) -> int:
    """Serve until SIGTERM (exit code 0) or SIGINT (130); what was accepted is committed first."""
    try:
        return asyncio.run(_serve(args, context))
    except HubError as error:
        raise CommandFailed("cli.hub.failed", why=error) from None


async def _serve(args: argparse.Namespace, context: Context) -> int:
    stop = asyncio.Event()
    codes: list[ExitCode] = []

    def stopped(code: ExitCode) -> None:
        codes.append(code)
        stop.set()

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stopped, ExitCode.ANSWERS)
    loop.add_signal_handler(signal.SIGINT, stopped, ExitCode.INTERRUPTED)
    path: Path = args.store or store_file()
    async with Hub(
        SqliteStore(path, retention=Retention(events=args.keep)),
        host=args.host,
        port=DEFAULT_PORT if args.port is None else args.port,
        access=Access.anyone() if args.no_auth else None,
    ) as hub:
        if args.no_auth:
            context.note("cli.hub.no_token")
        context.output.result_json({"url": hub.url, "store": str(path), "asks_for_token": hub.asks_for_token})
        context.output.flush()
        await stop.wait()
        context.note("cli.hub.stopping")
    return codes[0]
